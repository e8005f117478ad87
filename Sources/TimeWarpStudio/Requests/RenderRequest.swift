import TimeMaps
import TimeWarp

/// What a person wants made of a clip: what the page edits, previews and renders.
struct RenderRequest: Codable, Sendable, Hashable {
    enum Task: String, Codable, Sendable {
        case warp, scale, stretch, reverse
    }

    /// A uniform scale, said in one of three ways.
    struct Scale: Codable, Sendable, Hashable {
        /// Output seconds a source second.
        var factor: Double?
        var speed: Double?
        /// What the output lasts, as on the command line.
        var duration: String?
    }

    /// The length of stretched sound, said in one of two ways.
    struct Stretching: Codable, Sendable, Hashable {
        var duration: String?
        /// With its sign.
        var by: String?
    }

    /// The part of the clip that is used.
    struct Part: Codable, Sendable, Hashable {
        var start: String?
        var end: String?
    }

    struct Pictures: Codable, Sendable, Hashable {
        var rate: String?
        var frames: RenderSettings.FrameSynthesis?
        var codec: String?
        /// Constant rate factor.
        var quality: Double?
        var preset: String?
    }

    struct Sound: Codable, Sendable, Hashable {
        var mode: RenderSettings.Sound?
        var codec: String?
        var bitRate: Int?
    }

    /// Whose: the identity of a clip in the library.
    var media: String
    var task: Task
    /// Of a warp; nil for the usual one.
    var curve: Curve?
    /// What a warp lasts exactly.
    var fit: String?
    var scale: Scale?
    var stretch: Stretching?
    var range: Part?
    var boomerang: Bool?
    var pictures: Pictures?
    var sound: Sound?
    var container: String?
}

/// Why an order can't be carried out, and which part of it is to blame.
struct RenderRequestError: Error {
    enum Field: String, Codable, Sendable {
        case media, curve, fit, scale, stretch, range, pictures, sound, container
    }

    let message: String
    var field: Field?
    /// In a formula, in characters from 1.
    var column: Int?
    /// On the curve, in 0…1.
    var place: Double?
}

extension RenderRequestError {
    /// A curve that can't be read, with its place.
    init(_ error: CurveError) {
        self.init(
            message: error.description, field: .curve, column: error.column, place: error.position)
    }
}
