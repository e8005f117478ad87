import Exchange
import Foundation
import TimeWarp

/// The stored record of a clip.
struct MediaRecord: StudioRecord {
    enum Origin: String, Codable, CaseIterable, Sendable {
        case sample, upload, workspace
    }

    /// Whether poster, film strip and waveform have been made.
    enum Analysis: String, Codable, CaseIterable, Sendable {
        case waiting, ready, failed
    }

    struct Strip: Codable, Sendable {
        var count: Int
        var width: Int
        var height: Int
    }

    var id: String
    /// The name that the page shows.
    var name: String
    /// The path relative to the workspace.
    var file: String
    var bytes: Int64
    var added: Date
    var origin: Origin
    var facts: MediaFacts
    var analysis: Analysis
    var strip: Strip?

    var isComposition: Bool { ProjectFormats.all.includes(file) }

    /// Another text whenever the clip's file is another one, for whoever keeps what was made from it.
    var stamp: String { String(Int64(added.timeIntervalSince1970 * 1000), radix: 36) }
}

/// The stored record of a named curve.
struct CurveRecord: StudioRecord {
    var id: String
    var name: String
    /// The content of a curve file (JSON).
    var curve: String
    var changed: Date
}

/// The stored record of a render.
struct RenderRecord: StudioRecord {
    enum State: String, Codable, Sendable, CaseIterable {
        case queued, running, finished, failed, cancelled, interrupted

        /// Whether the render can be queued again.
        var canRunAgain: Bool { [.failed, .cancelled, .interrupted].contains(self) }
    }

    var id: String
    var media: String
    /// The file name for downloads.
    var name: String
    /// The path relative to the workspace.
    var file: String
    var request: JobRequest
    var command: String
    var state: State
    /// The position among the queued renders: renders queued later have larger numbers.
    var turn: Int64
    var created: Date
    var ended: Date?
    var outputDuration: Double
    /// The curve's shape; nil if there is none, or the record is older than pictures.
    var picture: CurvePicture?
    /// The stamp of the clip when it was rendered.
    var mediaStamp: String?
    var bytes: Int64?
    var error: String?
    var report: RenderReport?
}

/// The page's own state (its session), stored so that it is there when the page is opened again.
struct SessionRecord: StudioRecord {
    static let only = "desk"
    var id = SessionRecord.only
    /// JSON that only the page interprets.
    var content: String
}

extension RecordFolder where Record == MediaRecord {
    /// All clips, the newest first.
    func list() -> [MediaRecord] {
        all().sorted { ($0.added, $0.id) > ($1.added, $1.id) }
    }
}

extension RecordFolder where Record == CurveRecord {
    /// All curves, sorted by name.
    func list() -> [CurveRecord] {
        all().sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }
}

extension RecordFolder where Record == RenderRecord {
    /// All renders, the newest first.
    func list() -> [RenderRecord] {
        all().sorted { ($0.created, $0.turn) > ($1.created, $1.turn) }
    }

    /// Takes the next render out of the queue and marks it as running.
    func claimNext() -> RenderRecord? {
        let next = all().filter { $0.state == .queued }.min { $0.turn < $1.turn }
        return next.flatMap { next in
            change(next.id, from: .queued) { $0.state = .running }
        }
    }

    /// Changes a render if it is in the given state.
    ///
    /// - Returns: the changed record; nil if the render was removed, or is in another state.
    func change(
        _ id: String, from state: RenderRecord.State,
        _ change: @Sendable (inout RenderRecord) -> Void
    ) -> RenderRecord? {
        self.change(id) { record in
            guard record.state == state else {
                return false
            }
            change(&record)
            return true
        }
    }
}
