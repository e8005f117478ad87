import CLibAV

extension Asset {
    /// A frame, as it comes out of the decoder.
    package struct DecodedFrame: Sendable {
        /// The asset time, in seconds.
        package let seconds: Double
        package let width: Int
        package let height: Int
    }

    /// The first frame that comes out of the decoder.
    ///
    /// - Parameter count: how many packets of the file are read, at most.
    /// - Returns: nil if nothing can be decoded from these packets, or the frame has no time.
    /// - Throws: `CancellationError`.
    package func firstDecodedFrame(
        of stream: Stream, fromPackets count: Int
    ) throws -> DecodedFrame? {
        struct Enough: Error {}
        guard let decoder = try? StreamDecoder(of: self, stream: stream, threads: 1) else {
            return nil
        }
        var left = count
        decoder.checkCancelled = {
            try Task.checkCancellation()
            left -= 1
            guard left >= 0 else {
                throw Enough()
            }
        }
        do {
            let timeBase = decoder.timeBase
            let first = try decoder.next { frame in
                let (ticks, image) = (frame.pointee.best_effort_timestamp, frame.pointee)
                return ticks == TW_NO_PTS
                    ? nil
                    : DecodedFrame(
                        seconds: Double(ticks) * av_q2d(timeBase) - origin.seconds,
                        width: Int(image.width), height: Int(image.height))
            }
            return first ?? nil
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }
}
