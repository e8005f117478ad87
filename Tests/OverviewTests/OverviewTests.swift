import Foundation
import Media
import SampleMedia
import TestSupport
import Testing
import TimeMaps

@testable import Overview

@Suite("What editors show beneath a timeline")
struct OverviewTests {
    /// The number in the barcode of a frame in the film strip.
    private func number(_ strip: FilmStrip, _ place: Int) -> Int? {
        let image = strip.image(at: place)
        return image.pixels.withUnsafeBytes {
            FrameBarcode.read(
                bgra: $0, width: image.width, height: image.height,
                bytesPerRow: image.width * 4)
        }
    }

    @Test("a strip has the frame of the middle of each share")
    func shortClip() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mkv")
        try TestClip {
            $0.width = 320
            $0.height = 240
            $0.frameCount = 104
        }.write(to: path)
        let strip = try FilmStrip(of: try Asset(at: path), count: 8, height: 240)
        #expect(strip.width == 320)
        #expect((0..<8).map { number(strip, $0) } == (0..<8).map { 6 + 13 * $0 })
    }

    @Test("in a long clip the keyframe next to it costs one decoding")
    func longClip() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        try TestClip {
            $0.width = 320
            $0.height = 240
            $0.frameCount = 1100
        }.write(to: path)
        let asset = try Asset(at: path)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        let keys = Set(index.groups.map(\.frames.lowerBound))
        let strip = try FilmStrip(of: asset, count: 4, height: 240)
        let numbers = (0..<4).compactMap { number(strip, $0) }
        #expect(numbers.count == 4)
        #expect(numbers == numbers.sorted())
        #expect(keys.isSuperset(of: numbers))
        // The middle of each quarter, and the keyframe that is nearest to it.
        for (place, number) in numbers.enumerated() {
            let middle = 137.5 + 275 * Double(place)
            let distances = keys.map { abs(Double($0) - middle) }
            #expect(abs(Double(number) - middle) <= (distances.min() ?? 0) + 1)
        }
    }

    @Test("frames stand upright, with square pixels")
    func upright() throws {
        let folder = try TemporaryFolder()
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=320x180:d=1", "-pix_fmt", "yuv420p",
            folder.path("a.mp4"),
        ])
        try ReferenceTools.ffmpeg([
            "-i", folder.path("a.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90",
            folder.path("turned.mp4"),
        ])
        try ReferenceTools.ffmpeg([
            "-i", folder.path("a.mp4"), "-vf", "setsar=2", folder.path("wide.mp4"),
        ])
        #expect(
            try FilmStrip(of: try Asset(at: folder.path("turned.mp4")), height: 160).width == 90)
        #expect(try FilmStrip(of: try Asset(at: folder.path("wide.mp4")), height: 90).width == 320)
    }

    @Test("a panorama, or a file that lies about its pixels, gets a strip that can be drawn")
    func panorama() throws {
        let folder = try TemporaryFolder()
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=1600x40:d=1", "-vf", "setsar=1000/1", "-pix_fmt",
            "yuv420p", folder.path("a.mp4"),
        ])
        let strip = try FilmStrip(of: try Asset(at: folder.path("a.mp4")))
        #expect(strip.image.width <= 16_384)
        #expect(try !strip.image.png().isEmpty)
    }

    @Test("a strip is a PNG that others read")
    func png() throws {
        let folder = try TemporaryFolder()
        try TestClip().write(to: folder.path("a.mp4"))
        let strip = try FilmStrip(of: try Asset(at: folder.path("a.mp4")), count: 3, height: 60)
        try Data(try strip.image.png()).write(to: folder.url.appendingPathComponent("a.png"))
        let size = try ReferenceTools.ffprobe([
            "-show_entries", "stream=codec_name,width,height", folder.path("a.png"),
        ])
        #expect(size == ["png,240,60"])
    }

    @Test("a waveform has the lowest and the highest sample of each column")
    func waveform() throws {
        let folder = try TemporaryFolder()
        let rate = 8000
        // Silence, then a tone on the second channel alone, then a step up.
        let silence = [Float](repeating: 0, count: rate)
        let tone = (0..<rate).map { Float(0.5 * sin(2 * Double.pi * 100 * Double($0) / 8000)) }
        let step = [Float](repeating: 0.25, count: rate)
        try ReferenceTools.writeSound(
            [silence + silence + step, silence + tone + step], sampleRate: rate,
            to: folder.path("a.wav"))
        let waveform = try Waveform(of: try Asset(at: folder.path("a.wav")), columns: 30)
        #expect(waveform.maximum[0..<10].allSatisfy { $0 == 0 })
        #expect(waveform.maximum[10..<20].allSatisfy { abs($0 - 0.5) < 1e-3 })
        #expect(waveform.minimum[10..<20].allSatisfy { abs($0 + 0.5) < 1e-3 })
        #expect(waveform.maximum[20..<30].allSatisfy { $0 == 0.25 })
        #expect(waveform.minimum[21..<30].allSatisfy { $0 == 0 || $0 == 0.25 })
    }

    @Test("a part of a waveform has the samples of that part, column by column")
    func waveformOfPart() throws {
        let folder = try TemporaryFolder()
        let rate = 8000
        // The level tells the time: it rises by a thousandth every 80 samples.
        let ramp = (0..<10 * rate).map { Float($0 / 80) / 1000 }
        try ReferenceTools.writeSound([ramp], sampleRate: rate, to: folder.path("a.wav"))
        let asset = try Asset(at: folder.path("a.wav"))
        let range = try TimeRange(
            start: RationalTime(5, over: 1), duration: RationalTime(1, over: 2))
        let part = try Waveform(of: asset, range: range, columns: 50)
        for (column, level) in part.maximum.enumerated() {
            #expect(abs(level - (0.5 + 0.001 * Float(column))) < 1e-3)
        }
    }

    @Test("a part of a strip has every frame of that part")
    func stripOfPart() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        try TestClip {
            $0.width = 320
            $0.height = 240
            $0.frameCount = 1100
        }.write(to: path)
        let asset = try Asset(at: path)
        let index = try PacketIndex(of: asset, stream: asset.videoStreams[0])
        let rate = try #require(asset.videoStreams[0].videoFormat?.frameRate)
        let range = try TimeRange(
            start: rate.frameDuration.multiplied(by: 611, over: 1),
            duration: rate.frameDuration.multiplied(by: 6, over: 1))
        let strip = try FilmStrip(
            of: asset, range: range, index: index, count: 6, height: 240, checkCancelled: {})
        #expect((0..<6).map { number(strip, $0) } == (0..<6).map { 611 + $0 })
    }

    @Test("what has no video or no sound says so")
    func missing() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.videoCodec = nil }.write(to: folder.path("a.m4a"))
        try TestClip { $0.audioCodec = nil }.write(to: folder.path("a.mp4"))
        #expect(throws: MediaError.self) { try FilmStrip(of: try Asset(at: folder.path("a.m4a"))) }
        #expect(throws: MediaError.self) { try Waveform(of: try Asset(at: folder.path("a.mp4"))) }
    }
}
