import CLibAV

/// The loudspeaker that each channel is for, such as stereo or 5.1.
///
/// An immutable value. It is a class because it owns a libav layout, which may have memory of its own.
public final class ChannelLayout: Hashable, Sendable, Codable, CustomStringConvertible {
    // nonisolated(unsafe): only `init` writes to it.
    nonisolated(unsafe) private let storage: UnsafeMutablePointer<AVChannelLayout>

    init(copying layout: UnsafePointer<AVChannelLayout>) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: AVChannelLayout())
        guard av_channel_layout_copy(storage, layout) >= 0 else {
            av_channel_layout_default(storage, layout.pointee.nb_channels)
            return
        }
        if storage.pointee.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(storage, layout.pointee.nb_channels)
        }
    }

    /// Creates libav's default layout for a number of channels: 1 is mono, 2 stereo, 6 is 5.1, 8 is 7.1.
    ///
    /// - Parameter channelCount: above 0; otherwise the program stops.
    package init(channelCount: Int) {
        precondition(channelCount > 0, "sound has at least one channel")
        storage = .allocate(capacity: 1)
        storage.initialize(to: AVChannelLayout())
        av_channel_layout_default(storage, CInt(channelCount))
    }

    /// Creates the layout that libav knows by a name, such as `mono`, `stereo` or `5.1`; nil if there is none.
    package init?(named name: String) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: AVChannelLayout())
        guard av_channel_layout_from_string(storage, name) >= 0,
            storage.pointee.order != AV_CHANNEL_ORDER_UNSPEC
        else {
            return nil
        }
    }

    /// Reads libav's name for a layout.
    ///
    /// - Throws: `DecodingError` if libav knows no layout of that name.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let layout = ChannelLayout(named: name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "there is no channel layout \(name)")
        }
        self.init(copying: layout.storage)
    }

    /// Writes libav's name for the layout.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    deinit {
        av_channel_layout_uninit(storage)
        storage.deallocate()
    }

    /// The number of channels.
    public var channelCount: Int { Int(storage.pointee.nb_channels) }

    /// Calls `body` with libav's layout; the pointer is valid only during the call.
    func withPointer<Result>(
        _ body: (UnsafePointer<AVChannelLayout>) throws -> Result
    ) rethrows -> Result {
        try body(storage)
    }

    /// Overwrites a layout of libav's with a copy of this one.
    func copy(to target: inout AVChannelLayout) {
        av_channel_layout_copy(&target, storage)
    }

    /// Whether both have the same channels in the same order.
    public static func == (a: ChannelLayout, b: ChannelLayout) -> Bool {
        av_channel_layout_compare(a.storage, b.storage) == 0
    }

    /// Hashes the number of channels.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(channelCount)
    }

    /// libav's name for the layout, such as `stereo` or `5.1(side)`.
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            text[0] = 0
            av_channel_layout_describe(storage, text.baseAddress, text.count)
            return String(cString: text.baseAddress!)
        }
    }
}
