// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "TimeWarp", path: "..")],
    targets: [
        .executableTarget(
            name: "KernelBenchmarks",
            dependencies: [.product(name: "TimeMaps", package: "TimeWarp")])
    ]
)
