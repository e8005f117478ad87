/// A clip of an edit: what was asked of it on its own, and which part of the result is used.
struct EditClip: Codable, Sendable, Hashable {
    /// How the clip is retimed; its settings for video, sound and output don't matter here.
    var request: RenderRequest
    /// Where the used part begins and ends, in the retimed clip's own time, written as on the command line; nil for
    /// its start and its end.
    var start: String?
    var end: String?
    /// For how long it dissolves with the clip before; nil for a cut.
    var dissolve: String?
    /// How long the whole retimed clip lasts, in seconds, as the page knows it.
    var whole: Double?
}

/// The stored record of an edit: several clips in a row. Its identity is that of the clip that it is in the library.
struct EditRecord: StudioRecord {
    var id: String
    var name: String
    var clips: [EditClip]
    /// How often it was saved; nil if that was before edits had versions.
    var version: Int?
}
