import Media
import TimeMaps

/// Passes on the packets of frames that the output shows as the source does. Used on the encoding thread.
struct KeptWriting {
    let frames: ClipFrames
    let stretch: KeptStretch
    let run: EncodedRun
    let timing: RenderPlan.Timing
    /// What all packets of the track have in common.
    let seam: EncodedFormat
    let stages: StageGroup
    let progress: WrittenProgress

    func write(counting tally: inout VideoTally, to sink: PacketSink) throws {
        guard let index = frames.index else {
            preconditionFailure("packets are kept of what has an index")
        }
        let path = frames.clip.asset.path
        let reader = try PacketRun(
            stretch.packets, of: frames.stream, in: frames.clip.asset, index: index)
        let filter =
            seam.hasHeadersInPackets
            ? try PacketFilter.forSeams(of: reader.format, path: path) : nil
        let starts = starts
        let timeBase = timing.timeBase
        while let (packet, frame) = try reader.next() {
            try stages.checkStopped()
            let place = frame - stretch.frames.lowerBound
            let (shown, duration) = (starts[place], starts[place + 1] - starts[place])
            try filter?.rewrite(packet)
            packet.retime(
                shown: shown, decoded: shown, duration: duration, timeBase: timeBase)
            try sink.send(packet)
            progress.wrote(lasting: Double(duration) * timeBase.seconds)
        }
        if timing.ticksPerSecond != nil {
            tally.times += starts.dropLast().map { Double($0) * timeBase.seconds }
        }
        let count = Int64(stretch.frames.count)
        tally.framesRead += count
        tally.framesWritten += count
        tally.framesKept += count
    }

    /// The ticks of the track at which the frames are shown, and the one at which the last one ends.
    private var starts: [Int64] {
        let offset = run.place?.offset ?? 0
        let presentations = run.presentations ?? []
        guard timing.ticksPerSecond != nil else {
            let first = run.part.ticks.lowerBound + offset
            return (0...Int64(presentations.count)).map { first + $0 }
        }
        let end = run.part.endTick ?? presentations.last?.end.tick ?? 0
        return presentations.map { $0.start.tick + offset } + [end + offset]
    }
}

extension PacketSink {
    /// A sink that brings what an encoder makes into the form of the track.
    func joining(_ seam: TrackSeam, path: String) -> PacketSink {
        let change = SeamFilter()
        let sink = self
        return PacketSink(
            open: { change.filter = try PacketFilter.forSeams(of: $0, path: path) },
            send: { packet in
                try change.filter?.rewrite(packet)
                try sink.send(packet)
            }, finish: finish)
    }
}

// @unchecked: used on the encoding thread only.
private final class SeamFilter: @unchecked Sendable {
    var filter: PacketFilter?
}
