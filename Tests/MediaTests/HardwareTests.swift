import CLibAV
import TestSupport
import Testing
import TimeMaps

@testable import Media

/// Encoders on hardware, as far as a machine without any can tell.
@Suite("Encoders on hardware")
struct HardwareTests {
    @Test(
        "the linked FFmpeg knows each option of each encoder, with each preset, quality and bit rate"
    )
    func options() throws {
        var known = 0
        for encoder in EncoderDescription.all {
            guard let codec = avcodec_find_encoder_by_name(encoder.name) else {
                continue
            }
            known += 1
            let limits = encoder.quality.map {
                [$0.range.lowerBound, $0.usual, $0.range.upperBound]
            }
            for quality in limits.map({ $0.map(Optional.some) }) ?? [nil] {
                for preset in encoder.presets.map({ $0.names.map(Optional.some) }) ?? [nil] {
                    try requireKnown(settings(encoder, quality: quality, preset: preset), by: codec)
                }
            }
            if encoder.takesBitRate {
                try requireKnown(settings(encoder, bitRate: 4_000_000), by: codec)
            }
        }
        #expect(known >= 11)
    }

    private func settings(
        _ encoder: EncoderDescription, quality: Double? = nil, bitRate: Int? = nil,
        preset: String? = nil
    ) -> VideoEncoderSettings {
        VideoEncoderSettings(
            encoder: encoder,
            format: VideoFormat(
                width: 320, height: 240, pixelFormat: .yuv420p, frameRate: FrameRate(known: 25),
                nominalRate: nil, sampleAspectRatio: nil,
                color: ColorDescription(
                    primaries: 2, transfer: 2, matrix: 2, range: 0, chromaLocation: 0),
                fieldOrder: .progressive),
            timeBase: RationalTime(1, over: 25), frameRate: FrameRate(known: 25), quality: quality,
            bitRate: bitRate, preset: preset)
    }

    private func requireKnown(
        _ settings: VideoEncoderSettings, by codec: UnsafePointer<AVCodec>
    ) throws {
        var context = avcodec_alloc_context3(codec)
        defer { avcodec_free_context(&context) }
        for (name, value) in VideoEncoder.values(for: settings) {
            let result = av_opt_set(context, name, value, AV_OPT_SEARCH_CHILDREN)
            #expect(result == 0, "\(settings.encoder.name): \(name)=\(value)")
        }
    }

    @Test("each kind of hardware is tried in the order of its name in the list, after software")
    func order() {
        let kinds = EncoderDescription.all.compactMap(\.hardware)
        #expect(Set(kinds).count == HardwareEncoding.allCases.count - 2)
        let places = kinds.compactMap(HardwareEncoding.allCases.firstIndex)
        #expect(places == places.sorted())
        for codec in VideoCodec.allCases {
            #expect(codec.encoder.hardware == nil)
        }
    }

