import CLibAV
import Foundation

/// An output of libav that hands its bytes to a function.
final class ByteSink {
    private(set) var context: UnsafeMutablePointer<AVIOContext>!
    /// What the function threw.
    private(set) var failure: (any Error)?
    private let write: (Data) throws -> Void

    init(_ path: String, _ write: @escaping (Data) throws -> Void) throws {
        self.write = write
        context = try allocated(
            tw_sink_new(Unmanaged.passUnretained(self).toOpaque(), Self.take, 1 << 16), path)
    }

    deinit {
        tw_sink_free(&context)
    }

    private static let take:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, CInt) -> CInt = {
            owner, bytes, count in
            guard let owner, let bytes else {
                return count
            }
            let sink = Unmanaged<ByteSink>.fromOpaque(owner).takeUnretainedValue()
            do {
                try sink.failure.map { throw $0 }
                try sink.write(Data(bytes: bytes, count: Int(count)))
                return count
            } catch {
                sink.failure = error
                return tw_error_from_errno(EPIPE)
            }
        }
}
