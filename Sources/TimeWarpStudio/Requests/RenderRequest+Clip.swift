import Foundation
import Media
import TimeMaps
import TimeWarp

extension RenderRequest {
    /// Decodes a render request from JSON.
    ///
    /// - Throws: ``RenderRequestError``.
    init(json: Data) throws {
        try self.init(sent: json)
    }

    /// The job that makes the requested file.
    ///
    /// - Parameter name: the name of the clip; nil for its file's.
    /// - Throws: ``RenderRequestError``.
    func job(
        of source: MediaSource, named name: String? = nil, to path: String
    ) throws -> RenderJob {
        let range = try sample.map { sample in
            guard task != .stretch else {
                throw RenderRequestError(
                    message: "Stretched sound is rendered as a whole.", field: .sample)
            }
            return try blaming(.sample) {
                let start = try sample.start.map { try RationalTime(parsing: $0) } ?? .zero
                return RenderJob.OutputRange(
                    from: try frameStart(before: start, of: source),
                    to: try sample.end.map { try RationalTime(parsing: $0) })
            }
        }
        return RenderJob(
            try Composition(
                of: segment(of: source, name: name), carrying: task == .stretch ? .sound : .both),
            to: path, outputRange: range, settings: try settings(for: source))
    }

    /// The clip with the requested time map.
    ///
    /// - Throws: ``RenderRequestError``.
    func clip(of source: MediaSource) throws -> Clip {
        try clip(of: job(of: source, to: ""), source)
    }

    /// The clip that a job of this request renders.
    func clip(of job: RenderJob, _ source: MediaSource) throws -> Clip {
        var job = job
        let sample = job.outputRange
        job.outputRange = nil
        let clip = try blaming(field, unlessOf: .curve) {
            try job.clip(MediaCatalogue(holding: source))
        }
        return try sample.map { range in
            try blaming(.sample) { try clip.playing(from: range.start, to: range.end) }
        } ?? clip
    }

    /// The start of the output frame that is shown at an output time, so that a sample has the frames of the whole
    /// render.
    private func frameStart(before time: RationalTime, of source: MediaSource) throws
        -> RationalTime
    {
        let settings = try settings(for: source)
        guard case .fixed(let rate)? = source.videoFormat.map(settings.video.outputRate(of:)) else {
            return time
        }
        let frame = (time.seconds * rate.framesPerSecond + Tolerance.stated).rounded(.down)
        return try rate.frameDuration.multiplied(by: Int64(max(0, frame)), over: 1)
    }

    /// What is shown of the source, all of it.
    ///
    /// - Parameter name: the name of the clip; nil for its file's.
    func segment(of source: MediaSource, name: String? = nil) throws -> Segment {
        let part = try blaming(.range) { try usedPart(of: source) }
        let once: Segment
        switch task {
        case .warp:
            let lasting = try fit.map { text in
                try blaming(.fit) { try RationalTime(parsing: text) }
            }
            once = try blaming(field, unlessOf: .curve) {
                try Segment(
                    of: source, range: part, retiming: .curve(usedCurve), lasting: lasting,
                    name: name)
            }
        case .scale:
            once = try blaming(.scale) {
                try Segment(
                    of: source, range: part,
                    lasting: scaled(part?.duration ?? source.duration), name: name)
            }
        case .stretch:
            return try blaming(.stretch) { try stretched(source).segment(named: name) }
        case .reverse:
            once = try blaming(.range) {
                try Segment(of: source, range: part, retiming: .reversed, name: name)
            }
        }
        guard boomerang == true else {
            return once
        }
        return try blaming(.curve) {
            try once.thereAndBack(of: source, at: settings(for: source).video.rate)
        }
    }

    /// The field that determines the duration of the output.
    var field: RenderRequestError.Field {
        switch task {
        case .warp: fit == nil ? .curve : .fit
        case .scale: .scale
        case .stretch: .stretch
        case .reverse: .range
        }
    }

    var usedCurve: Curve {
        curve
            ?? .builtIn(
                .defaultCurve, factor: BuiltInCurve.defaultFactor,
                modifier: BuiltInCurve.defaultModifier)
    }

    private func usedPart(of source: MediaSource) throws -> TimeRange? {
        guard let range, range.start != nil || range.end != nil else {
            return nil
        }
        return try source.part(
            from: try range.start.map { try RationalTime(parsing: $0) },
            to: try range.end.map { try RationalTime(parsing: $0) })
    }

    /// How long a range lasts afterwards.
    private func scaled(_ range: RationalTime) throws -> RationalTime {
        if let duration = scale?.duration {
            return try RationalTime(parsing: duration)
        }
        let number = scale?.factor ?? scale?.speed ?? 1
        guard number > 0, let fraction = DecimalFraction(parsing: Self.text(of: number)) else {
            throw RenderRequestError(message: "The scale must be a number above 0.", field: .scale)
        }
        return scale?.factor != nil || scale?.speed == nil
            ? try range.multiplied(by: fraction.numerator, over: fraction.denominator)
            : try range.multiplied(by: fraction.denominator, over: fraction.numerator)
    }

    private func stretched(_ source: MediaSource) throws -> Stretch {
        guard let anchors = stretch?.anchors else {
            return try Stretch(source, lasting: try stretchedLength(of: source))
        }
        guard anchors.count > 1 else {
            throw RenderRequestError(
                message: "Match the sound of another recording, or press the same instant in both "
                    + "waveforms, at two places or more.", field: .match)
        }
        guard let asset = source.asset else {
            throw RenderRequestError(
                message: "Anchors are set in a recording, and this is an edit.", field: .stretch)
        }
        return try Stretch(
            asset, through: try anchors.map(Self.anchor),
            lasting: try stretch?.duration.map { try RationalTime(parsing: $0) })
    }

