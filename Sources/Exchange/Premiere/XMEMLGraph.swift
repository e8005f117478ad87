import TimeMaps
import TimeWarp

/// The keyframes of a speed in a Premiere file, from retimed frames to frames of the media.
struct XMEMLGraph {
    struct Key {
        let when: Double
        let value: Double
        /// Whether it follows from the others, and isn't set by hand.
        let isVirtual: Bool
        /// Its handles, as distances from it: nil if it has none.
        let before: (when: Double, value: Double)?
        let after: (when: Double, value: Double)?
    }

    /// With rising places.
    let keys: [Key]
    /// Whether handles are such that no curve follows from them.
    let hasOddHandles: Bool

    /// Whether a curve leads from one keyframe to another.
    var isCurved: Bool {
        !hasOddHandles && keys.contains { $0.before != nil || $0.after != nil }
    }

    /// - Parameter item: the parameter `graphdict`; nil for no keyframes.
    init(_ item: XMLItem?) {
        let read = (item?.all("keyframe") ?? []).compactMap(Self.key)
        self.init(read)
    }

    private init(_ read: [Key]) {
        // Two may be at one frame. One that is set by hand counts more than one that follows from others.
        let sorted = read.enumerated().sorted {
            ($0.element.when, $0.element.isVirtual ? 1 : 0, $0.offset)
                < ($1.element.when, $1.element.isVirtual ? 1 : 0, $1.offset)
        }
        keys = sorted.map(\.element).reduce(into: []) { keys, key in
            if keys.last.map({ $0.when < key.when }) ?? true {
                keys.append(key)
            }
        }
        hasOddHandles = keys.contains {
            ($0.before?.when ?? 0) > 0 || ($0.after?.when ?? 0) < 0
        }
    }

    private static func key(_ item: XMLItem) -> Key? {
        func number(_ item: XMLItem?, _ name: String) -> Double? {
            item?.text(of: name).flatMap { Double(reading: $0) }
        }
        func handle(_ name: String) -> (when: Double, value: Double)? {
            guard let handle = item.first(name), let when = number(handle, "horiz"),
                let value = number(handle, "vert"), when != 0 || value != 0
            else {
                return nil
            }
            return (when, value)
        }
        guard let when = number(item, "when"), let value = number(item, "value") else {
            return nil
        }
        return Key(
            when: when, value: value,
            isVirtual: item.text(of: "speedvirtualkf")?.uppercased() == "TRUE",
            before: handle("inbez"), after: handle("outbez"))
    }

    /// The keyframes that count: those set by hand, and of the others those before the first and after the last of these. Some
    /// programs write others at places that no media has.
    ///
    /// - Parameter length: how many frames the media has; nil if unknown.
    func within(_ length: Double?) -> XMEMLGraph {
        // Lengths are rounded, and counted at another rate. No file has frames for a year.
        let known = length.flatMap { $0 > 0 ? $0 * 1.05 + 10 : nil } ?? 1e9
        let set = keys.indices.filter { !keys[$0].isVirtual }
        let kept = keys.indices.filter { index in
            let isOutside = index < set.first ?? .max || index > set.last ?? -1
            return !keys[index].isVirtual
                || isOutside && (-1...known).contains(keys[index].value)
        }
        return XMEMLGraph(kept.map { keys[$0] })
    }

    /// The value at a place, along straight lines; `other` without keyframes.
    func value(at place: Double, else other: Double) -> Double {
        guard keys.count > 1 else {
            return keys.first?.value ?? other
        }
        let next = min(
            max(1, keys.indices.partitionPoint { keys[$0].when > place }), keys.count - 1)
        let (from, to) = (keys[next - 1], keys[next])
        return from.value
            + (place - from.when) / (to.when - from.when) * (to.value - from.value)
    }

    /// Where a clip of constant speed begins, and its speed. Both the speed that is stated and the keyframes are rounded.
    ///
    /// - Returns: nil if there are no keyframes, or they contradict the speed.
    func line(
        from start: Double, lasting frames: Int64, stating speed: Double
    ) -> (first: Double, speed: Double)? {
        guard keys.count > 1 else {
            return nil
        }
        let length = Double(frames)
        let first = value(at: start, else: 0)
        let shown = value(at: start + length, else: 0) - first
        guard shown * speed >= 0, first >= -1, first + shown >= -1 else {
            return nil
        }
        return (first, abs(shown - speed * length) <= 0.05 ? speed : shown / length)
    }

    /// Points from one place to another, and the keyframes around these: on a curve there is one at each frame.
    func points(from start: Double, to end: Double) -> [(when: Double, value: Double)] {
        var result: [(when: Double, value: Double)] = []
        for (index, key) in keys.enumerated() {
            if index > 0, let curve = curve(from: keys[index - 1], to: key) {
                let first = max(start, keys[index - 1].when.rounded(.down) + 1)
                result += stride(from: first, to: min(end, key.when), by: 1).map {
                    ($0, curve.value(at: $0))
                }
            }
            result.append((key.when, key.value))
        }
        return result
    }

    private func curve(from first: Key, to last: Key) -> CubicCurve? {
        guard !hasOddHandles, first.after != nil || last.before != nil else {
            return nil
        }
        func inside(_ when: Double) -> Double { min(max(when, first.when), last.when) }
        let (after, before) = (first.after ?? (0, 0), last.before ?? (0, 0))
        return CubicCurve(
            places: SIMD4(
                first.when, inside(first.when + after.when), inside(last.when + before.when),
                last.when),
            values: SIMD4(
                first.value, first.value + after.value, last.value + before.value, last.value))
    }
}
