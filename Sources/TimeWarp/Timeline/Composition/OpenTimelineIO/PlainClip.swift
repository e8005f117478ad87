import TimeMaps

/// What a clip of a timeline says to any program: a file, a range and a constant speed.
///
/// Its range's duration is how long it lasts on its track; its start is the earliest instant that
/// is shown, also where it plays backwards; the speed says how much of the file that takes.
/// The file's own range may begin with a timecode, from which the clip's times then count.
struct PlainClip {
    /// As the timeline names it.
    let url: String
    let name: String
    /// In asset time.
    let start: RationalTime
    /// On the track.
    let duration: RationalTime
    /// Source seconds for every output second; negative plays backwards, 0 holds.
    let speed: Double
    /// What the timeline says the file holds, in asset time from 0.
    let available: RationalTime?
    /// The instant of the timeline's times that is the file's first.
    let zero: RationalTime
    /// Effects that aren't about time, or that aren't known.
    let otherEffects: [String]

    /// - Throws: ``CompositionError`` when it names no file, or its times are none.
    init(
        _ item: OTIOObject, mediaDuration: (String) throws -> RationalTime = Self.unknownDuration
    ) throws {
        guard let reference = item.activeReference, let url = reference.targetURL, !url.isEmpty
        else {
            throw CompositionError(.unsupported, "it names no file")
        }
        self.url = url
        name = item.name ?? ""
        zero = try reference.availableRange?.startTime.time ?? .zero
        available = try reference.availableRange?.duration.time
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
            throw CompositionError(.unsupported, "a speed of \(speed) is none")
        }
        self.speed = speed
        otherEffects = others
    }

    /// Files are asked for only where a timeline leaves something out.
    static func unknownDuration(_ media: String) throws -> RationalTime {
        throw CompositionError.invalid("its length is not known")
    }

    /// What it says, to be compared later.
    var written: OTIOOurs.Written {
        OTIOOurs.Written(
            media: url, start: start.exactText, duration: duration.exactText, speed: speed)
    }

    /// The clip as a segment of a track.
    ///
    /// - Throws: ``CompositionError`` or ``TimeError`` when there is no such segment.
    func segment(mediaDuration: (String) throws -> RationalTime) throws -> Segment {
        let media = MediaLocation.path(ofURL: url)
        guard speed != 0 else {
            let range = try TimeRange(start: .zero, end: available ?? mediaDuration(media))
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
    /// Decimal where that is exact, else a fraction; with a sign where it is negative.
    fileprivate var exactText: String {
        value < 0 ? "\(self)" : FileTime(time: self).text
    }
}

extension OTIOObject {
    /// Where the clip's picture and sound come from.
    var activeReference: OTIOObject? {
        guard let references = mediaReferences else {
            return mediaReference
        }
        return references[activeMediaReferenceKey ?? "DEFAULT_MEDIA"]
    }

    /// `the effect "Blur"`, by its name or its schema.
    var described: String {
        let words = [name, effectName].compactMap { $0 }.first { !$0.isEmpty } ?? schema
        return "\"\(words)\" (\(schema))"
    }
}
