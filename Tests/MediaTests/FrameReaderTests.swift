import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Media

@Suite("Frames in any order")
struct FrameReaderTests {
    /// The bytes of all planes of a frame.
    private func fingerprint(_ frame: Frame) -> Int {
        var hasher = Hasher()
        let width = frame.width * (frame.pixelFormat.bitDepth > 8 ? 2 : 1)
        for plane in 0..<frame.pixelFormat.planeCount {
            frame.withPlane(plane) { bytes, bytesPerRow in
                let used = plane == 0 ? width : width >> frame.pixelFormat.chromaShift.horizontal
                for row in stride(from: 0, to: bytes.count, by: bytesPerRow) {
                    hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[row..<row + used]))
                }
            }
        }
        return hasher.finalize()
    }

    private func forward(_ asset: Asset) throws -> [(start: RationalTime, print: Int)] {
        let stream = try FrameStream(of: asset, stream: asset.videoStreams[0])
        var frames: [(RationalTime, Int)] = []
        while let timed = try stream.next() {
            frames.append((timed.start, fingerprint(timed.frame)))
        }
        return frames
    }

    /// The frames of a run, by their number.
    private func run(_ numbers: [Int], _ reader: FrameReader) throws -> [Int: Int] {
        var prints: [Int: Int] = [:]
        try reader.start(numbers.makeIterator())
        while let (number, frame) = try reader.next() {
            prints[number] = fingerprint(frame)
        }
        return prints
    }

    @Test(
        "group after group from the end, each frame is what it is forward",
        arguments: HardClip.all)
    func backward(clip: HardClip) throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try clip.write(to: folder))
        let frames = try forward(asset)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        #expect(index.isComplete)
        #expect((0..<index.times.count).map { index.times.start(of: $0) } == frames.map(\.start))
        #expect(index.groups.flatMap { Array($0.frames) } == Array(0..<index.times.count))
        let reader = try FrameReader(of: asset, stream: asset.videoStreams[0], index: index)
        for group in index.groups.reversed() {
            let prints = try run(Array(group.frames), reader)
            #expect(
                prints
                    == Dictionary(
                        uniqueKeysWithValues: group.frames.map { ($0, frames[$0].print) }))
        }
        #expect(Double(reader.framesDecoded) <= clip.work * Double(frames.count))
    }

    @Test("any rising run brings just its frames (seed 5)", arguments: HardClip.all)
    func runs(clip: HardClip) throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try clip.write(to: folder))
        let frames = try forward(asset)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        let reader = try FrameReader(of: asset, stream: asset.videoStreams[0], index: index)
        var generator = SplitMix64(seed: 5)
        for _ in 0..<6 {
            let share = Double.random(in: 0.02...0.5, using: &generator)
            let wanted = frames.indices.filter { _ in
                Double.random(in: 0...1, using: &generator) < share
            }
            let prints = try run(wanted, reader)
            #expect(
                prints == Dictionary(uniqueKeysWithValues: wanted.map { ($0, frames[$0].print) }))
        }
    }

    @Test("the last frame of a run comes, wherever the run ends", arguments: HardClip.all)
    func ends(clip: HardClip) throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try clip.write(to: folder))
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        for end in 1...min(24, index.times.count) {
            // A decoder with threads, as in a render.
            let reader = try FrameReader(of: asset, stream: asset.videoStreams[0], index: index)
            #expect(try run(Array(0..<end), reader).count == end)
        }
    }

    @Test("frames that were kept aren't decoded again, and are the same", arguments: HardClip.all)
    func kept(clip: HardClip) throws {
        let folder = try TemporaryFolder()
        let asset = try Asset(at: try clip.write(to: folder))
        let frames = try forward(asset)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        guard frames.count > 30 else {
            return
        }
        let byteCount = try #require(asset.videoStreams[0].videoFormat).byteCount
        // One cache holds all, the other five frames.
        for (bytes, holdsAll) in [(1 << 30, true), (5 * byteCount, false)] {
            let cache = FrameCache(bytes: bytes)
            func read(_ wanted: Range<Int>) throws -> Int64 {
                let reader = try FrameReader(
                    of: asset, stream: asset.videoStreams[0], index: index, cache: cache)
                #expect(
                    try run(Array(wanted), reader)
                        == Dictionary(uniqueKeysWithValues: wanted.map { ($0, frames[$0].print) }))
                return reader.framesDecoded
            }
            let half = frames.count / 2
            #expect(try read(5..<half) > 0)
            #expect(try (read(10..<half) == 0) == holdsAll)
            #expect(try read(half - 3..<frames.count) > 0)
            #expect(try (read(5..<frames.count) == 0) == holdsAll)
            #expect(try read(frames.count - 4..<frames.count) == 0)
        }
    }

    @Test("frames between those wanted are decoded only if others need them")
    func leavesOut() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mp4")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=20", "-pix_fmt", "yuv420p", "-c:v",
            "libx264", "-g", "30", "-bf", "2", "-x264-params", "b-pyramid=none:scenecut=0", path,
        ])
        let asset = try Asset(at: path)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        let reader = try FrameReader(of: asset, stream: asset.videoStreams[0], index: index)
        // One frame in 100, in six GOPs of 30. Each GOP is decoded up to that frame, without the B-frames.
        #expect(try run(Array(stride(from: 10, to: 600, by: 100)), reader).count == 6)
        #expect(reader.framesDecoded < 6 * 10)
    }

    @Test("a clip that begins in the middle of a group brings what can be decoded, once")
    func undecodableStart() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(
            contentsOf: URL(fileURLWithPath: HardClip.all[4].write(to: folder)))
        let path = folder.path("cut.ts")
        // Packets of a transport stream have 188 bytes.
        try whole.dropFirst(whole.count / 5 / 188 * 188).write(to: URL(fileURLWithPath: path))
        let asset = try Asset(at: path)
        let frames = try forward(asset)
        #expect(frames.count > 60)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        let reader = try FrameReader(of: asset, stream: asset.videoStreams[0], index: index)
        var prints: [Int] = []
        for group in index.groups.reversed() {
            let found = try run(Array(group.frames), reader)
            prints += group.frames.reversed().compactMap { found[$0] }
        }
        #expect(prints == frames.map(\.print).reversed())
    }

    @Test("packets without times of their own make no index")
    func withoutTimes() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.avi")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=160x96:r=30:d=2", "-c:v", "mpeg4", "-bf", "2", path,
        ])
        let asset = try Asset(at: path)
        #expect(try !PacketIndex(of: asset, stream: asset.videoStreams[0]).isComplete)
    }

    @Test("what goes to the disk comes back bit for bit", arguments: ["fields.mp4", "ten-bit.mkv"])
    func spilled(name: String) throws {
        let folder = try TemporaryFolder()
        let clip = try #require(HardClip.all.first { $0.name == name })
        let asset = try Asset(at: try clip.write(to: folder))
        let space = SpillSpace(in: folder.url.path)
        let before = try folder.contents
        do {
            let store = FrameStore(memoryBytes: 100_000, space: space)
            let stream = try FrameStream(of: asset, stream: asset.videoStreams[0])
            var prints: [Int] = []
            while let timed = try stream.next() {
                try store.add(timed.frame, number: prints.count * 2)
                prints.append(fingerprint(timed.frame))
            }
            #expect(store.count == 120)
            for (place, print) in prints.enumerated().reversed() {
                let frame = try #require(try store.frame(place * 2))
                #expect(fingerprint(frame) == print)
                #expect(frame.isInterlaced == (name == "fields.mp4"))
                #expect(try store.frame(place * 2 + 1) == nil)
            }
            let bytes = try #require(try store.frame(0)).byteCount
            #expect(space.peakBytes >= Int64(bytes * 100))
            // The temporary file is unlinked from the start, so nothing can be left behind.
            #expect(try folder.contents == before)
        }
        #expect(space.bytes == 0)
    }
}

@Suite("Sound that was put aside")
struct StoredSoundTests {
    @Test("any span is what was put there, holes are silent")
    func spans() throws {
        let store = try StoredSound(channelCount: 2, space: SpillSpace())
        func block(_ start: Int64, _ count: Int) -> SampleBlock {
            let samples = (0..<count).map { (index: Int) -> Float in Float(start) + Float(index) }
            return SampleBlock(start: start, channels: [samples, samples.map { -$0 }])
        }
        try store.append(block(-10, 500))
        try store.append(block(1000, 200_000))
        #expect(store.range == -10..<201_000)
        let across = try store.read(480..<1010)
        #expect(across.start == 480)
        let expected: [Float] = (480..<490).map { Float($0) } + [0, 0]
        #expect(Array(across.channels[0].prefix(12)) == expected)
        #expect(across.channels[1].last == -1009)
        #expect(try store.read(-100..<0).start == -10)
        #expect(try store.read(300_000..<300_100).count == 0)
        #expect(try store.read(150_000..<150_003).channels[0] == [150_000, 150_001, 150_002])
    }
}
