import DequeModule
import Foundation
import Media

/// Sorts the packets of all tracks by decoding time.
///
/// Each track has a bounded queue. The writer takes the earliest packet once every unfinished track has one. No
/// track's stages wait for another track, so that always happens.
// @unchecked: every stored property is read and written with `condition` locked.
final class Interleaver: @unchecked Sendable, Abortable {
    struct TimedPacket: Sendable {
        let packet: Packet
        /// The track's index in the plan.
        let track: Int
    }

    private struct Queue {
        var format: EncodedFormat?
        var packets = Deque<Packet>()
        var byteCount = 0
        var isFinished = false
    }
    private let condition = NSCondition()
    private var queues: [Queue]
    private let capacityBytes: Int
    private var isAborted = false

    /// Makes empty queues.
    ///
    /// - Parameter capacityBytes: how many bytes of packets may wait in each track.
    init(trackCount: Int, capacityBytes: Int) {
        queues = Array(repeating: Queue(), count: trackCount)
        self.capacityBytes = capacityBytes
    }

    /// Sets a track's format, before any packet is sent.
    func open(_ track: Int, as format: EncodedFormat) {
        condition.lock()
        queues[track].format = format
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until all tracks are open and returns their formats.
    func formats() throws -> [EncodedFormat] {
        condition.lock()
        defer { condition.unlock() }
        while !isAborted && queues.contains(where: { $0.format == nil }) {
            condition.wait()
        }
        guard !isAborted else {
            throw RenderAborted()
        }
        return queues.compactMap(\.format)
    }

    /// Adds a packet after waiting for room in its track. A full queue has room again when half of it was written.
    func send(_ packet: Packet, to track: Int) throws {
        condition.lock()
        defer { condition.unlock() }
        while !isAborted && !queues[track].packets.isEmpty
            && queues[track].byteCount + packet.byteCount > capacityBytes
        {
            condition.wait()
        }
        guard !isAborted else {
            throw RenderAborted()
        }
        // The writer waits only for a track that has no packet.
        let isAwaited = queues[track].packets.isEmpty
        queues[track].byteCount += packet.byteCount
        queues[track].packets.append(packet)
        if isAwaited {
            condition.broadcast()
        }
    }

    /// Marks a track as complete.
    func finish(_ track: Int) {
        condition.lock()
        queues[track].isFinished = true
        condition.broadcast()
        condition.unlock()
    }

    /// The next packet to write, or nil when all tracks are complete.
    func next() throws -> TimedPacket? {
        condition.lock()
        defer { condition.unlock() }
        while !isAborted && queues.contains(where: { $0.packets.isEmpty && !$0.isFinished }) {
            condition.wait()
        }
        guard !isAborted else {
            throw RenderAborted()
        }
        guard let track = earliestTrack, let packet = queues[track].packets.popFirst() else {
            return nil
        }
        let before = queues[track].byteCount
        queues[track].byteCount -= packet.byteCount
        // Threads that were woken for every packet would do little else.
        let hasRoom = before > capacityBytes / 2 && queues[track].byteCount <= capacityBytes / 2
        if hasRoom || queues[track].packets.isEmpty {
            condition.broadcast()
        }
        return TimedPacket(packet: packet, track: track)
    }

    private var earliestTrack: Int? {
        var best: (track: Int, seconds: Double)?
        for (track, queue) in queues.enumerated() {
            guard let packet = queue.packets.first else {
                continue
            }
            let seconds = packet.decodeSeconds ?? -.infinity
            if best.map({ seconds < $0.seconds }) ?? true {
                best = (track, seconds)
            }
        }
        return best?.track
    }

    func abort() {
        condition.lock()
        isAborted = true
        condition.broadcast()
        condition.unlock()
    }
}
