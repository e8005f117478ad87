import CLibAV

extension Asset.Stream {
    /// Whether the stream's codec always keeps all samples exactly. False for codecs that only can do so, such as H.264.
    package var isLossless: Bool {
        guard let codec = avcodec_descriptor_get_by_name(codecName) else {
            return false
        }
        return codec.pointee.props & (AV_CODEC_PROP_LOSSLESS | AV_CODEC_PROP_LOSSY)
            == AV_CODEC_PROP_LOSSLESS
    }
}
