import Foundation
import TimeMaps
import TimeWarp

extension MLTReader {
    /// The markers of Shotcut and the guides of Kdenlive.
    mutating func markers(of main: XMLItem) throws -> [TimelineMarker] {
        let own = main.all("properties").first { $0["name"] == "shotcut:markers" }
        var found: [TimelineMarker] = try (own?.all("properties") ?? []).compactMap { item in
            try bounds.visit()
            guard let at = item.property("start").flatMap({ clock.frames($0) }) else {
                return nil
            }
            let colour = item.property("color").flatMap(Self.colour)
            return TimelineMarker(
                name: item.property("text") ?? "", at: try grid.time(max(0, at.rounded())),
                colour: colour)
        }
        let places = [root] + root.all("playlist") + [main]
        for place in places {
            for key in ["kdenlive:docproperties.guides", "kdenlive:sequenceproperties.guides"] {
                for guide in try MLTGuides.read(place.property(key), grid) {
                    try bounds.visit()
                    found.append(TimelineMarker(name: guide.name, at: guide.at))
                }
            }
        }
        return found
    }

    /// The name of a colour, or else its `#rrggbb`; nil for Shotcut's usual one.
    private static func colour(_ text: String) -> String? {
        text == MLTWriter.usualColour ? nil : MarkerColour(text)?.rawValue ?? text
    }
}

/// Markers of Kdenlive, which are JSON.
enum MLTGuides {
    private struct Guide: Decodable {
        let comment: String?
        let pos: Double
    }

    static func read(
        _ text: String?, _ grid: FrameGrid
    ) throws -> [(name: String, at: RationalTime)] {
        guard let text, let guides = try? JSONDecoder().decode([Guide].self, from: Data(text.utf8))
        else {
            return []
        }
        return try guides.filter { (0..<1e9).contains($0.pos) }.map {
            ($0.comment ?? "", try grid.time($0.pos.rounded()))
        }
    }
}
