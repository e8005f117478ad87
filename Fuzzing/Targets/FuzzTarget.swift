import Foundation
import Media
import Plotting
import Stories
import TimeMaps
import TimeWarp

/// A door through which bytes come in from outside, with all that is promised of it.
///
/// Bytes are read or refused with one of the project's own errors. Anything else ends the program:
/// another error, a broken promise, or more than ``mostSeconds`` for one of its uses. libFuzzer drives these
/// by `make fuzz`, and the tests with mutations of their own.
public struct FuzzTarget: Sendable {
    /// As `FUZZ_TARGET` and the corpus' folder have it.
    public let name: String
    private let body: @Sendable (UnsafeRawBufferPointer) throws -> Void

    /// Seconds of processor time that one use may take, ten times that in a build that watches itself.
    public static let mostSeconds = 1.0

    init(
        _ name: String, bytes body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) {
        self.name = name
        self.body = body
    }

    /// A door for text; what isn't UTF-8 is mended first.
    init(_ name: String, text body: @escaping @Sendable (String) throws -> Void) {
        self.init(name, bytes: { try body(String(decoding: $0, as: UTF8.self)) })
    }

    /// A door for files that are read as a whole.
    init(_ name: String, data body: @escaping @Sendable (Data) throws -> Void) {
        self.init(name, bytes: { try body(Data($0)) })
    }

    public static let all: [FuzzTarget] = [
        .formula, .curveFile, .keyframes, .timeMap, .frameCurve, .composition, .openTimelineIO,
        .story, .manifest, .captions, .texts, .mapOperations, .media,
    ]

    public func run(_ bytes: UnsafeRawBufferPointer) {
        Self.attempt { try body(bytes) }
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// What attempts within an attempt took, in seconds; used on the thread that makes them.
    private final class Spent: @unchecked Sendable {
        var seconds = 0.0
    }
    @TaskLocal private static var spent: Spent?

    /// Does something that may be refused, but only in the project's own words, and that takes no longer
    /// than ``mostSeconds`` beside the attempts that it makes itself.
    static func attempt(_ body: () throws -> Void) {
        let inner = Spent()
        let start = processorSeconds
        do {
            try $spent.withValue(inner) { try body() }
        } catch {
            require(isOwn(error), "\(type(of: error)) isn't the project's: \(error)")
            let words = String(describing: error)
            require(!words.isEmpty, "an error without words")
            require(words.utf8.count <= 100_000, "an error of \(words.utf8.count) bytes")
        }
        let seconds = processorSeconds - start
        let own = seconds - inner.seconds
        require(own <= mostSeconds * slowness, "it took \(own) s")
        spent?.seconds += seconds
    }

    private static func isOwn(_ error: any Error) -> Bool {
        error is CurveError || error is FormulaError || error is TimeError || error is MediaError
            || error is CompositionError || error is StoryError || error is PlotError
    }

    #if TIMEWARP_SANITIZED
        private static let slowness = 10.0
    #else
        private static let slowness = 1.0
    #endif
}

/// A promise; the program ends where it is broken, also in optimised builds.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard holds else {
        fatalError("broken promise: " + what())
    }
}
