import CLibAV

/// Rewrites the packets of a stream by libav's bitstream filters. Used on one thread.
package final class PacketFilter {
    /// What the rewritten packets are.
    package let format: EncodedFormat
    private var context: UnsafeMutablePointer<AVBSFContext>?
    private let path: String

    /// Brings packets of H.264 or HEVC into the form in which those of several encoders can follow each other in one
    /// track: units after start codes, and the parameter sets in front of each keyframe. A decoder that comes to a
    /// keyframe, from wherever, has the right ones then.
    ///
    /// - Parameter path: the file that errors name.
    /// - Returns: nil for codecs whose packets hold all that a decoder needs.
    /// - Throws: ``MediaError`` if the linked FFmpeg has no such filter, or it refuses the stream.
    package static func forSeams(
        of format: EncodedFormat, path: String
    ) throws -> PacketFilter? {
        guard NALUnits(of: format) != nil else {
            return nil
        }
        // The first filter leaves units that have start codes as they are.
        let codec = String(cString: avcodec_get_name(format.parameters.pointee.codec_id))
        return try PacketFilter(
            "\(codec)_mp4toannexb,dump_extra=freq=keyframe", of: format, path: path)
    }

    private init(_ filters: String, of format: EncodedFormat, path: String) throws {
        self.path = path
        var context: UnsafeMutablePointer<AVBSFContext>?
        try check(
            av_bsf_list_parse_str(filters, &context), doing: "opening \(filters)", path,
            as: .unsupported)
        defer { av_bsf_free(&context) }
        let opened = try allocated(context, path)
        try check(
            avcodec_parameters_copy(opened.pointee.par_in, format.parameters),
            doing: "describing a stream", path, as: .library)
        opened.pointee.time_base_in = format.timeBase
        try check(av_bsf_init(opened), doing: "opening \(filters)", path, as: .incompatible)
        self.format = try EncodedFormat(format, withHeadersInPackets: opened.pointee.par_out, path)
        self.context = opened
        context = nil
    }

    deinit {
        av_bsf_free(&context)
    }

    /// Rewrites a packet in place. Its times stay.
    package func rewrite(_ packet: Packet) throws {
        try check(
            av_bsf_send_packet(context, packet.pointer), doing: "rewriting a packet", path,
            as: .damaged)
        try check(
            av_bsf_receive_packet(context, packet.pointer), doing: "rewriting a packet", path,
            as: .damaged)
    }
}
