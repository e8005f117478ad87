import Plotting

/// The sample clip's content: a picture and a sound in which every change of time can be seen,
/// heard and measured.
///
/// The hand of a dial turns once a second, a ball runs along a track at constant speed, and every
/// frame shows its number, in digits and as a `FrameBarcode`. At every whole second from the first
/// on (1 s, 2 s, … and not 0, which decoders may cut into) there is a click, and the frame that
/// starts nearest to it is a flash: light where the others are dark.
///
/// ```
///  time    0         1 s        2 s        3 s
///  flash   ..........#..........#..........#......
///  click             ^          ^          ^        peak at the whole second
/// ```
///
/// Frames and sound are functions of their place alone: the same bytes in any order.
public struct SampleScene: Sendable {
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int
    /// Frames per second, as a fraction.
    public let frameRate: (numerator: Int, denominator: Int)
    /// How many frames it has.
    public let frameCount: Int
    /// Samples per second.
    public let sampleRate: Int
    /// How many channels of sound it has.
    public let channelCount: Int

    /// - Parameters:
    ///   - width: 96 to 16384 pixels.
    ///   - height: 72 to 16384 pixels.
    ///   - frameRate: Frames per second, at most 1000; the numerator up to a million, the
    ///     denominator up to a hundred thousand.
    ///   - frameCount: 1 or more, at most 2²⁴.
    ///   - sampleRate: 8000 to 384000 samples per second.
    ///   - channelCount: 1 to 8. From six channels on, the fourth is taken for the low-frequency
    ///     one.
    /// - Throws: `PlotError` with `.invalidSize` or `.invalidData` if a value is outside of these.
    public init(
        width: Int, height: Int, frameRate: (numerator: Int, denominator: Int), frameCount: Int,
        sampleRate: Int = 48000, channelCount: Int = 2
    ) throws {
        guard (96...CairoSurface.largestSide).contains(width),
            (72...CairoSurface.largestSide).contains(height)
        else {
            throw PlotError(
                .invalidSize,
                "A sample clip's picture is at least 96x72 and at most 16384x16384 pixels, "
                    + "not \(width)x\(height).")
        }
        guard (1...1_000_000).contains(frameRate.numerator),
            (1...100_000).contains(frameRate.denominator),
            frameRate.numerator <= 1000 * frameRate.denominator
        else {
            throw PlotError(
                .invalidData,
                "A sample clip has a frame rate of up to 1000/1, not "
                    + "\(frameRate.numerator)/\(frameRate.denominator).")
        }
        guard frameCount > 0, frameCount <= FrameBarcode.numbers.count else {
            throw PlotError(
                .invalidData, "A sample clip has 1 to 16777216 frames, not \(frameCount).")
        }
        guard (8000...384_000).contains(sampleRate), (1...8).contains(channelCount) else {
            throw PlotError(
                .invalidData,
                "A sample clip has 1 to 8 channels at 8000 to 384000 Hz, not \(channelCount) at "
                    + "\(sampleRate) Hz.")
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
    /// Seconds from the first frame's start to the last frame's end.
    public var durationInSeconds: Double { seconds(atFrame: frameCount) }

    /// Samples in each channel: the duration, to the nearest sample.
    public var sampleCount: Int64 {
        let (n, d) = (Int64(frameRate.numerator), Int64(frameRate.denominator))
        return (2 * Int64(frameCount) * d * Int64(sampleRate) + n) / (2 * n)
    }

    /// When a frame starts, in seconds.
    public func seconds(atFrame index: Int) -> Double {
        Double(index) * Double(frameRate.denominator) / Double(frameRate.numerator)
    }

    /// The whole seconds at which the scene clicks and flashes: from 1 on, before the end.
    public var flashSeconds: Range<Int> {
        // The last whole second that is really inside, in integers: (frames·d − 1) / n.
        let last = (frameCount * frameRate.denominator - 1) / frameRate.numerator
        return 1..<max(1, last + 1)
    }

    /// The frame that flashes for a whole second: the one that starts nearest to it.
    ///
    /// It starts at most half a frame from the click; exactly at it if the rate is a whole number.
    /// `nil` for a second that is not one of `flashSeconds`, or whose nearest frame is past the
    /// end.
    public func flashFrame(atSecond second: Int) -> Int? {
        guard flashSeconds.contains(second) else { return nil }
        let (n, d) = (frameRate.numerator, frameRate.denominator)
        let frame = (2 * second * n + d) / (2 * d)
        return frame < frameCount ? frame : nil
    }

    /// Whether a frame is a flash.
    public func isFlash(frame index: Int) -> Bool {
        guard (0..<frameCount).contains(index) else { return false }
        let (n, d) = (frameRate.numerator, frameRate.denominator)
        // The first whole second that the frame can be nearest to.
        let second = max(1, ((2 * index - 1) * d + 2 * n - 1) / (2 * n))
        return flashFrame(atSecond: second) == index
    }
}

// MARK: - Content

extension SampleScene {
    /// Draws a frame as 8-bit BGRA, opaque, rows from the top.
    ///
    /// - Parameters:
    ///   - index: 0 up to `frameCount`.
    ///   - pixels: `bytesPerRow` times `height` bytes, aligned to 4 bytes.
    ///   - bytesPerRow: At least 4 times `width`, and a multiple of 4.
    /// - Throws: `PlotError`: `.invalidData` for an index outside of the clip, `.invalidSize` if
    ///   the picture does not fit the memory, `.drawing` if Cairo fails.
    public func drawFrame(
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

    /// The samples of every channel in `start ..< start + count`; silence outside of the clip.
    ///
    /// Each channel plays a quiet melody of its own (see `toneFrequency(ofChannel:atSecond:)`),
    /// below ±0.12. The clicks, in all channels alike, are 1 ms long pulses of one raised-cosine
    /// period with their peak of 0.8 exactly at the whole second, where the melody is silent.
    ///
    /// - Returns: One array of `count` samples in −1…1 for each channel.
    public func sound(from start: Int64, count: Int) -> [[Float]] {
        precondition(count >= 0, "a negative number of samples")
        return (0..<channelCount).map { channel in
            SampleSound(scene: self, channel: channel).samples(from: start, count: count)
        }
    }

    /// The pitch in Hz that a channel plays at an instant in seconds. No two channels ever play the
    /// same; each changes every half second.
    public func toneFrequency(ofChannel channel: Int, atSecond second: Double) -> Double {
        precondition((0..<channelCount).contains(channel), "no channel \(channel)")
        precondition((0...1e12).contains(second), "no tone at \(second) s")
        return SampleSound(scene: self, channel: channel).frequency(ofNote: Int(second * 2))
    }
}
