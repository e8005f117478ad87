// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "TimeWarp",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "TimeWarp", targets: ["TimeWarp"]),
        .library(name: "TimeMaps", targets: ["TimeMaps"]),
        .library(name: "Documents", targets: ["Documents"]),
        .library(name: "Alignment", targets: ["Alignment"]),
        .library(name: "Exchange", targets: ["Exchange"]),
        .library(name: "Overview", targets: ["Overview"]),
        .library(name: "Playback", targets: ["Playback"]),
        .library(name: "Plotting", targets: ["Plotting"]),
        .library(name: "Stories", targets: ["Stories", "StoryBuilding"]),
        .library(name: "Verification", targets: ["Verification"]),
        .executable(name: "timewarp", targets: ["TimeWarpCLI"]),
    ],
    // The program: what it takes isn't fetched for those who depend on the library.
    traits: [.trait(name: "Program", description: "The command line and the studio")],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLibAV", pkgConfig: "libavformat",
            providers: [
                .apt([
                    "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev",
                ]),
                .brew(["ffmpeg"]),
            ]),
        .systemLibrary(
            name: "CCairo", pkgConfig: "cairo",
            providers: [.apt(["libcairo2-dev"]), .brew(["cairo"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(name: "CLanes"),
        .systemLibrary(name: "CMalloc"),
        .target(name: "Documents"),
        .target(name: "TimeMaps", dependencies: ["Documents"]),
        .target(
            name: "Media",
            dependencies: [
                "CLibAV", "TimeMaps",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(name: "Playback", dependencies: ["TimeMaps"]),
        .target(name: "Plotting", dependencies: ["CCairo", "TimeMaps"]),
        .target(name: "Alignment", dependencies: ["Media", "TimeMaps"]),
        .target(name: "SampleMedia", dependencies: ["Media", "Plotting", "TimeMaps"]),
        .target(
            name: "TimeWarp",
            dependencies: [
                "Alignment", "CLanes", "Documents", "Media", "TimeMaps",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "Exchange",
            dependencies: ["Alignment", "CLibXML2", "Documents", "Media", "TimeMaps", "TimeWarp"]),
        .target(
            name: "Overview",
            dependencies: ["Alignment", "Media", "Plotting", "TimeMaps", "TimeWarp"]),
        .target(
            name: "Verification",
            dependencies: ["Alignment", "Media", "Plotting", "TimeMaps", "TimeWarp"]),
        .target(
            name: "Stories",
            dependencies: [
                "Documents", "TimeMaps",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ],
            resources: [
                .embedInCode("story.schema.json"), .embedInCode("Words/de.json"),
                .embedInCode("Words/en.json"), .embedInCode("Words/es.json"),
                .embedInCode("Words/fr.json"), .embedInCode("Words/ja.json"),
            ]),
        .target(
            name: "StoryBuilding",
            dependencies: [
                "Alignment", "Documents", "Media", "Pages", "Stories", "TimeMaps", "TimeWarp",
            ]),
        .target(
            name: "Pages",
            exclude: [
                "index.html", "play", "play.html", "player", "shared", "stories",
                "stories.html", "studio", "tsconfig.json",
            ],
            plugins: ["EmbedPages"]),
        .target(name: "Guides", plugins: ["EmbedPages"]),
        .plugin(name: "EmbedPages", capability: .buildTool),
        .target(name: "LocalServer", dependencies: ["CMicroHTTPD"]),
        .target(
            name: "TimeWarpStudio",
            dependencies: [
                "Alignment", "CMalloc", "Documents", "Exchange", "LocalServer", "Media", "Overview",
                "Pages", "Plotting", "SampleMedia", "Stories", "StoryBuilding", "TimeMaps",
                "TimeWarp",
            ]),
        .executableTarget(
            name: "TimeWarpCLI",
            dependencies: [
                "Alignment", "CMalloc", "Documents", "Exchange", "Guides", "LocalServer", "Media",
                "Overview", "Plotting", "SampleMedia", "Stories", "StoryBuilding", "TimeMaps",
                "TimeWarp", "TimeWarpStudio", "Verification",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["Program"])),
            ]),
        .target(
            name: "TestSupport", dependencies: ["CLibAV", "Media", "SampleMedia", "TimeMaps"],
            path: "Tests/TestSupport"),
        .target(
            name: "RandomCompositions",
            dependencies: ["Alignment", "Media", "TestSupport", "TimeMaps", "TimeWarp"],
            path: "Tests/RandomCompositions"),
        .target(name: "ProcessorTime", path: "Tests/ProcessorTime"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Alignment", "Documents", "Exchange", "Media", "Plotting", "Stories",
                "StoryBuilding", "TimeMaps", "TimeWarp",
            ],
            path: "Fuzzing/Targets"),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "Alignment", "Documents", "Exchange", "FuzzTargets", "Media", "ProcessorTime",
                "Stories", "TestSupport", "TimeMaps", "TimeWarp",
            ]),
        .testTarget(name: "DocumentsTests", dependencies: ["Documents", "TimeMaps"]),
        .testTarget(
            name: "TimeMapsTests", dependencies: ["Documents", "ProcessorTime", "TimeMaps"]),
        .testTarget(
            name: "MediaTests",
            dependencies: ["CLibAV", "Media", "SampleMedia", "TestSupport", "TimeMaps"]),
        .testTarget(
            name: "AlignmentTests",
            dependencies: ["Alignment", "Media", "TestSupport", "TimeMaps"]),
        .testTarget(name: "PlaybackTests", dependencies: ["Playback", "TestSupport", "TimeMaps"]),
        .testTarget(name: "PlottingTests", dependencies: ["Plotting", "TimeMaps"]),
        .testTarget(
            name: "SampleMediaTests", dependencies: ["Plotting", "SampleMedia", "TimeMaps"]),
        .testTarget(
            name: "TimeWarpTests",
            dependencies: [
                "Alignment", "Documents", "Media", "RandomCompositions", "SampleMedia",
                "TestSupport", "TimeMaps", "TimeWarp",
            ]),
        .testTarget(
            name: "ExchangeTests",
            dependencies: [
                "Alignment", "Documents", "Exchange", "Media", "ProcessorTime",
                "RandomCompositions", "TestSupport", "TimeMaps", "TimeWarp",
            ]),
        .testTarget(
            name: "OverviewTests",
            dependencies: [
                "Alignment", "Media", "Overview", "SampleMedia", "TestSupport", "TimeMaps",
            ]),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "Alignment", "Media", "SampleMedia", "TestSupport", "TimeMaps", "TimeWarp",
                "Verification",
            ]),
        .testTarget(
            name: "StoriesTests",
            dependencies: [
                "Documents", "ProcessorTime", "Stories", "TimeMaps",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]),
        .testTarget(name: "PagesTests", dependencies: ["Pages"]),
        .testTarget(
            name: "StoryBuildingTests",
            dependencies: [
                "Alignment", "CMalloc", "Media", "Pages", "Stories", "StoryBuilding", "TestSupport",
                "TimeMaps", "TimeWarp",
            ]),
        .testTarget(name: "LocalServerTests", dependencies: ["LocalServer", "TestSupport"]),
        .testTarget(
            name: "TimeWarpStudioTests",
            dependencies: [
                "Alignment", "Exchange", "Media", "StoryBuilding", "TestSupport", "TimeMaps",
                "TimeWarp", "TimeWarpStudio",
            ]),
        .testTarget(
            name: "TimeWarpCLITests",
            dependencies: [
                "Alignment", "Media", "Plotting", "TestSupport", "TimeMaps", "TimeWarp",
                "TimeWarpCLI", "Verification",
            ]),
    ]
)

// Tests are compiled without optimising, in half the time: most of what they spend is spent in the library.
// Nobody imports their modules, so the compiler writes none in a job of its own.
for target in package.targets where target.type == .test {
    target.swiftSettings = [
        .unsafeFlags(
            ["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
    ]
}

// What libFuzzer drives: only for `make fuzz`, which builds everything with its hooks and links it in.
if Context.environment["TIMEWARP_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Fuzzing/Driver"))
}

// What the benchmarks, a package of their own, measure below the library's public surface: only for `make bench`.
if Context.environment["TIMEWARP_BENCHMARKS"] != nil {
    package.products.append(.library(name: "MediaKernels", targets: ["MediaKernels"]))
    package.targets.append(
        .target(
            name: "MediaKernels", dependencies: ["Media", "Plotting", "SampleMedia"],
            path: "Benchmarks/MediaKernels"))
}
