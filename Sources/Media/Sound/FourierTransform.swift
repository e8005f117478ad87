import CLibAV
import Foundation

/// The discrete Fourier transform of complex single-precision values, one size and one direction.
///
/// The values lie interleaved: real part, imaginary part, real part, … Neither direction is
/// scaled, so forward followed by inverse multiplies by `count`. O(n log n). The buffers belong
/// to the object and are reused by each call: one object is used by one thread at a time.
package final class FourierTransform {
    /// Which way to go.
    package enum Direction {
        /// From values to spectrum, with e^(−2πi·kn/N).
        case forward
        /// From spectrum to values, with e^(+2πi·kn/N).
        case inverse
    }

    /// How many complex values one transform takes and gives.
    package let count: Int

    private let input: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<Float>
    private var context: OpaquePointer?
    private let function: av_tx_fn

    /// A transform of `count` complex values, a power of two from 2 to 131072, which is what
    /// FFmpeg 5.1 takes. Throws when libav refuses the size or has no memory.
    package init(count: Int, direction: Direction) throws {
        let bytes = count * 2 * MemoryLayout<Float>.stride
        var context: OpaquePointer?
        var function: av_tx_fn?
        var scale: Float = 1
        let status = av_tx_init(
            &context, &function, AV_TX_FLOAT_FFT, direction == .inverse ? 1 : 0, Int32(count),
            &scale, 0)
        guard status >= 0, let function else {
            av_tx_uninit(&context)
            throw libAVError(status, doing: "preparing a Fourier transform", "", as: .library)
        }
        // libav's own allocator keeps the alignment that its vector code asks for.
        guard let input = av_mallocz(bytes), let output = av_mallocz(bytes) else {
            av_tx_uninit(&context)
            throw libAVError(
                tw_error_from_errno(ENOMEM), doing: "preparing a Fourier transform", "",
                as: .library)
        }
        self.count = count
        self.context = context
        self.function = function
        self.input = input.bindMemory(to: Float.self, capacity: count * 2)
        self.output = output.bindMemory(to: Float.self, capacity: count * 2)
    }

    deinit {
        av_tx_uninit(&context)
        av_free(input)
        av_free(output)
    }

    /// Transforms what `write` puts into its `2·count` floats and hands the result to `read`.
    ///
    /// `write` must set all of them: what an earlier call left there is undefined. The pointers
    /// are valid only inside the closures.
    package func transform<Result>(
        writing write: (UnsafeMutablePointer<Float>) throws -> Void,
        reading read: (UnsafePointer<Float>) throws -> Result
    ) rethrows -> Result {
        try write(input)
        function(context, output, input, MemoryLayout<AVComplexFloat>.stride)
        return try read(UnsafePointer(output))
    }
}
