import TimeMaps
import TimeWarp

/// What every program understands of a clip: a file, a range and a constant speed.
///
/// The duration of the clip's range is its duration on the track. The start of the range is the earliest
/// instant that is presented, even if the clip plays backwards. The speed says how much of the file the clip
/// takes. The file's own range may begin at a timecode; the clip's times then count from there.
struct OTIOClip {
    /// The file's path or URL, as in the timeline.
    let url: String
    let name: String
    /// From time on the track, which counts from the clip's start, to asset time.
    let points: [TimeAnchor]
    /// The duration of the file, if the timeline says it.
    let available: RationalTime?
    /// The time in the timeline that stands for the file's first instant.
    let zero: RationalTime
    /// Whether what the timeline says of the file's own range is no range, so that it doesn't count.
    let hasBrokenRange: Bool
    /// Descriptions of effects that are unknown or don't change time.
    let otherEffects: [String]
    /// The values of the clip, to compare them later.
    let written: OTIOOurs.Written

    var media: String { MediaLocation.path(ofURL: url) }

    /// The clip without its markers.
    var clip: TimelineClip {
        get throws { try TimelineClip(media, name: name, points: points) }
    }

    /// Reads a clip.
    ///
    /// - Throws: ``CompositionError`` if it names no file or its times are invalid, ``TimeError`` if one can't be represented.
    init(
        _ item: OTIOObject,
        mediaDuration: (String) throws -> RationalTime = { _ in
            throw CompositionError.invalid("its length is not known")
        }
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
        let (start, duration): (RationalTime, RationalTime)
        if let range = item.sourceRange {
            (start, duration) = try (range.startTime.time - zero, range.duration.time)
        } else {
            start = .zero
            duration = try available ?? mediaDuration(MediaLocation.path(ofURL: url))
        }
        let (speed, others) = try item.timing
        otherEffects = others
        points = try Self.points(from: start, lasting: duration, at: speed)
        written = OTIOOurs.Written(
            media: url, start: start.exactText, duration: duration.exactText, speed: speed)
    }

    /// The points of something that plays at a constant speed.
    ///
    /// - Parameters:
    ///   - start: the earliest instant of its own time that is shown.
    ///   - speed: its own seconds for each second on the track: below 0 if it plays backwards, 0 if it holds.
    static func points(
        from start: RationalTime, lasting duration: RationalTime, at speed: Double
    ) throws -> [TimeAnchor] {
        let end = try start.sum(duration.times(abs(speed)))
        return [
            TimeAnchor(source: speed < 0 ? end : start, output: .zero),
            TimeAnchor(source: speed < 0 ? start : end, output: duration),
        ]
    }

    /// The points of a row of clips of one file. Where the file's time jumps between two of them, a steep line leads from one
    /// to the other.
    static func points(
        ofRow clips: [OTIOClip], lasting duration: RationalTime
    ) throws -> [TimeAnchor] {
        var points: [TimeAnchor] = []
        var start = RationalTime.zero
        for line in clips.map(\.points) {
            let end = try start.sum(line[1].output)
            if let last = points.last?.source.seconds {
                if abs(last - line[0].source.seconds) > TimelineClip.unnoticed {
                    let soon = try line[1].output.multiplied(by: 1, over: 1000)
                    points.append(
                        TimeAnchor(
                            source: try StraightLine(line[0], line[1]).source(at: soon),
                            output: try start.sum(soon)))
                }
            } else {
                points.append(line[0])
            }
            points.append(TimeAnchor(source: line[1].source, output: end))
            start = end
        }
        // The sum of many durations may be rounded.
        if let last = points.popLast() {
            points.append(TimeAnchor(source: last.source, output: duration))
        }
        return points
    }
}

extension RationalTime {
    /// A decimal number if that is exact, else a fraction; with a sign if it is negative.
    fileprivate var exactText: String {
        value < 0 ? "\(self)" : FileTime(time: self).text
    }
}

extension OTIOObject {
    /// The speed that its effects give it, and descriptions of those that don't.
    ///
    /// - Throws: ``TimeError`` if there is no such speed.
    var timing: (speed: Double, otherEffects: [String]) {
        get throws {
            var speed = 1.0
            var others: [String] = []
            for effect in effects ?? [] where effect.isEnabled {
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
                throw TimeError.malformed("a speed of \(speed) is impossible")
            }
            return (speed, others)
        }
    }

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
