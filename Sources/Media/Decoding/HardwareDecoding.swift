import CLibAV

/// Whether hardware decodes video.
public enum HardwareDecoding: String, CaseIterable, Sendable, Codable {
    /// Software decodes.
    case off
    /// The first hardware that decodes to the same frames as software, else software.
    case auto
    /// NVIDIA's decoders.
    case cuda
    /// Apple's decoders.
    case videotoolbox
    /// Decoders of Linux' graphics drivers.
    case vaapi
    /// Decoders of older graphics drivers on Linux.
    case vdpau
    /// Decoders by Vulkan, where FFmpeg has them (6.1 and later).
    case vulkan

    /// What FFmpeg calls the device; nil if no kind is meant.
    var device: AVHWDeviceType? {
        switch self {
        case .off, .auto: nil
        case .cuda: AV_HWDEVICE_TYPE_CUDA
        case .videotoolbox: AV_HWDEVICE_TYPE_VIDEOTOOLBOX
        case .vaapi: AV_HWDEVICE_TYPE_VAAPI
        case .vdpau: AV_HWDEVICE_TYPE_VDPAU
        case .vulkan: AV_HWDEVICE_TYPE_VULKAN
        }
    }

    /// Codecs whose standards say to the last bit what a decoder makes of a stream.
    private static let exactCodecs: Set = [
        AV_CODEC_ID_H264.rawValue, AV_CODEC_ID_HEVC.rawValue, AV_CODEC_ID_VP8.rawValue,
        AV_CODEC_ID_VP9.rawValue, AV_CODEC_ID_AV1.rawValue,
    ]
    /// How many frames of a stream are compared.
    private static let comparedFrames = 24

    /// The hardware that decodes a stream, after its first frames have been decoded by it and by software, and are the same.
    ///
    /// - Returns: the kind; for ``auto`` ``off`` if none of them does.
    /// - Throws: ``MediaError`` with FFmpeg's reason if one kind is meant, and doesn't.
    package func trial(of asset: Asset, stream: Asset.Stream) throws -> HardwareDecoding {
        guard self != .off else {
            return .off
        }
        let kinds = Self.allCases.filter { $0.device != nil && [$0, .auto].contains(self) }
        var wanted: [UInt64?]?
        var failure: MediaError?
        for kind in kinds {
            do {
                guard let codec = stream.decoder,
                    Self.exactCodecs.contains(codec.pointee.id.rawValue)
                else {
                    throw MediaError(
                        .unsupported, file: asset.path,
                        reason: "\(stream.codecName) isn't decoded to the same frames everywhere")
                }
                // Opened first: where there is no device, nothing needs to be decoded.
                let decoder = try StreamDecoder(of: asset, stream: stream, threads: 1, by: kind)
                let expected =
                    try wanted
                    ?? Self.digests(StreamDecoder(of: asset, stream: stream, threads: 0))
                wanted = expected
                guard try Self.digests(decoder) == expected, decoder.isOnHardware else {
                    throw MediaError(
                        .unsupported, file: asset.path,
                        reason:
                            "\(kind.rawValue) doesn't decode it to the frames that software makes")
                }
                return kind
            } catch let error as MediaError {
                failure = failure ?? error
            }
        }
        guard self == .auto else {
            throw MediaError(
                .unsupported, file: asset.path, reason: failure?.reason ?? "nothing is known of it",
                remedy: "Choose \(.hardwareDecoding) auto, or leave it out")
        }
        return .off
    }

    private static func digests(_ decoder: StreamDecoder) throws -> [UInt64?] {
        var digests: [UInt64?] = []
        while digests.count < comparedFrames,
            let frame = try decoder.next({ raw in
                let frame = try Frame()
                av_frame_move_ref(frame.pointer, raw)
                return frame
            })
        {
            digests.append(frame.digest)
        }
        return digests
    }
}
