import Dispatch
import Media
import Testing

// Instead of an entry point that the package manager writes, which looks for XCTest's tests in an index of all modules:
// making that index takes a quarter of the time of a build, and there are no such tests. `swift test` first asks for
// XCTest's tests, without the option. An asynchronous `main` would be linked to that of the program.
@main
enum Main {
    static func main() {
        guard CommandLine.arguments.contains("swift-testing") else {
            return
        }
        LibAVLog.capture()
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
