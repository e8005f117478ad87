import Media

/// One stream passed on as it is: its packets, counted from its asset's zero.
///
/// Each stream is read on its own, so that none waits for another that the writer has had enough of.
struct CopyStages: Sendable {
    let asset: Asset
    let stream: Asset.Stream
    let trackNumber: Int
    let interleaver: Interleaver
    let stages: StageGroup

    func start() {
        stages.start("copy") { try run() }
    }

    private func run() throws {
        let reader = try PacketReader(of: asset, streams: [stream], missingTimes: .workedOut)
        interleaver.open(trackNumber, as: try reader.encodedFormat(of: stream))
        var order = PacketOrder()
        while let (packet, _) = try reader.next() {
            try stages.checkStopped()
            packet.move(earlierBy: asset.origin)
            if stream.videoFormat != nil {
                order.mend(packet)
            }
            try interleaver.send(packet, to: trackNumber)
        }
        interleaver.finish(trackNumber)
    }
}
