import TimeWarp

/// A clip of an edit: how it is retimed on its own, and which part of the result is used.
struct EditClip: Codable, Sendable, SchemaNamed {
    static let schemaName = "EditClip"

    /// The retimed clip. Its media is the clip's identity in the library.
    let segment: FileClip
    /// The frame rate for which the page knows its length, as in a job; it decides where a clip turns that is played there and
    /// back. Nil for the source's.
    let rate: String?
    /// Where the used part begins and ends, in the retimed clip's own time, written as on the command line; nil for
    /// its start and its end.
    var start: String?
    var end: String?
    /// For how long it dissolves with the clip before, or a sound of its own fades in; nil for a cut.
    var dissolve: String?
    /// For how long a sound of its own fades out; nil for a cut.
    var fadeOut: String?
    /// How long the whole retimed clip lasts, in seconds, as the page knows it.
    var whole: Double?
    /// When it begins in the edit, for a sound of its own; nil for the edit's start.
    var at: String?
    /// How much louder it is, in dB, from -96 (silence) to 24; nil for 0.
    var gain: Double?

    private enum EarlierKey: String, CodingKey {
        case request
    }

    init(from decoder: any Decoder) throws {
        let earlier = try decoder.container(keyedBy: EarlierKey.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let request =
            decoder.userInfo[.isRecord] == nil
            ? nil : try earlier.decodeIfPresent(EarlierRequest.self, forKey: .request)
        segment = try request?.job.clip ?? container.decode(FileClip.self, forKey: .segment)
        rate = try request?.rate ?? container.decodeIfPresent(String.self, forKey: .rate)
        start = try container.decodeIfPresent(String.self, forKey: .start)
        end = try container.decodeIfPresent(String.self, forKey: .end)
        dissolve = try container.decodeIfPresent(String.self, forKey: .dissolve)
        fadeOut = try container.decodeIfPresent(String.self, forKey: .fadeOut)
        whole = try container.decodeIfPresent(Double.self, forKey: .whole)
        at = try container.decodeIfPresent(String.self, forKey: .at)
        gain = try container.decodeIfPresent(Double.self, forKey: .gain)
    }
}

/// The stored record of an edit: several clips in a row, and sounds that are heard with them. Its identity is that of the clip that it is in the library.
struct EditRecord: StudioRecord, SchemaNamed {
    static let schemaName = "KeptEdit"

    var id: String
    var name: String
    var clips: [EditClip]
    /// Music and other sounds, each at a time of its own; nil if there are none.
    var sounds: [EditClip]?
    /// How often it was saved; nil if that was before edits had versions.
    var version: Int?
}
