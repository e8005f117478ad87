import Media
import Synchronization

/// What the stages of a track count, for the report to read when they have ended.
final class Tally<Counts: Sendable>: Sendable {
    private let counts: Mutex<Counts>

    init(_ counts: Counts) {
        self.counts = Mutex(counts)
    }

    /// What has been counted so far.
    var current: Counts {
        counts.withLock { $0 }
    }

    /// Changes the counts.
    func update(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }
}

/// What a track's decoder did.
struct DecodingTally: Sendable {
    /// Pictures that came out of it, shown or not.
    var framesDecoded: Int64 = 0
    /// Turns of pictures that weren't decoded because no output frame shows them.
    var turnsLeftOut: Int64 = 0
    var damagedPackets = 0
    /// What broke off the reading, if something did.
    var readError: String?
}

extension DecodingTally {
    init(of stream: FrameStream) {
        self.init(
            framesDecoded: stream.framesDecoded, damagedPackets: stream.damagedPackets,
            readError: stream.readError?.description)
    }

    /// Adds what another decoder of the same track did.
    mutating func add(_ other: DecodingTally) {
        framesDecoded += other.framesDecoded
        turnsLeftOut += other.turnsLeftOut
        damagedPackets += other.damagedPackets
        readError = readError ?? other.readError
    }
}