    /// An anchor from a pair of seconds, to the nanosecond.
    private static func anchor(_ pair: [Double]) throws -> TimeAnchor {
        guard pair.count == 2, pair.allSatisfy({ abs($0) < 1e9 }) else {
            throw RenderRequestError(
                message: "An anchor is a pair of seconds, in the clip and in the output.",
                field: .stretch)
        }
        let times = try pair.map {
            try RationalTime(seconds: $0, timescale: 1_000_000_000, rounding: .nearest)
        }
        return TimeAnchor(source: times[0], output: times[1])
    }

    private func stretchedLength(of source: MediaSource) throws -> RationalTime {
        if let duration = stretch?.duration {
            return try RationalTime(parsing: duration)
        }
        guard let by = stretch?.by else {
            throw RenderRequestError(
                message: "Say how long the sound should last, or by how much longer.",
                field: .stretch)
        }
        return try source.soundEnd + RationalTime(parsingSigned: by)
    }

    /// Formats a number without an exponent, rounded to nine decimals to hide binary rounding errors.
    static func text(of number: Double) -> String {
        let text = String(format: "%.9f", number)
        let digits = text.reversed().drop { $0 == "0" }
        return String(digits.drop { $0 == "." }.reversed())
    }

    /// The requested render settings.
    ///
    /// - Throws: ``RenderRequestError``.
    func settings(for source: MediaSource) throws -> RenderSettings {
        var settings = RenderSettings()
        guard let rate = RenderSettings.OutputRate(parsing: video?.rate ?? "source") else {
            throw RenderRequestError(
                message: "A frame rate is a number, a fraction such as 30000/1001, source or any.",
                field: .video)
        }
        settings.video.rate = rate
        settings.video.frames = video?.frames ?? .hold
        settings.video.codec = try video?.codec.map { name in
            try Self.known(VideoCodec(rawValue: name), name, .video)
        }
        settings.video.quality = video?.quality
        settings.video.preset = video?.preset
        settings.audio.mode = try usedSound
        settings.audio.tune = try usedTune
        settings.audio.codec = try sound?.codec.map { name in
            try Self.known(AudioCodec(rawValue: name), name, .sound)
        }
        guard sound?.bitRate.map({ (1000...100_000_000).contains($0) }) ?? true else {
            throw RenderRequestError(
                message: "A bit rate is 1 kbit/s to 100 Mbit/s.", field: .sound)
        }
        settings.audio.bitRate = sound?.bitRate
        if task == .stretch {
            settings.video.mode = .besideStretchedSound(of: source)
        }
        return settings
    }

    /// What happens to sound.
    ///
    /// - Throws: ``RenderRequestError`` if the task doesn't support the requested mode.
    var usedSound: RenderSettings.AudioMode {
        get throws {
            let mode = sound?.mode ?? .varispeed
            switch task {
            case .stretch where mode == .keep || mode == .mute:
                throw RenderRequestError(
                    message: "Stretching changes the sound: choose Varispeed or Keep pitch.",
                    field: .sound)
            // Played backwards at normal speed, the pitch doesn't change.
            case .reverse where mode == .keepPitch: return .varispeed
            default: return mode
            }
        }
    }

    /// What the sound is tuned for; music unless its pitch is kept.
    var usedTune: RenderSettings.PitchTune {
        get throws { try usedSound == .keepPitch ? sound?.tune ?? .music : .music }
    }

    private static func known<Codec>(
        _ codec: Codec?, _ name: String, _ field: RenderRequestError.Field
    ) throws -> Codec {
        guard let codec else {
            throw RenderRequestError(
                message: "The codec \"\(name)\" isn't supported.", field: field)
        }
        return codec
    }

    /// The extension of the output's file name.
    ///
    /// - Throws: ``RenderRequestError``.
    func ending(for source: MediaSource) throws -> String {
        let ending = container ?? (source.videoFormat == nil ? "m4a" : "mp4")
        guard let container = Container(rawValue: ending) else {
            throw RenderRequestError(
                message: "Files of type \"\(ending)\" aren't supported.", field: .container)
        }
        return container.rawValue
    }

    /// Runs `body`, and adds to errors the field of the request that caused them.
    ///
    /// - Parameters:
    ///   - field: the field that is blamed.
    ///   - curve: the field that is blamed if the error names a place on the curve.
    func blaming<Result>(
        _ field: RenderRequestError.Field, unlessOf curve: RenderRequestError.Field? = nil,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as RenderRequestError {
            throw error
        } catch let error as CurveError {
            throw RenderRequestError(
                message: error.description, field: error.position == nil ? field : curve ?? field,
                place: error.position)
        } catch let error as MediaError {
            throw RenderRequestError(message: error.sentence, field: field)
        } catch let error as CompositionError {
            let text = error.description
            throw RenderRequestError(
                message: text.prefix(1).uppercased() + text.dropFirst() + ".", field: field)
        } catch let error as TimeError {
            throw RenderRequestError(message: error.description, field: field)
        }
    }
}

extension MediaError {
    /// The reason and the remedy, without the file's path, which means nothing to the page.
    var sentence: String {
        let text = reason + (remedy.map { ". \($0)" } ?? "") + "."
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
