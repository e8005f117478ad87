import Media

/// One picture track whose packets get new times: read, stamped and handed on, on one thread.
struct MoveStages: Sendable {
    let plan: RenderPlan
    let track: RenderPlan.VideoTrack
    let timetable: PacketTimetable
    let trackNumber: Int
    let interleaver: Interleaver
    let stages: StageGroup
    /// Nil for tracks that don't lead the progress.
    let progress: ProgressMeter?
    let tally: Tally<VideoTally>

    func run() throws {
        let reader = try PacketReader(of: plan.clip.asset, streams: [track.source])
        interleaver.open(
            trackNumber,
            as: try reader.encodedFormat(
                of: track.source, ticksPerSecond: timetable.ticksPerSecond, rate: track.frameRate))
        var place = 0
        var number = 0
        while place < timetable.entries.count, let (packet, _) = try reader.next() {
            try stages.checkStopped()
            let entry = timetable.entries[place]
            if number == entry.packet {
                packet.retime(
                    shown: entry.shown, decoded: entry.decoded, duration: entry.duration,
                    timescale: timetable.ticksPerSecond)
                try interleaver.send(packet, to: trackNumber)
                place += 1
                progress?.reached(seconds(entry.decoded), frames: Int64(place))
            }
            number += 1
        }
        interleaver.finish(trackNumber)
        count(place)
    }

    private func count(_ passedOn: Int) {
        // Those that lead up to the start aren't presented.
        let shown = timetable.entries.prefix(passedOn).map(\.shown).filter { $0 >= 0 }.sorted()
        tally.update {
            $0.framesRead = Int64(timetable.pictureCount)
            $0.framesWritten = Int64(passedOn)
            $0.times = shown.map(seconds)
        }
    }

    private func seconds(_ ticks: Int64) -> Double {
        Double(ticks) / Double(timetable.ticksPerSecond)
    }
}
