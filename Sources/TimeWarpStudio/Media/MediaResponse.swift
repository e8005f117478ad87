import Foundation

/// The JSON that describes a clip to the page.
struct MediaResponse: Codable, Sendable, SchemaNamed {
    static let schemaName = "Media"

    let id: String
    let name: String
    /// Its path relative to the workspace.
    let file: String
    let bytes: Int64
    let added: Date
    let stamp: String
    let origin: MediaRecord.Origin
    let duration: Double
    let format: String
    let video: MediaFacts.Video?
    let audio: MediaFacts.Audio?
    let analysis: MediaRecord.Analysis
    let strip: MediaRecord.Strip?

    init(_ record: MediaRecord) {
        id = record.id
        name = record.name
        file = record.file
        bytes = record.bytes
        added = record.added
        stamp = record.stamp
        origin = record.origin
        duration = record.facts.duration
        format = record.facts.format
        video = record.facts.video
        audio = record.facts.audio
        analysis = record.analysis
        strip = record.strip
    }
}

extension StudioEvents.Kind<MediaResponse> {
    static var media: Self { Self(name: "media") }
}
