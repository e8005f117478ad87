import Foundation
import Media
import TimeMaps
import TimeWarp

extension EditClip {
    /// Times that differ by less than this, in seconds, are the same: the page counts in microseconds.
    private static let slack = 2e-5

    /// The clip as a segment of a track, with as much of its media at both ends as dissolves may need.
    ///
    /// - Parameters:
    ///   - name: the clip's name.
    ///   - what: the clip and its place in the edit, for errors.
    ///   - carried: what of it is seen or heard.
    ///   - most: how long it lasts at most, above 0; nil for as long as it is.
    /// - Throws: ``JobError``.
    func segment(
        of source: MediaSource, name: String, _ what: String, carrying carried: Track.Content,
        lasting most: RationalTime? = nil
    ) throws -> Segment {
        let isSound = carried == .sound && self.segment.task(carrying: .sound) != nil
        guard isSound || self.segment.task(carrying: .both) != nil else {
            throw JobError(
                message: "\(what): Whole clips of an edit are warped, scaled or reversed.",
                field: .media)
        }
        return try JobError.blaming(.curve) {
            let whole = try self.segment.segment(
                of: source, named: name, carrying: carried, at: usedRate)
            let lasts = whole.duration.seconds
            let start = try start.map { try RationalTime(parsing: $0) } ?? .zero
            let end = try end.map { try RationalTime(parsing: $0) } ?? whole.duration
            guard start < end, start.seconds < lasts, end.seconds <= lasts + Self.slack else {
                throw JobError(
                    message: "\(what): It lasts \(Self.text(lasts)) s, and the part from "
                        + "\(Self.text(start.seconds)) s to \(Self.text(end.seconds)) s isn't in it.",
                    field: .range)
            }
            let cut = try most.map { min(end, try start.sum($0)) } ?? end
            var track = Track()
            try track.append(whole)
            if cut.seconds < lasts - Self.slack {
                try track.remove(TimeRange(start: cut, end: whole.duration))
            }
            if start.seconds > Self.slack {
                try track.remove(TimeRange(start: .zero, end: start))
            }
            var segment = track.segments[0]
            segment.blending.dissolve = try dissolve.map { try RationalTime(parsing: $0) } ?? .zero
            segment.blending.gain = try Gain(decibels: gain ?? 0)
            if carried == .sound {
                try fade(&segment)
            }
            return segment
        }
    }

    /// Has a sound fade in and out, within as long as it lasts.
    private func fade(_ segment: inout Segment) throws {
        let whole = segment.duration
        let rise = min(segment.blending.dissolve, whole)
        let fall = try fadeOut.map { try RationalTime(parsing: $0) } ?? .zero
        segment.blending.dissolve = rise
        segment.blending.fadeOut = min(fall, try whole.difference(rise))
    }

    private var usedRate: RenderSettings.OutputRate {
        get throws {
            guard let rate = RenderSettings.OutputRate(parsing: rate ?? "source") else {
                throw JobError(message: "\(rate ?? "") is no frame rate.", field: .video)
            }
            return rate
        }
    }

    /// Seconds with up to three decimals.
    static func text(_ seconds: Double) -> String {
        DecimalFraction(rounding: (seconds * 1000).rounded() / 1000)?.text ?? "\(seconds)"
    }
}

extension EditRecord {
    /// The clips, and then the sounds.
    var all: [EditClip] { clips + (sounds ?? []) }

