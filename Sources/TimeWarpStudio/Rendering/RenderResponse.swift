import Foundation
import TimeWarp

/// The JSON that describes a render to the page.
struct RenderResponse: Codable, Sendable, SchemaNamed {
    static let schemaName = "Render"

    let id: String
    let media: String
    let mediaStamp: String?
    let name: String
    let job: JobFile
    /// The clip that the sound was compared with.
    let reference: String?
    let state: RenderRecord.State
    /// Its position in the queue, from 1; nil unless it is queued.
    let position: Int?
    let created: Date
    let ended: Date?
    let command: String
    let progress: RenderProgress?
    let outputDuration: Double
    /// The curve's shape; nil if there is none.
    let picture: CurvePicture?
    let bytes: Int64?
    let error: String?
    let report: RenderReport?
    /// Whether the workspace has the record as it is here. Otherwise, as on a full disk, it is written later.
    let isRecorded: Bool

    init(
        _ record: RenderRecord, position: Int?, progress: RenderProgress?, isRecorded: Bool
    ) {
        id = record.id
        media = record.media
        mediaStamp = record.mediaStamp
        name = record.name
        var job = record.request.job
        job.output.path = record.name
        self.job = job
        reference = record.request.reference
        state = record.state
        self.position = position
        created = record.created
        ended = record.ended
        command = record.command
        self.progress = progress
        outputDuration = record.outputDuration
        picture = record.picture
        bytes = record.bytes
        error = record.error
        report = record.report
        self.isRecorded = isRecorded
    }
}

/// The event with the progress of a render.
struct ProgressEvent: Codable {
    let id: String
    let progress: RenderProgress

    private enum Key: String, CodingKey {
        case id
    }

    init(id: String, progress: RenderProgress) {
        (self.id, self.progress) = (id, progress)
    }

    init(from decoder: any Decoder) throws {
        progress = try RenderProgress(from: decoder)
        id = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .id)
    }

    func encode(to encoder: any Encoder) throws {
        try progress.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
    }
}

/// The event with a preview of the frame that is being written.
struct PreviewEvent: Codable {
    let id: String
    let outputSeconds: Double
    let width: Int
    let height: Int
    /// A `data:` URL with a PNG.
    let image: String

    init(_ id: String, _ preview: PreviewImage) throws {
        self.id = id
        outputSeconds = preview.outputSeconds
        width = preview.width
        height = preview.height
        image = "data:image/png;base64," + Data(try preview.png()).base64EncodedString()
    }
}

extension StudioEvents.Kind<RenderResponse> {
    static var render: Self { Self(name: "render") }
}

extension StudioEvents.Kind<ProgressEvent> {
    static var progress: Self { Self(name: "progress") }
}

extension StudioEvents.Kind<PreviewEvent> {
    static var preview: Self { Self(name: "preview") }
}
