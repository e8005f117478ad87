import Documents
import Foundation
import Media
import Plotting
import Stories
import TimeMaps
import TimeWarp

/// A parser of untrusted input, with everything that it promises.
///
/// It accepts the bytes, or refuses them with one of the project's own errors. Anything else crashes: an
/// error of another type, a broken promise, or an attempt that takes more than ``mostSeconds``. `make fuzz`
/// runs the targets with libFuzzer, and the tests run them on mutations of their own.
public struct FuzzTarget: Sendable {
    /// The name that `FUZZ_TARGET` and the corpus's folder use.
    public let name: String
    private let body: @Sendable (UnsafeRawBufferPointer) throws -> Void

    /// The CPU seconds that one attempt may take; ten times that under a sanitizer.
    public static let mostSeconds = 1.0

    init(
        _ name: String, bytes body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) {
        self.name = name
        self.body = body
    }

    /// A target that takes text; bytes that aren't UTF-8 are replaced first.
    init(_ name: String, text body: @escaping @Sendable (String) throws -> Void) {
        self.init(name, bytes: { try body(String(decoding: $0, as: UTF8.self)) })
    }

    /// A target that takes a whole file.
    init(_ name: String, data body: @escaping @Sendable (Data) throws -> Void) {
        self.init(name, bytes: { try body(Data($0)) })
    }

    public static let all: [FuzzTarget] = [
        .formula, .curveFile, .keyframes, .timeMap, .frameCurve, .composition, .job,
        .openTimelineIO,
        .finalCut, .premiere, .editDecisionList, .mlt, .story, .manifest, .strings, .visits,
        .captions, .texts, .mapOperations, .media,
    ]

    public func run(_ bytes: UnsafeRawBufferPointer) {
        Self.attempt { try body(bytes) }
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The seconds that attempts nested in an attempt took. It is used on one thread only, that of the attempts.
    private final class Spent: @unchecked Sendable {
        var seconds = 0.0
    }
    @TaskLocal private static var spent: Spent?

    /// Runs code that may throw, but only the project's own errors, and that takes no longer
    /// than ``mostSeconds``, apart from nested attempts.
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
            || error is DocumentError
    }

    #if TIMEWARP_SANITIZED
        private static let slowness = 10.0
    #else
        private static let slowness = 1.0
    #endif
}

/// Checks a promise. If it is broken the program crashes, in optimised builds too.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard holds else {
        fatalError("broken promise: " + what())
    }
}
