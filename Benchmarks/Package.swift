// swift-tools-version: 6.1
import PackageDescription

// swift-benchmark instead of ordo-one's benchmark: it has a single dependency, which TimeWarp has anyway,
// and it builds with Swift 6.1, while the other needs 6.3 and several more packages.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "TimeWarp", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/google/swift-benchmark", from: "0.1.2"),
    ],
    targets: [
        .target(name: "Figures"),
        .target(name: "Launching"),
        .executableTarget(name: "Stopwatch", dependencies: ["Launching"]),
        .executableTarget(
            name: "KernelBenchmarks",
            dependencies: [
                "Figures",
                .product(name: "MediaKernels", package: "TimeWarp"),
                .product(name: "TimeWarp", package: "TimeWarp"),
                .product(name: "Benchmark", package: "swift-benchmark"),
            ]),
        .executableTarget(
            name: "PeerBenchmarks",
            dependencies: [
                "Figures", "Launching",
                .product(name: "MediaKernels", package: "TimeWarp"),
                .product(name: "TimeWarp", package: "TimeWarp"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(name: "FiguresTests", dependencies: ["Figures"]),
    ]
)
