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
        site.interleaver.open(trackNumber, as: try reader.encodedFormat(of: stream))
        var order = PacketOrder()
        // Subtitles may begin at the same time, so their times need not increase.
        let isOrdered = stream.videoFormat != nil || stream.audioFormat != nil
        while let (packet, _) = try reader.next() {
            try site.stages.checkStopped()
            packet.move(earlierBy: track.origin)
            if isOrdered {
                order.mend(packet)
            }
            try site.interleaver.send(packet, to: trackNumber)
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
