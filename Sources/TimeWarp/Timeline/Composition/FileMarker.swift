import TimeMaps

/// A marker of an edit file.
struct FileMarker: Codable {
    let marker: Marker

    private enum Key: String, CodingKey {
        case name, at, duration, comment, colour
    }

    init(_ marker: Marker) {
        self.marker = marker
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try container.decode(String.self, forKey: .name)
        let at = try container.decode(FileTime.self, forKey: .at).time
        let duration = try container.decodeIfPresent(FileTime.self, forKey: .duration)?.time
        let comment = try container.decodeIfPresent(String.self, forKey: .comment)
        let colour = try container.decodeIfPresent(String.self, forKey: .colour)
        marker = try Marker(
            name, at: at, lasting: duration ?? .zero, comment: comment, colour: colour)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(marker.name, forKey: .name)
        try container.encode(FileTime(time: marker.at), forKey: .at)
        if marker.duration > .zero {
            try container.encode(FileTime(time: marker.duration), forKey: .duration)
        }
        try container.encodeIfPresent(marker.comment, forKey: .comment)
        try container.encodeIfPresent(marker.colour, forKey: .colour)
    }
}
