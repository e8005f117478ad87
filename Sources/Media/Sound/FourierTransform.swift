import CLibAV
import Foundation

/// A discrete Fourier transform of complex single-precision values, of a fixed size and direction.
///
/// Values are interleaved: real part, imaginary part, real part and so on. Neither direction is scaled, so a
/// forward and an inverse transform together multiply by `count`. O(n log n). The buffers belong to the object and
/// are reused by each call, so use an object on one thread at a time.
package final class FourierTransform {
    /// The direction of a transform.
    package enum Direction {
        /// From values to their spectrum, with e^(−2πi·kn/N).
        case forward
        /// From a spectrum to its values, with e^(+2πi·kn/N).
        case inverse
    }

    /// The number of complex values in and out of a transform.
    package let count: Int

    private let input: FourierValues
    private let output: FourierValues
    private var context: OpaquePointer?
    private let function: av_tx_fn

    /// Creates a transform.
    ///
    /// - Parameter count: the number of complex values; a power of two from 2 to 131072, which FFmpeg 5.1
    ///   supports.
    /// - Throws: ``MediaError`` when libav refuses the size, or memory has run out.
    package init(count: Int, direction: Direction) throws {
        input = try FourierValues(count: count)
        output = try FourierValues(count: count)
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
        self.count = count
        self.context = context
        self.function = function
    }

    deinit {
        av_tx_uninit(&context)
    }

    /// Transforms values into others, which must not be the same.
    ///
    /// - Parameters:
    ///   - input: `count` complex values; undefined afterwards.
    ///   - output: receives `count` complex values.
    package func transform(_ input: FourierValues, into output: FourierValues) {
        precondition(input.count == count && output.count == count && input !== output)
        function(context, output.floats, input.floats, MemoryLayout<AVComplexFloat>.stride)
    }

    /// Transforms the `2·count` floats that `write` stores, and calls `read` with the `2·count` floats of the
    /// result.
    ///
    /// `write` must set all of them, because they are undefined before. The pointers are valid only inside the
    /// closures.
    package func transform<Result>(
        writing write: (UnsafeMutablePointer<Float>) throws -> Void,
        reading read: (UnsafePointer<Float>) throws -> Result
    ) rethrows -> Result {
        try write(input.floats)
        transform(input, into: output)
        return try read(UnsafePointer(output.floats))
    }
}

/// Memory for the complex values of a ``FourierTransform``, aligned as libav's vector code needs it.
package final class FourierValues {
    /// The number of complex values.
    package let count: Int
    /// The `2·count` floats: real part, imaginary part, real part and so on. At first they are 0.
    package let floats: UnsafeMutablePointer<Float>

    /// - Throws: ``MediaError`` when memory has run out.
    package init(count: Int) throws {
        guard let memory = av_mallocz(count * 2 * MemoryLayout<Float>.stride) else {
            throw libAVError(
                tw_error_from_errno(ENOMEM), doing: "preparing a Fourier transform", "",
                as: .library)
        }
        self.count = count
        floats = memory.bindMemory(to: Float.self, capacity: count * 2)
    }

    deinit {
        av_free(floats)
    }
}
