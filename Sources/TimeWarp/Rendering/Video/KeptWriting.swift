import Media
import TimeMaps

/// Passes on the packets of frames that the output shows as the source does. Used on the encoding thread.
struct KeptWriting {
    let frames: ClipFrames
    let stretch: KeptStretch
    let run: EncodedRun
    let timing: RenderPlan.Timing
    let stages: StageGroup
    let progress: WrittenProgress

    func write(counting tally: inout VideoTally, to sink: PacketSink) throws {
        guard let index = frames.index else {
            preconditionFailure("packets are kept of what has an index")
        }
        let path = frames.clip.asset.path
        let reader = try PacketRun(
            stretch.packets, of: frames.stream, in: frames.clip.asset, index: index)
        let filter = try PacketFilter.forSeams(of: reader.format, path: path)
        let ticks = ticks
        let timeBase = timing.timeBase
        while let (packet, frame) = try reader.next() {
            try stages.checkStopped()
            let (shown, end) = ticks(frame - stretch.frames.lowerBound)
            try filter?.rewrite(packet)
            packet.retime(
                shown: shown, decoded: shown, duration: end - shown, timeBase: timeBase)
            try sink.send(packet)
            progress.wrote(lasting: Double(end - shown) * timeBase.seconds)
        }
        let count = Int64(stretch.frames.count)
        tally.framesRead += count
        tally.framesWritten += count
        tally.framesKept += count
    }

    /// From when until when the track shows a frame, counted from the stretch's first.
    private var ticks: (Int) -> (Int64, Int64) {
        let offset = run.place?.offset ?? 0
        let first = run.part.ticks.lowerBound + offset
        return { (first + Int64($0), first + Int64($0) + 1) }
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
