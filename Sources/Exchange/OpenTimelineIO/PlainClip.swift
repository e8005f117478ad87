import TimeMaps
import TimeWarp

/// What every program understands of a clip: a file, a range and a constant speed.
///
/// The duration of the clip's range is its duration on the track. The start of the range is the earliest
/// instant that is presented, even if the clip plays backwards. The speed says how much of the file the clip
/// takes. The file's own range may begin at a timecode; the clip's times then count from there.
struct PlainClip {
    /// The file's path or URL, as in the timeline.
    let url: String
    let name: String
    /// The earliest instant that is presented, in asset time.
    let start: RationalTime
    /// The duration on the track.
    let duration: RationalTime
    /// Source seconds for each output second: negative if it plays backwards, 0 for a freeze frame.
    let speed: Double
    /// The duration of the file, if the timeline says it.
    let available: RationalTime?
    /// The time in the timeline that stands for the file's first instant.
    let zero: RationalTime
    /// Whether what the timeline says of the file's own range is no range, so that it doesn't count.
    let hasBrokenRange: Bool
    /// Descriptions of effects that are unknown or don't change time.
    let otherEffects: [String]

    /// Reads a clip.
    ///
    /// - Throws: ``CompositionError`` if it names no file or its times are invalid.
    init(
        _ item: OTIOObject, mediaDuration: (String) throws -> RationalTime = Self.unknownDuration
    ) throws {
        guard let reference = item.activeReference, let url = item.mediaName else {
            throw CompositionError(.unsupported, "it names no file")
        }
        self.url = url
        name = item.name ?? ""
        let stated = reference.usableRange
        hasBrokenRange = reference.availableRange != nil && stated == nil
        zero = stated?.start ?? .zero
        available = stated.flatMap { $0.duration > .zero ? $0.duration : nil }
        if let range = item.sourceRange {
            start = try range.startTime.time - zero
            duration = try range.duration.time
        } else {
            start = .zero
            duration = try available ?? mediaDuration(MediaLocation.path(ofURL: url))
        }
        var speed = 1.0
        var others: [String] = []
        for effect in item.effects ?? [] where effect.isEnabled {
            switch effect.kindOfSchema {
            case "LinearTimeWarp" where effect.timeScalar != nil:
                speed *= effect.timeScalar ?? 1
            case "FreezeFrame":
                speed = 0
            default:
                others.append(effect.described)
            }
        }
        guard speed.isFinite else {
            throw CompositionError(.unsupported, "a speed of \(speed) is impossible")
        }
        self.speed = speed
        otherEffects = others
    }

    /// Throws an error. It is the default for clips that say their duration themselves.
    static func unknownDuration(_ media: String) throws -> RationalTime {
        throw CompositionError.invalid("its length is not known")
    }

    /// The values of the clip, to compare them later.
    var written: OTIOOurs.Written {
        OTIOOurs.Written(
            media: url, start: start.exactText, duration: duration.exactText, speed: speed)
    }

    /// The clip as a segment of a track.
    ///
    /// - Parameter fileDuration: how long a file lasts; nil if that can't be found out.
    /// - Throws: ``CompositionError`` or ``TimeError`` if no segment can be made.
    func segment(fileDuration: (String) -> RationalTime?) throws -> Segment {
        let media = MediaLocation.path(ofURL: url)
        guard speed != 0 else {
            let range =
                try (available ?? fileDuration(media)).map {
                    try TimeRange(start: .zero, end: $0)
                } ?? TimeRange(start: start, duration: FrameGrid.usual.rate.frameDuration)
            return try Segment(
                PlacedClip(media, range: range, retiming: .frozen(at: start), name: name),
                lasting: duration)
        }
        let length = try Self.product(duration, abs(speed))
        return try Segment(
            PlacedClip(
                media, range: TimeRange(start: start, duration: length),
                retiming: speed < 0 ? .reversed : .uniform, name: name),
            lasting: duration)
    }

    private static func product(_ time: RationalTime, _ factor: Double) throws -> RationalTime {
        if let factor = RationalTime.simplestFraction(of: factor),
            let product = ExactFraction(time).times(ExactFraction(factor))?.time
        {
            return product
        }
        return try RationalTime(fine: time.seconds * factor)
    }
}

extension RationalTime {
    /// A decimal number if that is exact, else a fraction; with a sign if it is negative.
    fileprivate var exactText: String {
        value < 0 ? "\(self)" : FileTime(time: self).text
    }
}

extension OTIOObject {
    /// The file's own range; nil if the timeline doesn't say it, or what it says isn't one.
    var usableRange: TimeRange? {
        availableRange.flatMap { try? TimeRange(reading: $0) }
    }

    /// The reference to the clip's media file.
    var activeReference: OTIOObject? {
        guard let references = mediaReferences else {
            return mediaReference
        }
        return references[activeMediaReferenceKey ?? "DEFAULT_MEDIA"]
    }

    /// Whether it is said that the clip's media file is missing, and not which one it is.
    var isPlaceholder: Bool {
        activeReference?.kindOfSchema == "MissingReference"
            && activeReference?.targetURL?.isEmpty != false
    }

    /// The path or URL of the clip's media file; the name of a placeholder, by which a file may be found. Nil if there is none.
    var mediaName: String? {
        (isPlaceholder ? name : activeReference?.targetURL).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The effect's name, or else its schema, and its schema in brackets: `"Blur" (Effect.1)`.
    var described: String {
        let words = [name, effectName].compactMap { $0 }.first { !$0.isEmpty } ?? schema
        return "\"\(words)\" (\(schema))"
    }
}
