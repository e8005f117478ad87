import CLibAV

/// Which loudspeaker each channel is for.
///
/// A value that owns its libav layout: custom maps live on the heap.
public final class ChannelLayout: Hashable, Sendable, CustomStringConvertible {
    // nonisolated(unsafe): written in `init` only, read-only after.
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

    /// The usual layout for so many channels: 1 mono, 2 stereo, 6 is 5.1, 8 is 7.1.
    public init(channelCount: Int) {
        precondition(channelCount > 0, "sound has at least one channel")
        storage = .allocate(capacity: 1)
        storage.initialize(to: AVChannelLayout())
        av_channel_layout_default(storage, CInt(channelCount))
    }

    /// The layout of that name: `mono`, `stereo`, `5.1`; nil where libav knows none.
    public init?(named name: String) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: AVChannelLayout())
        guard av_channel_layout_from_string(storage, name) >= 0,
            storage.pointee.order != AV_CHANNEL_ORDER_UNSPEC
        else {
            return nil
        }
    }

    deinit {
        av_channel_layout_uninit(storage)
        storage.deallocate()
    }

    /// How many channels there are.
    public var channelCount: Int { Int(storage.pointee.nb_channels) }

    /// Calls `body` with libav's form, which must not outlive the call.
    func withPointer<Result>(
        _ body: (UnsafePointer<AVChannelLayout>) throws -> Result
    ) rethrows -> Result {
        try body(storage)
    }

    /// Replaces a layout of libav's by this one.
    func copy(to target: inout AVChannelLayout) {
        av_channel_layout_copy(&target, storage)
    }

    public static func == (a: ChannelLayout, b: ChannelLayout) -> Bool {
        av_channel_layout_compare(a.storage, b.storage) == 0
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(channelCount)
    }

    /// libav's name: `stereo`, `5.1(side)`, …
    public var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            text[0] = 0
            av_channel_layout_describe(storage, text.baseAddress, text.count)
            return String(cString: text.baseAddress!)
        }
    }
}