    @Test("a frame is copied to a device and comes back the same", arguments: ["nv12", "p010le"])
    func upload(format: String) throws {
        let format = try #require(PixelFormat(named: format))
        let uploader = try FrameUploader(
            to: AV_HWDEVICE_TYPE_VULKAN, format, width: 322, height: 242, path: "out.mp4")
        var frame = av_frame_alloc()
        var (there, back) = (av_frame_alloc(), av_frame_alloc())
        defer {
            av_frame_free(&frame)
            av_frame_free(&there)
            av_frame_free(&back)
        }
        let (whole, copy, again) = (try #require(frame), try #require(there), try #require(back))
        whole.pointee.width = 322
        whole.pointee.height = 242
        whole.pointee.format = format.raw.rawValue
        #expect(av_frame_get_buffer(whole, 0) == 0)
        for (plane, rows) in [(0, 242), (1, 121)] {
            let line = planeLine(whole, plane)
            for index in 0..<(line.stride * rows) {
                line.data[index] = UInt8(truncatingIfNeeded: index &* 31 &+ index / 7)
            }
        }
        whole.pointee.pts = 7
        try uploader.upload(whole, to: copy)
        #expect(copy.pointee.format == AV_PIX_FMT_VULKAN.rawValue && copy.pointee.pts == 7)
        #expect(av_hwframe_transfer_data(again, copy, 0) == 0)
        for (plane, rows) in [(0, 242), (1, 121)] {
            let (one, other) = (planeLine(whole, plane), planeLine(again, plane))
            let bytes = 322 * (format.description == "nv12" ? 1 : 2)
            for row in 0..<rows {
                let same = (0..<bytes).allSatisfy {
                    one.data[row * one.stride + $0] == other.data[row * other.stride + $0]
                }
                #expect(same, "plane \(plane), row \(row)")
            }
        }
    }

    @Test(
        "frames that a device has are decoded to those of software, bit for bit",
        arguments: [("yuv420p", "nv12"), ("yuv420p10le", "p010le")])
    func download(software: String, device: String) throws {
        let wanted = try #require(PixelFormat(named: software))
        let (width, height) = (322, 242)
        let frame = try Frame(format: wanted, width: width, height: height)
        for (number, rows) in [(0, height), (1, 121), (2, 121)] {
            let plane = planeLine(frame.pointer, number)
            for index in 0..<(plane.stride * rows) {
                // The upper bytes of ten bits are 0 to 3.
                let number = index &* 31 &+ index / 7
                plane.data[index] = UInt8(
                    truncatingIfNeeded: wanted == .yuv420p || index % 2 == 0 ? number : number & 3)
            }
        }
        let own = try #require(PixelFormat(named: device))
        let converter = try PixelConverter(
            from: frame, to: own, width: width, height: height, path: "in.mp4")
        let (given, there) = (try converter.convert(frame), try Frame())
        let uploader = try FrameUploader(
            to: AV_HWDEVICE_TYPE_VULKAN, own, width: width, height: height, path: "out.mp4")
        try uploader.upload(given.pointer, to: there.pointer)
        let downloader = FrameDownloader(of: AV_PIX_FMT_VULKAN, path: "in.mp4")
        try downloader.download(there.pointer, as: wanted.raw)
        #expect(downloader.isUsed)
        #expect(there.pixelFormat == wanted && there.digest == frame.digest)
    }

    @Test("software decodes where no hardware is, and a kind that is meant is refused")
    func trial() throws {
        let folder = try TemporaryFolder()
        try TestClip { $0.frameCount = 3 }.write(to: folder.path("in.mp4"))
        let asset = try Asset(at: folder.path("in.mp4"))
        let stream = asset.videoStreams[0]
        #expect(try HardwareDecoding.off.trial(of: asset, stream: stream) == .off)
        // Apple's decoders are in no FFmpeg on Linux.
        let error = #expect(throws: MediaError.self) {
            try HardwareDecoding.videotoolbox.trial(of: asset, stream: stream)
        }
        #expect(error?.code == .unsupported && error?.file == asset.path)
        #expect(error?.reason.contains("videotoolbox") == true)
    }

    private func planeLine(
        _ frame: UnsafeMutablePointer<AVFrame>, _ plane: Int
    ) -> (data: UnsafeMutablePointer<UInt8>, stride: Int) {
        let (data, lines) = (frame.pointee.data, frame.pointee.linesize)
        return switch plane {
        case 0: (data.0!, Int(lines.0))
        case 1: (data.1!, Int(lines.1))
        default: (data.2!, Int(lines.2))
        }
    }

    @Test("each kind that decodes is one of FFmpeg's devices")
    func devices() {
        for kind in HardwareDecoding.allCases where ![.off, .auto].contains(kind) {
            let name = kind.device.flatMap(av_hwdevice_get_type_name).map { String(cString: $0) }
            #expect(name == kind.rawValue)
        }
    }

    @Test("a device that isn't there is told")
    func missing() {
        #expect(throws: MediaError.self) {
            try FrameUploader(
                to: AV_HWDEVICE_TYPE_DXVA2, .yuv420p, width: 64, height: 64, path: "out.mp4")
        }
    }
}
