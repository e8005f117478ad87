import CLibAV

extension Asset {
    /// The asset time of the first frame that comes out of the decoder, in seconds.
    ///
    /// - Parameter count: how many packets of the file are read, at most.
    /// - Returns: nil if nothing can be decoded from these packets, or the frame has no time.
    /// - Throws: `CancellationError`.
    package func firstDecodedSeconds(
        of stream: Stream, fromPackets count: Int
    ) throws -> Double? {
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
            let ticks = try decoder.next { $0.pointee.best_effort_timestamp }
            guard let ticks, ticks != TW_NO_PTS else {
                return nil
            }
            return Double(ticks) * av_q2d(decoder.timeBase) - origin.seconds
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }
}
