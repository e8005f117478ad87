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
    ///   - number: its place in the edit, from 1, for errors.
    /// - Throws: ``JobError``.
    func segment(of source: MediaSource, name: String, number: Int) throws -> Segment {
        let what = "Clip \(number), \(name)"
        guard self.segment.task(carrying: .both) != nil else {
            throw JobError(
                message: "\(what): Whole clips of an edit are warped, scaled or reversed.",
                field: .media)
        }
        return try JobError.blaming(.curve) {
            let whole = try self.segment.segment(of: source, named: name, at: usedRate)
            let lasts = whole.duration.seconds
            let start = try start.map { try RationalTime(parsing: $0) } ?? .zero
            let end = try end.map { try RationalTime(parsing: $0) } ?? whole.duration
            guard start < end, start.seconds < lasts, end.seconds <= lasts + Self.slack else {
                throw JobError(
                    message: "\(what): It lasts \(Self.text(lasts)) s, and the part from "
                        + "\(Self.text(start.seconds)) s to \(Self.text(end.seconds)) s isn't in it.",
                    field: .range)
            }
            var track = Track()
            try track.append(whole)
            if end.seconds < lasts - Self.slack {
                try track.remove(TimeRange(start: end, end: whole.duration))
            }
            if start.seconds > Self.slack {
                try track.remove(TimeRange(start: .zero, end: start))
            }
            var segment = track.segments[0]
            segment.blending.dissolve = try dissolve.map { try RationalTime(parsing: $0) } ?? .zero
            return segment
        }
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
    /// The edit as a project.
    ///
    /// - Parameter sources: the clips' files and names, in their order.
    /// - Throws: ``JobError``.
    func project(_ sources: [(source: MediaSource, name: String)]) throws -> CompositionProject {
        guard !sources.isEmpty else {
            throw JobError(message: "An edit needs a clip.", field: .media)
        }
        var track = Track(name: "V1")
        for (index, (clip, (source, name))) in zip(clips, sources).enumerated() {
            let segment = try clip.segment(of: source, name: name, number: index + 1)
            do {
                try track.append(segment)
            } catch let error as CompositionError {
                throw JobError(
                    message: "Clip \(index + 1), \(name): \(error.description).", field: .range)
            }
        }
        try requireHandles(of: track, sources.map(\.name))
        return CompositionProject(Composition(name: name, tracks: [track]), formats: .all)
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
