import Foundation
import Media
import RandomCompositions
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// A format of other programs, as an argument of tests.
struct TestFormat: Sendable, CustomStringConvertible {
    let format: any ExchangeFormat

    var description: String { format.extensions[0] }

    static let all = ProjectFormats.others.map(TestFormat.init)

    static func named(_ name: String) -> TestFormat {
        guard let format = all.first(where: { $0.format.extensions.contains(name) }) else {
            preconditionFailure("there is no format \(name)")
        }
        return format
    }

    /// What is known of the files of random compositions, none of which exists.
    static var media: ProjectMedia {
        ProjectMedia(
            duration: RandomCompositions.length,
            location: { $0.hasPrefix("/") ? $0 : "/media/" + $0 },
            open: { throw MediaError(.noInput, file: $0, reason: "it is a test's") })
    }

    func read(_ file: Data) throws -> ReadProject {
        try format.read(file, Self.media)
    }

    func read(_ text: String) throws -> ReadProject {
        try read(Data(text.utf8))
    }

    func write(
        _ composition: Composition, _ settings: ProjectSettings = ProjectSettings()
    ) throws -> (file: Data, notes: [String]) {
        try format.write(composition, settings, Self.media)
    }

    /// The composition, written in this format and read again, and the notes of both.
    func copy(_ composition: Composition) throws -> (composition: Composition, notes: [String]) {
        let written = try write(composition)
        let read = try read(written.file)
        return (read.composition, written.notes + read.notes)
    }
}

/// What a track shows or plays when, by maps that are made once.
struct ShownTrack {
    private let clips: [(range: TimeRange, file: String, start: Double, map: TimeMap)]

    init(_ track: Track) throws {
        clips = try track.placed.compactMap { placed in
            try placed.segment.clip.map { clip in
                let file = (clip.media as NSString).lastPathComponent.removingPercentEncoding
                let map = try placed.segment.timeMap()
                return (placed.range, file ?? "", clip.range.start.seconds, map)
            }
        }
    }

    /// The file's name and the instant of the file; nil in a gap.
    func shown(at time: RationalTime) -> (file: String, at: Double)? {
        clips.first { $0.range.contains(time) }.map { clip in
            let at = clip.map.sourceTime(at: time.seconds - clip.range.start.seconds)
            return (clip.file, clip.start + at)
        }
    }
}

extension Composition {
    /// The tracks with clips that carry this.
    func tracks(carrying content: Track.Content) -> [Track] {
        tracks.filter {
            ($0.carries == content || $0.carries == .both) && !$0.segments.allSatisfy(\.isGap)
        }
    }
}

// MARK: - In words

extension Composition {
    /// Each track as a line, such as `both: gap 1 | a.mp4 0...2 | a.mp4 4...3 in 2`.
    ///
    /// A clip is the asset times at its start and end, and how long it lasts if that isn't the same; a bent one has all its
    /// points as `output:source`.
    var outline: [String] {
        get throws {
            try tracks.map { track in
                let segments = try track.segments.map { try $0.outline }
                return "\(track.carries.rawValue): " + segments.joined(separator: " | ")
            }
        }
    }
}

extension Segment {
    fileprivate var outline: String {
        get throws {
            guard let clip else {
                return "gap \(duration.short)"
            }
            var text = (clip.media as NSString).lastPathComponent
            let first = clip.range.start
            func absolute(_ source: RationalTime) throws -> String { try (first + source).short }
            switch clip.retiming {
            case .uniform:
                text += " \(first.short)...\(clip.range.end.short)"
                text += clip.range.duration == duration ? "" : " in \(duration.short)"
            case .reversed:
                text += " \(clip.range.end.short)...\(first.short)"
                text += clip.range.duration == duration ? "" : " in \(duration.short)"
            case .frozen(let at):
                text += " held at \(at.short) for \(duration.short)"
            case .timeMap(let map):
                let points = try map.points.map { "\($0.output.short):\(try absolute($0.source))" }
                text += " " + points.joined(separator: " ")
            case .curve:
                text += " curve"
            case .thereAndBack(_, let turn):
                text += " turns at \(turn?.short ?? "its end")"
            }
            if blending.dissolve > .zero {
                text += ", dissolve \(blending.dissolve.short)"
            }
            if blending.fadeOut > .zero {
                text += ", fade out \(blending.fadeOut.short)"
            }
            let gain = blending.gain.keyframes.map { "\($0.at.short):\($0.decibels)" }
            if blending.gain != .unity {
                text += ", dB " + gain.joined(separator: " ")
            }
            for marker in markers {
                text += ", \"\(marker.name)\" at \(marker.at.short)"
                text += marker.duration > .zero ? " for \(marker.duration.short)" : ""
            }
            return text
        }
    }
}

extension RationalTime {
    /// Seconds with at most four decimals.
    fileprivate var short: String {
        let rounded = (seconds * 1e4).rounded() / 1e4
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
