import Foundation
import SampleMedia
import TestSupport
import Testing
import TimeMaps

@testable import Media

@Suite("Assets")
struct AssetTests {
    @Test(
        "a clip's length is what its frames and samples come to", arguments: ["mp4", "mov", "mkv"])
    func duration(container: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.\(container)")
        try TestClip {
            $0.frameCount = 75
            // AAC pads its last frame, and Matroska can't say how much of it is padding.
            $0.audioCodec = container == "mkv" ? .opus : .aac
        }.write(to: path)
        let asset = try Asset(at: path)
        // Matroska rounds to a millisecond, and the movie header is rounded too.
        #expect(abs(asset.duration.seconds - 2.5) < 0.002)
        #expect(asset.videoStreams.first?.frameCount == 75)
        #expect(asset.audioStreams.first?.audioFormat?.layout.description == "stereo")
    }

    @Test("an unfinished MP4 lasts as long as its data, not as its header says")
    func unfinished() throws {
        let folder = try TemporaryFolder()
        let whole = folder.path("whole.mp4")
        try TestClip { $0.frameCount = 300 }.write(to: whole)
        let front = folder.path("front.mp4")
        try ReferenceTools.ffmpeg(["-i", whole, "-c", "copy", "-movflags", "+faststart", front])
        let data = try Data(contentsOf: URL(fileURLWithPath: front))
        let cut = folder.path("cut.mp4")
        try data.prefix(data.count * 2 / 3).write(to: URL(fileURLWithPath: cut))
        let asset = try Asset(at: cut)
        #expect(asset.duration.seconds > 3)
        #expect(asset.duration.seconds < 9)
    }

    @Test("encrypted sound is noticed however late its first packet comes")
    func lateEncryption() throws {
        let folder = try TemporaryFolder()
        // Ninety video packets come before the first audio packet.
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x64:r=30:d=4", "-itsoffset", "3",
            "-f", "lavfi", "-i", "sine=d=1", "-c:v", "libx264", "-c:a", "aac",
            "-encryption_scheme", "cenc-aes-ctr",
            "-encryption_key", "00112233445566778899aabbccddeeff",
            "-encryption_kid", "0123456789abcdef0123456789abcdef", folder.path("a.mp4"),
        ])
        let error = #expect(throws: MediaError.self) { try Asset(at: folder.path("a.mp4")) }
        #expect(error?.code == .unsupported)
    }

    @Test("a name is only ever a name")
    func names() {
        for name in ["http://127.0.0.1/x.mp4", "concat:a.mp4|b.mp4", "pipe:0", "data:x"] {
            do {
                _ = try Asset(at: name)
                Issue.record("\(name) was opened")
            } catch {
                #expect((error as? MediaError)?.code == .noInput)
            }
        }
    }
}

@Suite("Readers")
struct ReaderTests {
    @Test("frames come in the order they are shown, each ending where the next starts")
    func frames() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mkv")
        try TestClip().write(to: path)
        let asset = try Asset(at: path)
        let reader = try FrameStream(of: asset, stream: asset.videoStreams[0])
        var end = RationalTime.zero
        var count = 0
        while let frame = try reader.next() {
            #expect(frame.start == end)
            #expect(frame.start == RationalTime(Int64(count), over: 30))
            let number = frame.frame.withPlane(0) { bytes, bytesPerRow in
                FrameBarcode.read(luma: bytes, width: 160, height: 120, bytesPerRow: bytesPerRow)
            }
            #expect(number == count)
            end = frame.end
            count += 1
        }
        #expect(count == 60)
        #expect(end == RationalTime(2, over: 1))
    }

    @Test("a late start begins with the frame that is shown there")
    func lateStart() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.mp4")
        try TestClip { $0.frameCount = 150 }.write(to: path)
        let asset = try Asset(at: path)
        for start in [0.5, 2.02, 3.99, 4.9] {
            let reader = try FrameStream(
                of: asset, stream: asset.videoStreams[0],
                from: RationalTime(seconds: start, timescale: 1000))
            let first = try #require(try reader.next())
            let second = try reader.next()
            #expect(first.start.seconds <= start + 1e-9)
            #expect(first.end.seconds > start)
            #expect(second.map { $0.start == first.end } ?? true)
        }
    }

    @Test("sound is what was written, encoder delay removed", arguments: ["mp4", "mov", "mkv"])
    func sound(container: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("in.\(container)")
        try TestClip {
            $0.frameCount = 90
            $0.audioCodec = container == "mkv" ? .opus : .aac
        }.write(to: path)
        let asset = try Asset(at: path)
        let reader = try SampleReader(of: asset, stream: asset.audioStreams[0])
        var samples = [Float](repeating: 0, count: 48_000 * 4)
        while let block = try reader.next() {
            for (offset, sample) in block.channels[0].enumerated() {
                let place = Int(block.start) + offset
                if samples.indices.contains(place) {
                    samples[place] = sample
                }
            }
        }
        for second in 1...2 {
            let near = samples[(second * 48_000 - 480)..<(second * 48_000 + 480)]
            let peak = near.indices.max { near[$0] < near[$1] } ?? 0
            // Matroska rounds to milliseconds.
            #expect(abs(peak - second * 48_000) <= (container == "mkv" ? 48 : 2))
        }
    }
}

