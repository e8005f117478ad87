import Media
import TimeMaps
import TimeWarp

/// What a clip has besides its content.
extension FCPXMLReader {
    /// - Parameter frame: how long a frame is. A marker that isn't longer marks an instant.
    mutating func addMarkers(
        of item: XMLItem, to clip: inout TimelineClip, _ window: FCPXMLWindow,
        _ frame: RationalTime
    ) throws {
        for child in item.children where ["marker", "chapter-marker"].contains(child.name) {
            try bounds.visit()
            let at = try child.time("start") ?? window.start
            let lasting = try child.time("duration") ?? .zero
            let place = try window.output(ofLocal: at)
            let name = child["value"] ?? ""
            do {
                try clip.addMarker(
                    name, at: place, lasting: lasting > frame ? lasting : .zero,
                    comment: child["note"])
            } catch let error as CompositionError {
                notes.add("The marker \"\(name)\" was dropped: \(error).")
            }
        }
    }

    mutating func noteLost(markersOf item: XMLItem) {
        if item.children.contains(where: { $0.name == "marker" || $0.name == "chapter-marker" }) {
            notes.add("Markers that are on no media file were dropped.")
        }
    }

    mutating func gain(of item: XMLItem, _ window: FCPXMLWindow) -> Gain {
        guard let volume = item.first("adjust-volume") else {
            return .unity
        }
        func decibels(_ text: String?) -> Double? {
            guard let text else {
                return nil
            }
            return Double(text.replacing("dB", with: "")).map(Gain.clamped)
        }
        let frames = volume.deep("keyframeAnimation")?.all("keyframe") ?? []
        var keyframes: [(at: RationalTime, decibels: Double)] = []
        for frame in frames {
            guard let text = frame["time"], let time = try? RationalTime(finalCut: text),
                let at = try? window.output(ofLocal: time), let value = decibels(frame["value"]),
                at >= .zero, at <= window.duration, keyframes.last.map({ $0.at < at }) ?? true
            else {
                continue
            }
            keyframes.append((at, value))
        }
        if keyframes.isEmpty, let constant = decibels(volume["amount"]) {
            keyframes = [(.zero, constant)]
        }
        return (try? Gain(keyframes)) ?? .unity
    }

    mutating func noteEffects(of item: XMLItem) {
        for child in item.children {
            switch child.name {
            case "filter-video", "filter-audio", "filter-video-mask":
                notes.add("The effect \"\(child["name"] ?? child.name)\" was dropped.")
            case "adjust-crop", "adjust-transform", "adjust-blend", "adjust-corners",
                "adjust-stabilization":
                if Self.changes(child) {
                    notes.add("Positions, scales, crops and opacities of frames were dropped.")
                }
            case "adjust-panner":
                notes.add("Panning was dropped.")
            default:
                break
            }
        }
    }

    /// Whether an adjustment is other than what it is by default.
    private static func changes(_ item: XMLItem) -> Bool {
        let defaults = [
            "scale": "1 1", "position": "0 0", "anchor": "0 0", "rotation": "0", "enabled": "1",
            "amount": "1", "mode": "fit",
        ]
        return !item.children.isEmpty || item.attributes.contains { defaults[$0.key] != $0.value }
    }
}
