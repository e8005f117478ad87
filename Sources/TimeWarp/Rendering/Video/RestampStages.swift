import Media
import TimeMaps

/// One video track whose packets get a new PTS and DTS, on one thread.
struct RestampStages: Sendable {
    let track: RenderPlan.VideoTrack
    let trackNumber: Int
    let site: RenderSite
    /// Nil for tracks that don't drive the progress display.
    let progress: ProgressMeter?
    let tally: Tally<VideoTally>

    func run() throws {
        var written: Int64 = 0
        var isOpen = false
        for segment in track.segments {
            guard case .packets(let packets) = segment.source else {
                preconditionFailure("a track that is restamped has packets throughout")
            }
            let reader = try PacketReader(of: packets.clip.asset, streams: [packets.stream])
            if !isOpen {
                site.interleaver.open(
                    trackNumber,
                    as: try reader.encodedFormat(
                        of: packets.stream, timeBase: packets.timetable.timeBase,
                        rate: track.frameRate))
                isOpen = true
            }
            let passedOn = try pass(packets.timetable, of: reader, after: written)
            written += Int64(passedOn)
            count(packets.timetable, passedOn)
        }
        site.interleaver.finish(trackNumber)
    }

    /// Sends the packets of one segment.
    ///
    /// - Returns: the number of packets.
    private func pass(
        _ timetable: PacketTimetable, of reader: PacketReader, after written: Int64
    ) throws -> Int {
        var place = 0
        var number = 0
        while place < timetable.entries.count, let (packet, _) = try reader.next() {
            try site.stages.checkStopped()
            let entry = timetable.entries[place]
            if number == entry.packet {
                packet.retime(
                    shown: entry.shown, decoded: entry.decoded, duration: entry.duration,
                    timeBase: timetable.timeBase)
                try site.interleaver.send(packet, to: trackNumber)
                place += 1
                progress?.reached(
                    timetable.seconds(entry.decoded), frames: written + Int64(place))
            }
            number += 1
        }
        return place
    }

    private func count(_ timetable: PacketTimetable, _ passedOn: Int) {
        // Frames before the start aren't presented.
        let shown = timetable.entries.prefix(passedOn).map(\.shown).filter { $0 >= 0 }.sorted()
        tally.update {
            $0.framesRead += Int64(timetable.frameCount)
            $0.framesWritten += Int64(passedOn)
            $0.times += shown.map(timetable.seconds)
        }
    }
}

extension PacketTimetable {
    fileprivate var timeBase: RationalTime { RationalTime(1, over: ticksPerSecond) }

    fileprivate func seconds(_ ticks: Int64) -> Double {
        Double(ticks) / Double(ticksPerSecond)
    }
}
