import Foundation
import GRDB
import TimeWarp

/// A clip, as the database has it.
struct MediaRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "media"

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
struct CurveRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "curve"

    var id: String
    var name: String
    /// A curve file's content.
    var curve: String
    var changed: Date
}

/// A render, as the database has it.
struct RenderRecord: Codable, Sendable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "render"

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
    var order: Order
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
