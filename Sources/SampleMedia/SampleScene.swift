import Plotting

/// The content of the sample clip: frames and sound in which every change of time can be seen, heard and
/// measured.
///
/// The hand of a dial turns once a second, a ball moves along a track at constant speed, and every frame
/// shows its number, in digits and as a `FrameBarcode`. At every whole second from 1 s on there is a click,
/// and the frame that starts nearest to it is a flash: light where the other frames are dark. There is no
/// click at 0 s, because decoders may cut the start of the sound.
///
/// ```
///  time    0         1 s        2 s        3 s
///  flash   ..........#..........#..........#......
///  click             ^          ^          ^        peak at the whole second
/// ```
///
/// Frames and sound depend only on their position, so they are the same in whatever order they are made.
package struct SampleScene: Sendable {
    /// The width of the frames in pixels.
    package let width: Int
    /// The height of the frames in pixels.
    package let height: Int
    /// Frames per second, as a fraction.
    package let frameRate: (numerator: Int, denominator: Int)
    /// The number of frames.
    package let frameCount: Int
    /// Samples of sound per second.
    package let sampleRate: Int
    /// The number of channels of sound.
    package let channelCount: Int

    /// A scene of a given size and length.
    ///
    /// - Parameters:
    ///   - width: 96 to 16384 pixels.
    ///   - height: 72 to 16384 pixels.
    ///   - frameRate: Frames per second, at most 1000; the numerator up to a million, the
    ///     denominator up to a hundred thousand.
    ///   - frameCount: 1 or more, at most 2²⁴.
    ///   - sampleRate: 8000 to 384000 samples per second.
    ///   - channelCount: 1 to 8. With six or more channels, the fourth is the low-frequency channel.
    /// - Throws: `PlotError` with `.invalidSize` or `.invalidData` if a value is outside of these.
    package init(
        width: Int, height: Int, frameRate: (numerator: Int, denominator: Int), frameCount: Int,
        sampleRate: Int = 48000, channelCount: Int = 2
    ) throws {
        guard (96...CairoSurface.largestSide).contains(width),
            (72...CairoSurface.largestSide).contains(height)
        else {
            throw PlotError(
                .invalidSize,
                "The frames of a sample clip must be at least 96x72 and at most 16384x16384 "
                    + "pixels, not \(width)x\(height).")
        }
        guard (1...1_000_000).contains(frameRate.numerator),
            (1...100_000).contains(frameRate.denominator),
            frameRate.numerator <= 1000 * frameRate.denominator
        else {
            throw PlotError(
                .invalidData,
                "A sample clip can have a frame rate of up to 1000/1, not "
                    + "\(frameRate.numerator)/\(frameRate.denominator).")
        }
        guard frameCount > 0, frameCount <= FrameBarcode.numbers.count else {
            throw PlotError(
                .invalidData, "A sample clip can have 1 to 16777216 frames, not \(frameCount).")
        }
        guard (8000...384_000).contains(sampleRate), (1...8).contains(channelCount) else {
            throw PlotError(
                .invalidData,
                "A sample clip can have 1 to 8 channels at 8000 to 384000 Hz, not \(channelCount) "
                    + "at \(sampleRate) Hz.")
        }
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}

// MARK: - Time

extension SampleScene {
    /// The seconds from the first frame's start to the last frame's end.
    package var durationInSeconds: Double { seconds(atFrame: frameCount) }

    /// The number of samples in each channel: the duration, rounded to the nearest sample.
    package var sampleCount: Int64 {
        let (n, d) = (Int64(frameRate.numerator), Int64(frameRate.denominator))
        return (2 * Int64(frameCount) * d * Int64(sampleRate) + n) / (2 * n)
    }

    /// When a frame, counted from 0, starts, in seconds.
    package func seconds(atFrame index: Int) -> Double {
        Double(index) * Double(frameRate.denominator) / Double(frameRate.numerator)
    }

    /// The whole seconds at which there is a click: from 1 s on, before the clip's end.
    package var flashSeconds: Range<Int> {
        // The last whole second before the end, in integers: (frames·d − 1) / n.
        let last = (frameCount * frameRate.denominator - 1) / frameRate.numerator
        return 1..<max(1, last + 1)
    }

    /// The number of the frame that is the flash for a whole second: the one that starts nearest to it.
    ///
    /// It starts at most half a frame from the click, and exactly at the click if the frame rate is a whole
    /// number. Nil for a second that isn't one of `flashSeconds`, or if the nearest frame would start at the
    /// clip's end.
    package func flashFrame(atSecond second: Int) -> Int? {
        guard flashSeconds.contains(second) else { return nil }
        let (n, d) = (frameRate.numerator, frameRate.denominator)
        let frame = (2 * second * n + d) / (2 * d)
        return frame < frameCount ? frame : nil
    }

    /// Whether a frame, counted from 0, is a flash. False outside of the clip.
    package func isFlash(frame index: Int) -> Bool {
        guard (0..<frameCount).contains(index) else { return false }
        let (n, d) = (frameRate.numerator, frameRate.denominator)
        // The first whole second to which this frame can be the nearest.
        let second = max(1, ((2 * index - 1) * d + 2 * n - 1) / (2 * n))
        return flashFrame(atSecond: second) == index
    }
}

// MARK: - Content

extension SampleScene {
    /// Draws a frame as opaque 8-bit BGRA, top row first.
    ///
    /// - Parameters:
    ///   - index: The number of the frame, from 0 to `frameCount` − 1.
    ///   - pixels: `bytesPerRow` times `height` bytes, aligned to 4 bytes.
    ///   - bytesPerRow: At least 4 times `width`, and a multiple of 4.
    /// - Throws: `PlotError`: `.invalidData` for an index outside of the clip, `.invalidSize` if
    ///   the frame does not fit the memory, `.drawing` if Cairo fails.
    package func drawFrame(
        _ index: Int, into pixels: UnsafeMutableRawBufferPointer, bytesPerRow: Int
    ) throws {
        guard (0..<frameCount).contains(index) else {
            throw PlotError(
                .invalidData, "The sample clip has frames 0 to \(frameCount - 1), not \(index).")
        }
        try CairoSurface.drawing(on: pixels, width: width, height: height, bytesPerRow: bytesPerRow)
        {
            ScenePainter(scene: self, frame: index, surface: $0).draw()
        }
        FrameBarcode.paint(
            index, intoBGRA: pixels, width: width, height: height, bytesPerRow: bytesPerRow)
    }

    /// The samples `start ..< start + count` of every channel; silence outside of the clip.
    ///
    /// Each channel plays its own quiet melody (see `toneFrequency(ofChannel:atSecond:)`) within ±0.12. The
    /// clicks are the same in all channels: pulses of 1 ms, each one period of a raised cosine, with the peak of
    /// 0.8 exactly at the whole second, where the melody is silent.
    ///
    /// - Returns: One array of `count` samples in −1…1 for each channel.
    package func sound(from start: Int64, count: Int) -> [[Float]] {
        precondition(count >= 0, "a negative number of samples")
        return (0..<channelCount).map { channel in
            SampleSound(scene: self, channel: channel).samples(from: start, count: count)
        }
    }

    /// The frequency in Hz of the tone that a channel plays at an instant in seconds. It changes every half
    /// second, and no two channels play the same tone at the same time.
    ///
    /// - Parameters:
    ///   - channel: 0 to `channelCount` − 1.
    ///   - second: 0 to 1e12.
    package func toneFrequency(ofChannel channel: Int, atSecond second: Double) -> Double {
        precondition((0..<channelCount).contains(channel), "no channel \(channel)")
        precondition((0...1e12).contains(second), "no tone at \(second) s")
        return SampleSound(scene: self, channel: channel).frequency(ofNote: Int(second * 2))
    }
}
