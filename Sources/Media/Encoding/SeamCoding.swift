import CLibAV

/// What an encoder keeps to so that its packets can follow those of another encoder in one track.
package struct SeamCoding: Sendable, Hashable {
    /// The profile by the encoder's name, where it has to be asked for one.
    let profileName: String?
    /// The level by libav's number; nil to let the encoder choose.
    let level: CInt?
    /// The number of the parameter sets of H.264, where it isn't one of the stream's; nil to let the encoder choose.
    package let headerNumber: Int?
    /// Whether the level is one of HEVC's high tier.
    let isHighTier: Bool
    /// By how many frames presentation may lag behind decoding.
    package let delay: Int

    /// What our encoder keeps to after and before the packets of a stream; nil if it can't write that profile.
    ///
    /// - Parameter delay: by how many frames presentation lags behind decoding in the stream, at least.
    package init?(of format: EncodedFormat, as codec: VideoCodec, delay: Int) {
        let parameters = format.parameters.pointee
        self.delay = max(delay, Int(parameters.video_delay))
        let units = NALUnits(of: format)
        // The last one that there can be.
        headerNumber = units?.hasOnlyFirstHeaders == true ? 31 : nil
        isHighTier = units?.isHighTier ?? false
        let stated = parameters.level > 0 ? parameters.level : nil
        switch codec {
        case .h264:
            guard let name = Self.h264Profiles[parameters.profile] else {
                return nil
            }
            (profileName, level) = (name, stated)
        case .hevc:
            // Main, Main 10 and the format range extensions, of which the encoder chooses by the pixel format.
            guard [1, 2, 4].contains(parameters.profile) else {
                return nil
            }
            (profileName, level) = (nil, stated)
        case .prores:
            guard (0...5).contains(parameters.profile) else {
                return nil
            }
            (profileName, level) = (String(parameters.profile), nil)
        case .dnxhd:
            guard let name = Self.dnxhrProfiles[parameters.profile] else {
                return nil
            }
            (profileName, level) = (name, nil)
        case .av1, .vp9, .mjpeg, .dvvideo, .ffv1, .gif, .rawvideo:
            (profileName, level) = (nil, nil)
        }
    }

    /// The profiles of DNxHR by libav's numbers. Those of DNxHD are of fixed sizes and bit rates.
    private static let dnxhrProfiles: [CInt: String] = [
        1: "dnxhr_lb", 2: "dnxhr_sq", 3: "dnxhr_hq", 4: "dnxhr_hqx", 5: "dnxhr_444",
    ]

    /// The profiles of H.264 without those of frames that are all keyframes, by `profile_idc` and libav's flag for constrained
    /// ones (ITU-T H.264, annex A).
    private static let h264Profiles: [CInt: String] = [
        66: "baseline", 66 | 1 << 9: "baseline", 77: "main", 100: "high", 110: "high10",
        122: "high422", 244: "high444",
    ]
}
