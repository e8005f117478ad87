import CLibAV
import TimeMaps

/// What couldn't be read or decoded in a stream: how much, and where.
///
/// It takes a bit more than 8 bytes for each damaged packet and frame. Each of them counts once, even if it is
/// decoded several times.
package struct StreamDamage: Sendable, Codable {
    /// The file, as the caller named it.
    package let file: String
    /// The stream's index in the file.
    package let stream: Int
    private let codecName: String
    private let timeBase: TimeBase
    private let origin: RationalTime
    /// The packets that were skipped and the frames with concealed errors, by their timestamps.
    private var packets: Set<Int64> = []
    private var frames: Set<Int64> = []
    /// How many skipped packets have no timestamp.
    private var unplacedPackets = 0
    /// Gaps in the sound, by the index of their first sample.
    private var holes: [Int64: Hole] = [:]
    /// The error that stopped reading before the end of the file, if any, and where.
    private var breakOff: BreakOff?

    private struct BreakOff: Codable {
        let reason: String
        let seconds: Double?
    }

    private struct Hole: Codable {
        let start: Double
        let seconds: Double
    }

    init(of asset: Asset, stream: Asset.Stream) {
        file = asset.path
        self.stream = stream.index
        codecName = stream.codecName
        timeBase = stream.timeBase
        origin = asset.origin
    }

    /// Whether there is no damage.
    package var isEmpty: Bool {
        packetCount == 0 && frames.isEmpty && holes.isEmpty && breakOff == nil
    }

    /// How many packets were skipped.
    package var packetCount: Int { packets.count + unplacedPackets }

    /// How many frames have parts in which the decoder concealed errors.
    package var frameCount: Int { frames.count }

    mutating func leaveOutPacket(at stamp: Int64) {
        if stamp == TW_NO_PTS {
            unplacedPackets += 1
        } else {
            packets.insert(stamp)
        }
    }

    mutating func addConcealedFrame(at stamp: Int64) {
        frames.insert(stamp)
    }

    mutating func miss(sample: Int64, count: Int64, sampleRate: Int) {
        let rate = Double(sampleRate)
        holes[sample] = Hole(start: Double(sample) / rate, seconds: Double(count) / rate)
    }

    mutating func breakOff(_ error: MediaError, at stamp: Int64?) {
        breakOff = BreakOff(reason: error.reason, seconds: stamp.map(seconds))
    }

    /// Adds the damage that another reader of the same stream met.
    package mutating func merge(_ other: StreamDamage) {
        packets.formUnion(other.packets)
        frames.formUnion(other.frames)
        unplacedPackets = max(unplacedPackets, other.unplacedPackets)
        holes.merge(other.holes) { $1 }
        breakOff = breakOff ?? other.breakOff
    }

    /// Whether no more is damaged than in another file, whose packets this one has.
    package func isWithin(_ other: StreamDamage) -> Bool {
        func missing(_ damage: StreamDamage) -> Double {
            damage.holes.values.reduce(0) { $0 + $1.seconds }
        }
        // How many frames after damaged packets are called concealed differs from one decoding to the next, because the
        // codec's threads meet the damage in turns. Each end of a gap may be rounded to the millisecond.
        let isDamaged = other.packetCount > 0 || other.frameCount > 0
        return packetCount <= other.packetCount && (frameCount == 0 || isDamaged)
            && holes.count <= other.holes.count
            && missing(self) <= missing(other) + 0.002 * Double(holes.count)
            && (breakOff == nil || other.breakOff != nil)
    }

    /// The damage in words: one sentence for each kind of damage. Times are asset time.
    package var sentences: [String] {
        var kinds: [String] = []
        if packetCount > 0 {
            kinds.append(Self.count(packetCount, "damaged packet") + " skipped" + place(packets))
        }
        if !frames.isEmpty {
            kinds.append(
                Self.count(frameCount, "damaged frame") + " partly concealed" + place(frames))
        }
        if !holes.isEmpty {
            let missing = holes.values.reduce(0) { $0 + $1.seconds }
            kinds.append(
                Self.text(missing) + " s of sound missing, replaced by silence"
                    + Self.place(holes.values.flatMap { [$0.start, $0.start + $0.seconds] }))
        }
        if let breakOff {
            kinds.append(
                "the input ends early"
                    + (breakOff.seconds.map { ", at \(Self.text($0)) s" } ?? "")
                    + ": \(breakOff.reason)")
        }
        return kinds.map { "stream \(stream) (\(codecName)): " + $0 }
    }

    private func place(_ stamps: Set<Int64>) -> String {
        Self.place(stamps.map(seconds))
    }

    private static func place(_ seconds: [Double]) -> String {
        guard let first = seconds.min().map(text), let last = seconds.max().map(text) else {
            return ""
        }
        return first == last ? ", at \(first) s" : ", between \(first) s and \(last) s"
    }

    private func seconds(_ stamp: Int64) -> Double {
        Double(stamp) * timeBase.seconds - origin.seconds
    }

    private static func count(_ count: Int, _ what: String) -> String {
        "\(count) \(what)\(count == 1 ? "" : "s")"
    }

    /// Rounded to the millisecond.
    private static func text(_ seconds: Double) -> String {
        let rounded = (seconds * 1000).rounded() / 1000
        return rounded == rounded.rounded() && abs(rounded) < 1e15
            ? "\(Int64(rounded))" : "\(rounded)"
    }
}

extension Int64 {
    /// The nearest whole number; the lowest or highest `Int64` if the value is beyond them, and 0 if it is NaN.
    package init(nearest value: Double) {
        guard !value.isNaN else {
            self = 0
            return
        }
        self = Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
}
