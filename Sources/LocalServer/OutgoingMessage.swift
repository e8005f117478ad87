import CMicroHTTPD
import Foundation

/// A response in the form that libmicrohttpd sends. The library keeps it until it is sent.
final class OutgoingMessage {
    let handle: OpaquePointer
    /// Where the pieces of the body come from if the length of the body isn't known.
    let feed: StreamFeed?

    /// Nil if the response can't be sent: memory or descriptors are used up, or a header field is malformed.
    init?(_ response: Response) {
        let made: OpaquePointer?
        var feed: StreamFeed?
        switch response.body {
        case .empty:
            made = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .data(let data):
            made = Self.message(data)
        case .file(let file, let range):
            made = Self.message(file, range)
        case .stream(let stream):
            let pieces = StreamFeed(stream)
            feed = pieces
            made = Self.message(pieces)
        }
        guard let made else {
            feed?.cancel()
            return nil
        }
        handle = made
        self.feed = feed
        for (name, value) in response.headers.fields {
            guard MHD_add_response_header(made, name.text, value) == .YES else {
                return nil
            }
        }
    }

    deinit {
        MHD_destroy_response(handle)
    }

    private static func message(_ data: Data) -> OpaquePointer? {
        data.withUnsafeBytes { bytes in
            // The library copies the bytes and doesn't write to them, in spite of the mutable pointer.
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY)
        }
    }

    private static func message(_ file: OpenFile, _ range: Range<Int64>) -> OpaquePointer? {
        let descriptor = file.duplicate()
        guard descriptor >= 0 else {
            return nil
        }
        let made = MHD_create_response_from_fd_at_offset64(
            UInt64(range.count), descriptor, UInt64(range.lowerBound))
        if made == nil {
            close(descriptor)
        }
        return made
    }

    private static func message(_ feed: StreamFeed) -> OpaquePointer? {
        let context = Unmanaged.passRetained(feed)
        let made = MHD_create_response_from_callback(
            TW_SIZE_UNKNOWN, 16 << 10,
            { context, _, buffer, count in
                guard let context, let buffer else {
                    return TW_END_WITH_ERROR
                }
                let feed = Unmanaged<StreamFeed>.fromOpaque(context).takeUnretainedValue()
                return feed.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
                    ?? TW_END_OF_STREAM
            }, context.toOpaque(),
            { context in
                if let context {
                    Unmanaged<StreamFeed>.fromOpaque(context).takeRetainedValue().cancel()
                }
            })
        if made == nil {
            context.release()
        }
        return made
    }
}