@Suite("Files that appear whole or not at all")
struct AtomicFileTests {
    @Test("nothing is left when the owner goes away")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        do {
            let file = try AtomicFile(at: folder.path("x"), existing: .refuse)
            try Data("half".utf8).write(to: URL(fileURLWithPath: file.temporaryPath))
            #expect(try folder.contents.count == 1)
        }
        #expect(try folder.contents.isEmpty)
    }

    @Test("what nobody writes any more is removed, what another writes is left")
    func remains() throws {
        let folder = try TemporaryFolder()
        func leave(_ name: String) throws {
            try Data("half".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        let other = try AtomicFile(at: folder.path("x"), existing: .refuse)
        let kept = [
            URL(fileURLWithPath: other.temporaryPath).lastPathComponent,
            ".x.y.1-abc.timewarp-part", ".x.1-abc.timewarp-partly", ".x.-abc.timewarp-part",
        ]
        try kept.dropFirst().forEach(leave)
        try leave(".x.1-abc.timewarp-part")
        do {
            let file = try AtomicFile(at: folder.path("x"), existing: .refuse)
            let own = URL(fileURLWithPath: file.temporaryPath).lastPathComponent
            #expect(try Set(folder.contents) == Set(kept + [own]))
        }
        #expect(try Set(folder.contents) == Set(kept))
        try other.publish()
        #expect(try folder.contents.contains("x"))
    }

    @Test("what another machine wrote is left for a day: its lock may not be seen here")
    func foreignRemains() throws {
        let folder = try TemporaryFolder()
        let own = try AtomicFile(at: folder.path("x"), existing: .refuse)
        let name = URL(fileURLWithPath: own.temporaryPath).lastPathComponent
        // What a killed process of this machine left, and two of another one.
        let host = name.dropLast(".timewarp-part".count).suffix(8)
        let other = host == "0123abcd" ? "01234567" : "0123abcd"
        let left = [host, Substring(other), Substring(other)].enumerated().map {
            ".x.1-abc\($0.offset)-\($0.element).timewarp-part"
        }
        for name in left {
            try Data("half".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(-2 * 86_400)],
            ofItemAtPath: folder.path(left[2]))
        _ = try AtomicFile(at: folder.path("x"), existing: .refuse)
        #expect(try Set(folder.contents) == [name, left[1]])
        try own.publish()
    }

    @Test("a folder that a killed run had moved aside is put back, unless its place is taken")
    func aside() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        func make(_ name: String) throws {
            try files.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: false)
            try Data("whole".utf8).write(to: URL(fileURLWithPath: folder.path(name + "/film")))
        }
        func remake() throws {
            _ = try TemporaryOutput(of: folder.path("x"), as: .folder)
        }
        let part = ".x.1-abc.timewarp-part"
        // Killed before the new folder was moved to its place.
        try [part, part + ".old"].forEach(make)
        try remake()
        #expect(try folder.contents == ["x"])
        #expect(files.fileExists(atPath: folder.path("x/film")))
        // Killed after the new folder was moved to its place.
        try make(part + ".old")
        try remake()
        #expect(try Set(folder.contents) == ["x", part + ".old"])
        // Not killed, only not finished yet.
        for name in ["x", part + ".old"] {
            try files.removeItem(atPath: folder.path(name))
        }
        let other = try TemporaryOutput(of: folder.path("x"), as: .folder)
        let name = URL(fileURLWithPath: other.path).lastPathComponent
        try make(name + ".old")
        try remake()
        #expect(try Set(folder.contents) == [name, name + ".old"])
    }

    @Test("a link is followed and stays")
    func link() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: "file")
        for (existing, text) in [(ExistingOutput.refuse, "first"), (.overwrite, "second")] {
            let file = try AtomicFile(at: folder.path("link"), existing: existing)
            try file.write(Data(text.utf8))
            try file.publish()
            #expect(try String(contentsOfFile: folder.path("file"), encoding: .utf8) == text)
            #expect(try folder.contents.sorted() == ["file", "link"])
        }
    }

    @Test("a file that came meanwhile is not replaced")
    func race() throws {
        let folder = try TemporaryFolder()
        let file = try AtomicFile(at: folder.path("x"), existing: .refuse)
        try Data("ours".utf8).write(to: URL(fileURLWithPath: file.temporaryPath))
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: folder.path("x")))
        #expect(throws: MediaError.self) { try file.publish() }
        #expect(try String(contentsOfFile: folder.path("x"), encoding: .utf8) == "theirs")
    }
}

