import CLibAV

/// What an encoder can be asked for, and what FFmpeg is told of that.
extension VideoEncoder {
    /// Throws if an encoder doesn't have a quality, a bit rate or a preset. The error names those that it has.
    package static func validate(
        _ encoder: EncoderDescription, quality: Double?, bitRate: Int? = nil, preset: String?,
        path: String
    ) throws {
        let name = encoder.hardware == nil ? encoder.codec.rawValue : encoder.name
        if bitRate != nil, quality != nil || !encoder.takesBitRate {
            throw MediaError(
                .incompatible, file: path,
                reason: quality != nil
                    ? "a quality and a bit rate are given, and one decides the other"
                    : "\(name) can't be encoded at a bit rate",
                remedy: quality != nil ? "Leave one of them out" : "Leave \(.bitRate) out")
        }
        if let preset, encoder.presets.map({ !$0.names.contains(preset) }) ?? true {
            throw MediaError(
                .incompatible, file: path,
                reason: "\(name) has no preset \"\(preset)\"",
                remedy: encoder.presets.map { "Use one of \($0.names.joined(separator: " "))" }
                    ?? "It has no presets, so leave that setting out")
        }
        if let quality, encoder.quality.map({ !$0.range.contains(quality) }) ?? true {
            let range = encoder.quality?.range
            throw MediaError(
                .incompatible, file: path,
                reason: "\(name) can't be encoded with a CRF of \(quality)",
                remedy: range.map {
                    "Use a number from \(Int($0.lowerBound)) to \(Int($0.upperBound))"
                } ?? "It has no CRF, so leave that setting out")
        }
    }

    /// The pixel format in which the codec's encoder would store a format: the same wherever it supports that.
    ///
    /// - Parameter wanted: the one that is asked for, if any.
    /// - Throws: ``MediaError`` when the linked FFmpeg has no such encoder, or the encoder doesn't support what is asked for.
    package static func pixelFormat(
        for source: PixelFormat, by description: EncoderDescription, in container: Container,
        wanted: PixelFormat? = nil, path: String
    ) throws -> PixelFormat {
        let encoder = try encoder(for: description, path: path)
        guard let wanted else {
            return bestFormat(for: source, description, in: container, encoder: encoder)
        }
        guard bestFormat(for: wanted, description, in: container, encoder: encoder) == wanted
        else {
            let names = known(to: encoder, description, container).map(\.description).joined(
                separator: " ")
            throw MediaError(
                .incompatible, file: path,
                reason: "\(description.codec.rawValue) can't be stored in \(wanted)",
                remedy: "Use one of \(names)")
        }
        return wanted
    }

    /// Players take every JPEG for one of full range.
    static func hasFullRange(_ encoder: UnsafePointer<AVCodec>) -> Bool {
        encoder.pointee.id == AV_CODEC_ID_MJPEG
    }

    static func known(
        to encoder: UnsafePointer<AVCodec>, _ description: EncoderDescription,
        _ container: Container
    ) -> [PixelFormat] {
        (formats(of: description, in: container, encoder) ?? []).map { PixelFormat($0) }.filter {
            !hasFullRange(encoder) || $0.ofFullRange == $0
        }
    }

    /// The formats that an encoder takes and a container holds; nil if these are all.
    static func formats(
        of description: EncoderDescription, in container: Container,
        _ encoder: UnsafePointer<AVCodec>
    ) -> [AVPixelFormat]? {
        if let few = description.pixelFormats {
            return few.filter { container.holds(PixelFormat($0)) }
        }
        guard let first = tw_pixel_formats(encoder) else {
            return nil
        }
        let count = (0...).first { first[$0] == AV_PIX_FMT_NONE } ?? 0
        return Array(UnsafeBufferPointer(start: first, count: count))
    }

    static func encoder(
        for description: EncoderDescription, path: String
    ) throws -> UnsafePointer<AVCodec> {
        let name = description.name
        guard let encoder = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                .unsupported, file: path, reason: "this FFmpeg has no \(name) encoder",
                remedy: "Choose another \(.videoCodec), or install an FFmpeg that has it")
        }
        return encoder
    }

    static func options(for settings: VideoEncoderSettings) -> OpaquePointer? {
        var options: OpaquePointer?
        for (name, value) in values(for: settings).sorted(by: <) {
            av_dict_set(&options, name, value, 0)
        }
        return options
    }

    /// The encoder's options, by FFmpeg's names.
    static func values(for settings: VideoEncoderSettings) -> [String: String] {
        let encoder = settings.encoder
        var values = encoder.options(settings)
        if let rate = settings.bitRate {
            values["b"] = String(rate)
        } else if let scale = encoder.quality {
            values.merge(encoder.qualityOptions(settings.quality ?? scale.usual)) { $1 }
        } else if encoder.takesBitRate {
            values["b"] = String(settings.usualBitRate)
        }
        if let presets = encoder.presets {
            values[presets.option] = settings.preset ?? presets.usual
        }
        return values
    }

    /// The pixel format with the least loss among those that the encoder supports.
    static func bestFormat(
        for source: PixelFormat, _ description: EncoderDescription, in container: Container,
        encoder: UnsafePointer<AVCodec>
    ) -> PixelFormat {
        guard encoder.pointee.id != AV_CODEC_ID_GIF else {
            return PixelFormat(AV_PIX_FMT_BGRA)
        }
        guard let list = formats(of: description, in: container, encoder) else {
            return source
        }
        var loss: CInt = 0
        let best = PixelFormat(
            avcodec_find_best_pix_fmt_of_list(
                list + [AV_PIX_FMT_NONE], source.raw, source.hasAlpha ? 1 : 0, &loss))
        return hasFullRange(encoder) ? best.ofFullRange : best
    }
}
