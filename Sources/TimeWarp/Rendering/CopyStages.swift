import Media

/// What came to light while a stream was copied.
struct CopyTally: Sendable {
    /// Packets that were given other times.
    var changedCount = 0
    /// Why the file could be read no further.
    var breakOff: MediaError?
}

/// One stream passed on as it is, its packets counted from another zero.
///
/// Each stream is read on its own, so that none waits for another that the writer has had enough of.
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
        // Subtitles may well begin at one time.
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
    /// What is told of it, a sentence each.
    func sentences(of stream: Asset.Stream) -> [String] {
        var sentences: [String] = []
        if changedCount > 0 {
            sentences.append(
                "stream \(stream.index) (\(stream.codecName)): \(changedCount) packets came without "
                    + "times, or with times that don't rise, and were given others")
        }
        if let breakOff {
            sentences.append("the input breaks off early: \(breakOff.reason)")
        }
        return sentences
    }
}
