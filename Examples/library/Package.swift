// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "WarpWithClosures",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "WarpWithClosures", targets: ["WarpWithClosures"])],
    dependencies: [.package(name: "TimeWarp", path: "../..")],
    targets: [
        .executableTarget(
            name: "WarpWithClosures",
            dependencies: [.product(name: "TimeWarp", package: "TimeWarp")])
    ]
)