    /// The edit as a project.
    ///
    /// - Parameter sources: the files and names of ``all`` clips, in their order.
    /// - Throws: ``JobError``.
    func project(_ sources: [(source: MediaSource, name: String)]) throws -> CompositionProject {
        guard !clips.isEmpty else {
            throw JobError(message: "An edit needs a clip.", field: .media)
        }
        var track = Track(name: "V1")
        for (index, (clip, (source, name))) in zip(clips, sources).enumerated() {
            let segment = try clip.segment(
                of: source, name: name, "Clip \(index + 1), \(name)", carrying: .both)
            do {
                try track.append(segment)
            } catch let error as CompositionError {
                throw JobError(
                    message: "Clip \(index + 1), \(name): \(error.description).", field: .range)
            }
        }
        try requireHandles(of: track, sources.map(\.name))
        let sounds = try soundTracks(
            Array(sources.dropFirst(clips.count)), until: track.duration)
        return CompositionProject(
            Composition(
                name: name, format: Composition.Format(size: size(of: sources.map(\.source))),
                tracks: [track] + sounds), formats: .all)
    }

    /// That of the largest picture, whichever clip comes first; nil if all clips have the same.
    private func size(of sources: [MediaSource]) -> Composition.Size? {
        let sizes = sources.prefix(clips.count).compactMap { MediaFacts($0).video }
            .map { Composition.Size(known: $0.width, height: $0.height) }
        return Set(sizes).count > 1
            ? sizes.max { $0.width * $0.height < $1.width * $1.height } : nil
    }

    /// The tracks of the sounds: as many as are heard at the same time. They end where the video does.
    private func soundTracks(
        _ sources: [(source: MediaSource, name: String)], until end: RationalTime
    ) throws -> [Track] {
        var tracks: [Track] = []
        var placed: [(at: RationalTime, segment: Segment)] = []
        for (index, (clip, (source, name))) in zip(sounds ?? [], sources).enumerated() {
            let at = try JobError.blaming(.range) { try RationalTime(parsing: clip.at ?? "0") }
            guard at < end else {
                continue
            }
            let segment = try clip.segment(
                of: source, name: name, "Sound \(index + 1), \(name)", carrying: .sound,
                lasting: end.difference(at))
            placed.append((at, segment))
        }
        for (at, segment) in placed.sorted(by: { $0.at < $1.at }) {
            // Right after another sound it would dissolve with that one instead of fading in.
            let fadesIn = segment.blending.dissolve > .zero
            let index =
                tracks.firstIndex { fadesIn ? $0.duration < at : $0.duration <= at } ?? tracks.count
            if index == tracks.count {
                tracks.append(Track(name: "A\(index + 2)", carries: .sound))
            }
            if tracks[index].duration < at {
                try tracks[index].append(.gap(lasting: at.difference(tracks[index].duration)))
            }
            try tracks[index].append(segment)
        }
        return tracks
    }

    /// Half of a dissolve lies before the cut and half after it, so both clips need as much more of their media.
    private func requireHandles(of track: Track, _ names: [String]) throws {
        for (index, segment) in track.segments.enumerated().dropFirst() {
            let half = segment.blending.dissolve.seconds / 2
            guard half > 0, let clip = segment.clip,
                let before = track.segments[index - 1].clip
            else {
                continue
            }
            let scale = segment.duration.seconds / clip.window.duration.seconds
            let scaleBefore =
                track.segments[index - 1].duration.seconds / before.window.duration.seconds
            let spare = clip.window.start.seconds * scale
            let spareBefore =
                (before.retimedDuration.seconds - before.window.end.seconds) * scaleBefore
            let lacking =
                spare < spareBefore ? (spare, index, "start") : (spareBefore, index - 1, "end")
            guard lacking.0 >= half - 1e-4 else {
                throw JobError(
                    message: "The dissolve into clip \(index + 1) needs \(EditClip.text(half)) s "
                        + "beyond the \(lacking.2) of clip \(lacking.1 + 1), \(names[lacking.1]), "
                        + "which has \(EditClip.text(lacking.0)) s there. "
                        + "Trim it, or choose a shorter dissolve.", field: .range)
            }
        }
    }
}

extension JobError {
    /// Runs `body`, and says of errors what they say, for the file that they are about.
    static func blamingMedia<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as MediaError {
            throw JobError(message: error.sentence, field: .media)
        }
    }
}
