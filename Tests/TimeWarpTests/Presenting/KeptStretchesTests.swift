import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media
@testable import TimeWarp

@Suite("What of an output can be kept")
struct KeptStretchesTests {
    private func presentation(of frame: Int, _ direction: PlayDirection = .forward) -> Presentation
    {
        let instant = OutputInstant(seconds: 0, tick: 0)
        return Presentation(frame: frame, direction: direction, start: instant, end: instant)
    }

    /// The stretches of frames that are shown one after another, each for one output frame.
    private func stretches(of frames: [Int], _ index: PacketIndex, shortest: Int = 1)
        -> [KeptStretch]
    {
        var stretches = KeptStretches(index, shortest: shortest)
        for frame in frames {
            stretches.take(presentation(of: frame), isUnchanged: true)
        }
        stretches.finish()
        return stretches.found
    }

    private func index(_ arguments: [String], in folder: TemporaryFolder) throws -> PacketIndex {
        let path = folder.path("clip.mp4")
        _ = try ReferenceTools.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2"] + arguments + [path])
        let asset = try Asset(at: path)
        return try PacketIndex(of: asset, stream: asset.videoStreams[0])
    }

    private static let closed = ["-c:v", "libx264", "-g", "10", "-bf", "2", "-sc_threshold", "0"]

    @Test("whole groups are kept, and of the last one what needs no frame that isn't shown")
    func groups() throws {
        let folder = try TemporaryFolder()
        let index = try index(Self.closed, in: folder)
        #expect(stretches(of: Array(0..<50), index).map(\.frames) == [0..<50])
        #expect(stretches(of: Array(3..<47), index).map(\.frames.lowerBound) == [10])
        #expect(stretches(of: Array(3..<40), index).map(\.frames) == [10..<40])
        #expect(stretches(of: Array(3..<40), index).map(\.presentations) == [7..<37])
        #expect(stretches(of: Array(3..<40), index).map(\.packets) == [10..<40])
        #expect(stretches(of: Array(3..<40), index, shortest: 31).isEmpty)
        #expect(stretches(of: Array(3..<10), index).isEmpty)
        // After a cut, and between two.
        let frames = Array(20..<35) + Array(0..<20) + Array(40..<50)
        let found = stretches(of: frames, index)
        #expect(found.map(\.frames.lowerBound) == [20, 0, 40])
        #expect(found.map(\.presentations.lowerBound) == [0, 15, 35])
        #expect(found.dropFirst().map(\.frames.upperBound) == [20, 50])
    }

    @Test("what is changed, and what is shown with others between, isn't kept")
    func changed() throws {
        let folder = try TemporaryFolder()
        let index = try index(Self.closed, in: folder)
        var stretches = KeptStretches(index, shortest: 1)
        for frame in 0..<20 {
            stretches.take(presentation(of: frame), isUnchanged: frame < 5 || frame > 14)
        }
        for frame in stride(from: 20, to: 50, by: 2) {
            stretches.take(presentation(of: frame), isUnchanged: true)
        }
        stretches.finish()
        // A keyframe needs no other, so it alone could be.
        #expect(stretches.found.map(\.frames.lowerBound) == [0, 20, 30, 40])
        #expect(stretches.found.map(\.presentations.lowerBound) == [0, 20, 25, 30])
        #expect(stretches.found.dropFirst().allSatisfy { $0.frames.count == 1 })
    }

    @Test("an open group isn't begun with, but gone on with")
    func open() throws {
        let folder = try TemporaryFolder()
        let index = try index(Self.closed + ["-x264-params", "open-gop=1"], in: folder)
        #expect(index.groups.count > 3)
        #expect(index.groups.filter { $0.beginning == .closed }.map(\.firstPacket) == [0])
        #expect(stretches(of: Array(0..<50), index).map(\.frames) == [0..<50])
        #expect(stretches(of: Array(1..<50), index).isEmpty)
    }