@Suite("Containers and codecs")
struct OutputFormatTests {
    @Test("every pair that is offered can be written and read back", arguments: Container.allCases)
    func pairs(container: Container) throws {
        let folder = try TemporaryFolder()
        let audio: [AudioCodec?] =
            container.audioCodecs.isEmpty ? [nil] : container.audioCodecs.map { $0 }
        let video: [VideoCodec?] = container.isAudioOnly ? [nil] : container.videoCodecs.map { $0 }
        for index in 0..<max(audio.count, video.count) {
            let (videoCodec, audioCodec) = (video[index % video.count], audio[index % audio.count])
            let path = folder.path("\(index).\(container.rawValue)")
            try TestClip {
                $0.frameCount = 8
                $0.videoCodec = videoCodec
                $0.audioCodec = audioCodec
                if videoCodec?.encoder.frames != nil {
                    // A size that all have.
                    ($0.width, $0.height, $0.rate) = (720, 576, FrameRate(known: 25))
                }
            }.write(to: path)
            let asset = try Asset(at: path)
            #expect(asset.videoStreams.count == (videoCodec == nil ? 0 : 1))
            #expect(asset.audioStreams.count == (audioCodec == nil ? 0 : 1))
        }
    }

    @Test("a pair that can't be is refused with what would work")
    func refused() {
        do {
            try Container.mp4.require(VideoCodec.prores, file: "x.mp4")
            Issue.record("ProRes in MP4 was accepted")
        } catch {
            #expect("\(error)".contains(".mov"))
            #expect("\(error)".contains("h264"))
        }
    }
}

@Suite("Frame grids")
struct FrameGridTests {
    @Test("times that a container rounded are put right, times that are uneven are left")
    func grids() throws {
        let folder = try TemporaryFolder()
        // 600 ticks a second hold 60 frames exactly, so a frame that is a tick late is late on purpose.
        let uneven = folder.path("uneven.mp4")
        let ticks: [Int64] = [0, 10, 21, 30, 40, 49, 60, 70, 80, 90]
        try TestClip {
            $0.rate = FrameRate(known: 60)
            $0.frameCount = ticks.count
            $0.audioCodec = nil
            $0.times = (ticks.map { $0 * 20 }, 2000, 12_000)
        }.write(to: uneven)
        let asset = try Asset(at: uneven)
        let reader = try FrameStream(of: asset, stream: asset.videoStreams[0])
        var starts: [RationalTime] = []
        while let frame = try reader.next() {
            starts.append(frame.start)
        }
        #expect(starts == ticks.map { RationalTime($0, over: 600) })
    }
}
