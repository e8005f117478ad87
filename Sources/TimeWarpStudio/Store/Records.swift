import Foundation
import TimeWarp

/// A clip, as it is kept.
struct MediaRecord: StudioRecord {
    enum Origin: String, Codable, Sendable {
        case sample, upload, workspace
    }

    /// Poster, strip and waveform.
    enum Analysis: String, Codable, Sendable {
        case waiting, ready, failed
    }

    /// How a browser plays it: the file itself, or a copy that is made for that.
    enum Playback: String, Codable, Sendable {
        case direct, waiting, proxy, failed
    }

    struct Strip: Codable, Sendable {
        var count: Int
        var width: Int
        var height: Int
    }

    var id: String
    /// As people see it.
    var name: String
    /// From the workspace on.
    var file: String
    var bytes: Int64
    var added: Date
    var origin: Origin
    var facts: MediaFacts
    var analysis: Analysis
    var strip: Strip?
    var playback: Playback
}

/// A curve that was given a name.
struct CurveRecord: StudioRecord {
    var id: String
    var name: String
    /// A curve file's content.
    var curve: String
    var changed: Date
}

/// A render, as it is kept.
struct RenderRecord: StudioRecord {
    enum State: String, Codable, Sendable, CaseIterable {
        case queued, running, finished, failed, cancelled, interrupted

        /// Whether it can be put into the queue once more.
        var canRunAgain: Bool { [.failed, .cancelled, .interrupted].contains(self) }
    }

    var id: String
    var media: String
    /// What its file is called when it is downloaded.
    var name: String
    /// From the workspace on.
    var file: String
    var order: RenderRequest
    var command: String
    var state: State
    /// Where it stands among the queued ones; those that were asked for later have larger numbers.
    var turn: Int64
    var created: Date
    var ended: Date?
    var outputDuration: Double
    var bytes: Int64?
    var error: String?
    var report: RenderReport?
}

/// What the page left here.
struct DeskRecord: StudioRecord {
    static let only = "desk"
    var id = DeskRecord.only
    /// JSON, which only the page understands.
    var content: String
}

extension RecordFolder where Record == MediaRecord {
    /// The newest first.
    func list() -> [MediaRecord] {
        all().sorted { ($0.added, $0.id) > ($1.added, $1.id) }
    }

    /// Notes what was made of a clip: poster and the like, and a playable copy, which are made side by
    /// side.
    ///
    /// - Returns: all that is known of it; nil when it is gone.
    func note(_ made: MediaRecord) throws -> MediaRecord? {
        try change(made.id) { record in
            if made.analysis != .waiting {
                (record.analysis, record.strip) = (made.analysis, made.strip)
            }
            if made.playback != .waiting {
                record.playback = made.playback
            }
            return true
        }
    }
}

extension RecordFolder where Record == CurveRecord {
    /// By name.
    func list() -> [CurveRecord] {
        all().sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }
}

extension RecordFolder where Record == RenderRecord {
    /// The newest first.
    func list() -> [RenderRecord] {
        all().sorted { ($0.created, $0.turn) > ($1.created, $1.turn) }
    }

    /// Takes the render whose turn is next out of the queue: nobody else gets it.
    func claimNext() throws -> RenderRecord? {
        let next = all().filter { $0.state == .queued }.min { $0.turn < $1.turn }
        return try next.flatMap { next in
            try change(next.id) { record in
                record.state = .running
                return true
            }
        }
    }

    /// Changes a render that is in a state.
    ///
    /// - Returns: what it is now; nil when it is gone, or in another state.
    func change(
        _ id: String, from state: RenderRecord.State,
        _ change: @Sendable (inout RenderRecord) -> Void
    ) throws -> RenderRecord? {
        try self.change(id) { record in
            guard record.state == state else {
                return false
            }
            change(&record)
            return true
        }
    }
}