    @Test("an open group of HEVC is begun with, without what is shown before its keyframe")
    func splice() throws {
        let folder = try TemporaryFolder()
        let index = try index(
            ["-c:v", "libx265", "-x265-params", "log-level=error:keyint=10:open-gop=1:bframes=3"],
            in: folder)
        #expect(index.groups.count == 5)
        #expect(index.groups.dropFirst().allSatisfy { $0.beginning == .splice })
        #expect(stretches(of: Array(3..<50), index).map(\.frames) == [10..<50])
        #expect(stretches(of: Array(10..<30), index).map(\.frames.lowerBound) == [10])
        let first = try #require(stretches(of: Array(3..<50), index).first)
        #expect(first.packets.count > 40)
        #expect(first.presentations == 7..<47)
    }

    @Test("what only looks like a beginning isn't one: earlier frames may be referred to after it")
    func openWithoutLeadingFrames() throws {
        let folder = try TemporaryFolder()
        for (refresh, starts) in [("1", [0]), ("0", [0, 10, 20, 30, 40])] {
            let index = try index(
                ["-c:v", "libx264", "-g", "10", "-bf", "0", "-intra-refresh", refresh], in: folder)
            #expect(index.groups.count == 5)
            #expect(index.groups.filter { $0.beginning == .closed }.map(\.firstPacket) == starts)
        }
    }

    @Test("where a packet is hidden, what follows it is kept from the next keyframe on")
    func hidden() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clip.webm")
        let encoding =
            "-f lavfi -i testsrc2=s=160x96:r=30:d=4 -pix_fmt yuv420p -c:v libvpx -threads 1 -b:v 300k -g 40 "
            + "-auto-alt-ref 1 -lag-in-frames 16 -deadline good -cpu-used 2 -passlogfile "
            + folder.path("pass")
        for pass in ["-pass 1 -f null -", "-pass 2 " + path] {
            _ = try ReferenceTools.ffmpeg(
                (encoding + " " + pass).split(separator: " ").map(String.init))
        }
        let asset = try Asset(at: path)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        #expect(!index.hidden.isEmpty)
        #expect(stretches(of: Array(0..<index.times.count), index).count > 1)
    }

    @Test("what is kept is decoded by itself to the same frames (seed 11)", arguments: HardClip.all)
    func decoded(clip: HardClip) throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try clip.write(to: folder))
        let stream = asset.videoStreams[0]
        let index = try PacketIndex(of: asset, stream: stream)
        let frames = try Self.digests(of: asset)
        var generator = SplitMix64(seed: 11)
        for number in 0..<4 {
            let from = Int.random(in: 0..<frames.count, using: &generator)
            let shown = Array(from..<Int.random(in: from..<frames.count, using: &generator) + 1)
            for stretch in stretches(of: shown, index) {
                #expect(stretch.packets.count >= stretch.frames.count)
                #expect(shown[stretch.presentations.lowerBound] == stretch.frames.lowerBound)
                let path = folder.path("kept-\(number).mkv")
                try write(
                    PacketRun(stretch.packets, of: stream, in: asset, index: index), like: stream,
                    to: path)
                #expect(try Self.digests(of: try Asset(at: path)) == Array(frames[stretch.frames]))
            }
        }
    }

    private static func digests(of asset: Asset) throws -> [UInt64?] {
        let stream = try FrameStream(of: asset, stream: asset.videoStreams[0])
        var digests: [UInt64?] = []
        while let timed = try stream.next() {
            digests.append(timed.frame.digest)
        }
        return digests
    }

    private func write(_ run: PacketRun, like stream: Asset.Stream, to path: String) throws {
        let muxer = try Muxer(creating: path, as: .mkv, existing: .overwrite)
        let track = try muxer.add(run.format, like: stream)
        try muxer.start()
        while let (packet, _) = try run.next() {
            try muxer.write(packet, to: track)
        }
        try muxer.finish()
    }
}
