import Media

/// One stream passed on as it is: its packets, counted from its asset's zero.
///
/// Each stream is read on its own, so that none waits for another that the writer has had enough of.
struct CopyStages: Sendable {
    let track: RenderPlan.CopiedTrack
    let trackNumber: Int
    let site: RenderSite

    func start() {
        site.stages.start("copy") { try run() }
    }

    private func run() throws {
        let (asset, stream) = (track.asset, track.stream)
        let reader = try PacketReader(of: asset, streams: [stream], missingTimes: .workedOut)
        site.interleaver.open(trackNumber, as: try reader.encodedFormat(of: stream))
        var order = PacketOrder()
        while let (packet, _) = try reader.next() {
            try site.stages.checkStopped()
            packet.move(earlierBy: asset.origin)
            if stream.videoFormat != nil {
                order.mend(packet)
            }
            try site.interleaver.send(packet, to: trackNumber)
        }
        site.interleaver.finish(trackNumber)
    }
}
