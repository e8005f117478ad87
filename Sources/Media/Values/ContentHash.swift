import CLibAV

/// A hash of 128 bits (MurmurHash3) of bytes, to recognise content that changed. It tells damage and mix-ups, not
/// forgeries: whoever can write the files can make two with the same hash.
package struct ContentHash {
    // MurmurHash3 reads several gigabytes a second; SHA-256 in libavutil a tenth of that.
    private let state: State

    private final class State {
        let context: OpaquePointer
        /// Fewer than 16 bytes, which libavutil doesn't have yet.
        var rest: [UInt8] = []

        init() {
            guard let context = av_murmur3_alloc() else {
                preconditionFailure("no memory for a hash")
            }
            av_murmur3_init(context)
            self.context = context
        }

        deinit {
            av_free(UnsafeMutableRawPointer(context))
        }
    }

    /// The hash of nothing, so far.
    package init() {
        state = State()
    }

    /// Adds bytes.
    package func add(_ bytes: UnsafeRawBufferPointer) {
        // libavutil's hash is the same however the bytes are divided only if all parts but the last have a multiple of
        // 16 bytes.
        guard state.rest.count + bytes.count >= Self.blockBytes else {
            state.rest += bytes
            return
        }
        let joined = state.rest.isEmpty ? 0 : Self.blockBytes - state.rest.count
        if joined > 0 {
            update(state.rest + bytes.prefix(joined))
        }
        let whole = (bytes.count - joined) & ~(Self.blockBytes - 1)
        let start = bytes.baseAddress?.advanced(by: joined)
        av_murmur3_update(state.context, start?.assumingMemoryBound(to: UInt8.self), whole)
        state.rest = Array(bytes.dropFirst(joined + whole))
    }

    private static let blockBytes = 16

    private func update(_ bytes: [UInt8]) {
        av_murmur3_update(state.context, bytes, bytes.count)
    }

    /// The hash of all bytes that were added. Call it once.
    package func finish() -> [UInt8] {
        update(state.rest)
        var result = [UInt8](repeating: 0, count: 16)
        av_murmur3_final(state.context, &result)
        return result
    }

    /// The hash of some bytes, of 16 bytes.
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        let hash = ContentHash()
        bytes.withUnsafeBytes(hash.add)
        return hash.finish()
    }

    /// The hash of some bytes as 32 hexadecimal digits.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        hexadecimal(of(Array(bytes)))
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
}
