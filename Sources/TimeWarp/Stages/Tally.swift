import Media
import Synchronization

/// Counts by the stages of a track. The report reads them when the stages have ended.
final class Tally<Counts: Sendable>: Sendable {
    private let counts: Mutex<Counts>

    init(_ counts: Counts) {
        self.counts = Mutex(counts)
    }

    /// The present counts.
    var current: Counts {
        counts.withLock { $0 }
    }

    /// Changes the counts.
    func update(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }
}

/// What the decoders of a track counted.
struct DecodingTally: Sendable, Codable {
    /// Frames that were decoded, shown or not.
    var framesDecoded: Int64 = 0
    /// Presentations of frames that weren't decoded because no output frame shows them.
    var presentationsDropped: Int64 = 0
    /// What couldn't be read or decoded; one entry per damaged stream.
    private(set) var damage: [StreamDamage] = []

    /// Adds the damage that a reader found.
    mutating func add(_ met: StreamDamage) {
        guard !met.isEmpty else {
            return
        }
        let known = damage.firstIndex { $0.file == met.file && $0.stream == met.stream }
        if let known {
            damage[known].merge(met)
        } else {
            damage.append(met)
        }
    }
}

extension DecodingTally {
    init(of sound: SampleReader) {
        self.init()
        add(sound.damage)
    }

    init(of stream: FrameStream) {
        self.init(framesDecoded: stream.framesDecoded)
        add(stream.damage)
    }

    /// Adds the counts of another decoder of the same track.
    mutating func add(_ other: DecodingTally) {
        framesDecoded += other.framesDecoded
        presentationsDropped += other.presentationsDropped
        for damage in other.damage {
            add(damage)
        }
    }
}
