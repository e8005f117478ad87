import TimeMaps
import TimeWarp

extension XMLItem {
    /// The value of a property of an MLT element.
    func property(_ name: String) -> String? {
        children.first { $0.name == "property" && $0["name"] == name }
            .flatMap { $0.text.isEmpty ? nil : $0.text }
    }

    /// Whether a property of an MLT element is a number other than 0, or one of the words that stand for 1.
    func isTrue(_ name: String) -> Bool {
        let value = property(name) ?? "0"
        return Double(reading: value).map { $0 != 0 } ?? ["true", "yes", "on"].contains(value)
    }

    /// A property of an MLT element.
    static func property(_ name: String, _ value: some CustomStringConvertible) -> XMLItem {
        XMLItem("property", ["name": name], [], text: value.description)
    }
}

/// Times of an MLT project: numbers of frames, or `hours:minutes:seconds.milliseconds`, where hours and minutes may be absent
/// or empty: `:2.5` is 2.5 s.
struct MLTClock {
    let grid: FrameGrid

    /// How many frames a time may have.
    static let most = 1e11

    /// The number of frames; nil if it isn't a time.
    func frames(_ text: some StringProtocol) -> Double? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.enumerated().map { index, field in
            field.isEmpty && index < fields.count - 1 ? 0 : Double(reading: field)
        }
        guard let first = numbers.first, let first, numbers.allSatisfy({ $0 != nil }) else {
            return nil
        }
        let values = numbers.compactMap { $0 }
        let result: Double
        switch values.count {
        case 1 where text.contains(".") || text.contains(","):
            result = first * grid.rate.framesPerSecond
        case 1:
            result = first
        case 2, 3:
            let seconds = values.reduce(0) { $0 * 60 + $1 }
            result = seconds * grid.rate.framesPerSecond
        case 4:
            let seconds = values.dropLast().reduce(0) { $0 * 60 + $1 }
            result = (seconds * Double(grid.timecodeRate)).rounded() + values[3]
        default:
            return nil
        }
        return abs(result) < Self.most ? result : nil
    }

    /// The nearest whole number of frames.
    func whole(_ text: String?) -> Int64? {
        text.flatMap { frames($0) }.map { Int64($0.rounded()) }
    }
}

/// Keyframes of a property: `0=0;50~=4;80|=5`.
struct MLTKeyframes {
    enum Interpolation {
        case hold, linear, smooth
    }

    struct Key {
        /// In frames.
        let frame: Double
        let value: Double
        /// How the value goes on from here.
        let interpolation: Interpolation
    }

    /// In order, with rising frames.
    let keys: [Key]

    /// Nil if there are none.
    ///
    /// - Throws: ``CompositionError`` if there are more than a time map may have.
    init?(_ text: String, _ clock: MLTClock) throws {
        let parts = text.split(separator: ";")
        guard parts.count <= ReaderBounds.mostPoints else {
            throw CompositionError(
                .unsupported, "a property has more than \(ReaderBounds.mostPoints) keyframes")
        }
        let read = parts.compactMap { part -> Key? in
            guard let sign = part.lastIndex(of: "="), sign > part.startIndex else {
                return nil
            }
            var place = part[..<sign]
            let mark = place.last ?? " "
            let isMarked = !mark.isNumber && !mark.isWhitespace
            if isMarked {
                place = place.dropLast()
            }
            guard let frame = clock.frames(place.trimmed),
                let value = Double(reading: part[part.index(after: sign)...])
            else {
                return nil
            }
            let interpolation: Interpolation =
                switch mark {
                case "|", "!": .hold
                case _ where isMarked: .smooth
                default: .linear
                }
            return Key(frame: frame, value: value, interpolation: interpolation)
        }
        keys = read.sorted { $0.frame < $1.frame }.reduce(into: []) { keys, key in
            if keys.last.map({ $0.frame < key.frame }) ?? true {
                keys.append(key)
            }
        }
        guard !keys.isEmpty else {
            return nil
        }
    }

    /// The keys that decide the values from one frame to another: those between them, and one on each side.
    func indices(from first: Double, to last: Double) -> Range<Int> {
        let start = keys.indices.partitionPoint { keys[$0].frame > first }
        let end = keys.indices.partitionPoint { keys[$0].frame >= last }
        return max(0, start - 1)..<min(keys.count, end + 1)
    }

    /// The value at a frame. Before the first key and after the last it is held.
    func value(at frame: Double) -> Double {
        let next = keys.indices.partitionPoint { keys[$0].frame > frame }
        guard next > 0 else {
            return keys[0].value
        }
        let key = keys[next - 1]
        guard next < keys.count else {
            return key.value
        }
        let share = (frame - key.frame) / (keys[next].frame - key.frame)
        switch key.interpolation {
        case .hold: return key.value
        case .linear: return key.value + share * (keys[next].value - key.value)
        case .smooth: return smooth(next, share)
        }
    }

    /// A Catmull-Rom spline through four keys, as MLT draws it: the distances of the keys don't count.
    private func smooth(_ next: Int, _ t: Double) -> Double {
        let y1 = keys[next - 1].value
        let y2 = keys[next].value
        let y0 = next > 1 ? keys[next - 2].value : y1
        let y3 = next + 1 < keys.count ? keys[next + 1].value : y2
        let a = 1.5 * (y1 - y2) + 0.5 * (y3 - y0)
        let b = y0 - 2.5 * y1 + 2 * y2 - 0.5 * y3
        return ((a * t + b) * t + 0.5 * (y2 - y0)) * t + y1
    }
}
