import Documents
import Foundation
import TimeMaps
import TimeWarp

/// A request to retime and render a clip: what the page edits, previews and renders.
struct RenderRequest: Codable, Sendable, Hashable {
    enum Task: String, Codable, Sendable {
        case warp, scale, stretch, reverse
    }

    /// A uniform scale, given in one of three ways.
    struct Scale: Codable, Sendable, Hashable {
        /// Output seconds per source second.
        var factor: Double?
        /// Source seconds per output second.
        var speed: Double?
        /// The duration of the output, written as on the command line.
        var duration: String?
    }

    /// How sound is stretched: by the duration of the output, by the difference of the durations, or through anchors.
    struct Stretching: Codable, Sendable, Hashable {
        /// The duration of the output. With anchors it may be missing: then the output ends with the sound.
        var duration: String?
        /// The difference of the durations, with its sign.
        var by: String?
        /// Pairs of seconds in the clip and in the output, at least two.
        var anchors: [[Double]]?
        /// The clip that the sound was compared with, and that the duration and the anchors come from. Nil if these were
        /// made by hand.
        var reference: String?
    }

    /// The part of the clip that is used.
    struct Part: Codable, Sendable, Hashable {
        var start: String?
        var end: String?
    }

    struct Video: Codable, Sendable, Hashable {
        var rate: String?
        var frames: RenderSettings.FrameSynthesis?
        var codec: String?
        /// The constant rate factor (CRF).
        var quality: Double?
        var preset: String?
    }

    struct Sound: Codable, Sendable, Hashable {
        var mode: RenderSettings.AudioMode?
        /// What sound that keeps its pitch is tuned for.
        var tune: RenderSettings.PitchTune?
        var codec: String?
        var bitRate: Int?
    }

    /// The identity of the clip in the library.
    var media: String
    var task: Task
    /// The curve of a warp; nil for the default curve.
    var curve: Curve?
    /// The exact duration of a warp's output.
    var fit: String?
    var scale: Scale?
    var stretch: Stretching?
    var range: Part?
    var boomerang: Bool?
    /// The part of the output that is rendered, to look at; nil for all of it.
    var sample: Part?
    var video: Video?
    var sound: Sound?
    var container: String?
}

/// The reason why a render request can't be run, and the field that causes it.
struct RenderRequestError: Error {
    enum Field: String, Codable, Sendable {
        case media, curve, fit, scale, stretch, match, range, video, sound, container, sample
    }

    let message: String
    var field: Field?
    /// The column in a formula, in characters counted from 1.
    var column: Int?
    /// The place on the curve, in 0…1.
    var place: Double?
}

extension Decodable {
    /// Reads what the page sends.
    ///
    /// - Parameter field: the page's field that errors are about; nil for none.
    /// - Throws: ``RenderRequestError``.
    init(sent json: Data, field: RenderRequestError.Field? = nil) throws {
        do {
            self = try JSONDocument(json).decode(Self.self, unknownKeys: .ignored)
        } catch {
            throw RenderRequestError(error, field: field)
        }
    }
}

extension RenderRequestError {
    /// The error for what the page sent. Nobody sees its lines and columns, but those of a formula count.
    init(_ error: DocumentError, field: Field?) {
        let problem = error.problem
        let isOfCurve = error.underlying is CurveError || error.underlying is FormulaError
        self.init(
            message: problem.path.steps.isEmpty
                ? problem.message : "\(problem.path): \(problem.message)",
            field: isOfCurve ? .curve : field,
            column: (error.underlying as? FormulaError)?.column)
    }
}
