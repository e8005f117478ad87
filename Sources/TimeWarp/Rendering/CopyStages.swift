import Media

/// What was found while a stream was copied.
struct CopyTally: Sendable {
    /// How many packets got other times.
    var changedCount = 0
    /// Why the file couldn't be read to its end; nil if it could.
    var breakOff: MediaError?
}

/// The stage that copies the packets of one stream. Their times are shifted to another zero.
///
/// Each stream is read separately, so that none waits for another one of which enough packets are waiting to be
/// written.
struct CopyStages: Sendable {
    let track: RenderPlan.CopiedTrack
    let trackNumber: Int
    let site: RenderSite
    let tally = Tally(CopyTally())

    func start() {
        site.stages.start("copy") { try run() }
    }

    private func run() throws {
        let stream = track.stream
        let reader = try PacketReader(
            of: track.asset, streams: [stream], missingTimes: .workedOut)
        let format = try reader.encodedFormat(of: stream)
        site.interleaver.open(trackNumber, as: format)
        var reordered = ReorderedTimes(
            of: track.asset, stream: stream, delay: format.reorderingDelay)
        var order = PacketOrder(of: stream)
        // Subtitles may begin at the same time, so their times need not increase.
        let isOrdered = stream.videoFormat != nil || stream.audioFormat != nil
        var times = try InferredTimes(of: track.asset, stream: stream) {
            try site.stages.checkStopped()
        }
        var held: Packet?
        var sieve = PacketSieve(track.kept)
        while let (packet, _) = try reader.next() {
            try site.stages.checkStopped()
            guard sieve.passes(packet) else {
                continue
            }
            times?.stamp(packet)
            reordered?.stamp(packet)
            packet.move(earlierBy: track.origin)
            if isOrdered {
                order.mend(packet)
            }
            // The last packet is held back, because it decides how long an MP4's track is.
            if let before = held {
                try site.interleaver.send(before, to: trackNumber)
            }
            held = packet
        }
        if let last = held {
            if reordered != nil, let end = stream.end {
                last.end(at: end)
            }
            try site.interleaver.send(last, to: trackNumber)
        }
        site.interleaver.finish(trackNumber)
        tally.update { [order] in
            $0.changedCount = order.changedCount
            $0.breakOff = reader.breakOff
        }
    }
}

extension CopyTally {
    /// Sentences for the report.
    func sentences(of stream: Asset.Stream) -> [String] {
        var sentences: [String] = []
        if changedCount > 0 {
            sentences.append(
                "stream \(stream.index) (\(stream.codecName)): \(changedCount) packets had no times, "
                    + "or times that don't increase, and got new ones")
        }
        if let breakOff {
            sentences.append("the input ends early: \(breakOff.reason)")
        }
        return sentences
    }
}
