import CLibAV

/// Converts decoded sound to planar Float samples of one rate and layout.
final class SampleConverter {
    private let context: OpaquePointer
    private let path: String
    private let sampleFormat: CInt
    private let inputRate: CInt
    private let inputLayout: ChannelLayout
    private let outputRate: Int
    private let channelCount: Int

    convenience init(
        from frame: UnsafeMutablePointer<AVFrame>, toRate rate: Int, layout: ChannelLayout,
        path: String
    ) throws {
        guard MediaLimits.sampleRates.contains(Int(frame.pointee.sample_rate)) else {
            throw MediaError(
                .damaged, file: path,
                reason: "sound at \(frame.pointee.sample_rate) Hz can't be converted")
        }
        try self.init(
            frame.pointee.format, frame.pointee.sample_rate,
            ChannelLayout(copying: &frame.pointee.ch_layout), toRate: rate, layout, path)
    }

    /// One that makes planar Float samples longer or shorter, by ``stretch(by:)``.
    convenience init(stretching layout: ChannelLayout, rate: Int, path: String) throws {
        try self.init(AV_SAMPLE_FMT_FLTP.rawValue, CInt(rate), layout, toRate: rate, layout, path)
    }

    private init(
        _ format: CInt, _ inputRate: CInt, _ inputLayout: ChannelLayout, toRate rate: Int,
        _ layout: ChannelLayout, _ path: String
    ) throws {
        self.path = path
        sampleFormat = format
        self.inputRate = inputRate
        self.inputLayout = inputLayout
        outputRate = rate
        channelCount = layout.channelCount
        var made: OpaquePointer?
        let result = layout.withPointer { output in
            inputLayout.withPointer { input in
                swr_alloc_set_opts2(
                    &made, UnsafeMutablePointer(mutating: output), AV_SAMPLE_FMT_FLTP,
                    CInt(rate), UnsafeMutablePointer(mutating: input), AVSampleFormat(format),
                    inputRate, 0, nil)
            }
        }
        guard result >= 0, let made else {
            throw libAVError(result, doing: "converting sound", path, as: .damaged)
        }
        context = made
        try check(swr_init(made), doing: "converting sound", path, as: .damaged)
    }

    deinit {
        var context: OpaquePointer? = context
        swr_free(&context)
    }

    func accepts(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        frame.pointee.format == sampleFormat && frame.pointee.sample_rate == inputRate
            && ChannelLayout(copying: &frame.pointee.ch_layout) == inputLayout
    }

    func convert(_ frame: UnsafeMutablePointer<AVFrame>) throws -> [[Float]] {
        try convert(
            UnsafeMutableRawPointer(frame.pointee.extended_data)
                .assumingMemoryBound(to: UnsafePointer<UInt8>?.self), frame.pointee.nb_samples)
    }

    /// Makes what comes next longer by a share of its duration; shorter if that is negative.
    func stretch(by share: Double) throws {
        // Of a number so large that the share is exact enough.
        let distance = 1 << 24
        try check(
            swr_set_compensation(
                context, CInt((share * Double(distance)).rounded()), CInt(distance)),
            doing: "resampling sound", path, as: .damaged)
    }

    /// Planar Float samples, converted.
    func convert(_ channels: [[Float]]) throws -> [[Float]] {
        let count = channels[0].count
        let samples = channels.flatMap(\.self)
        return try samples.withUnsafeBytes { bytes in
            let planes = channels.indices.map { channel in
                bytes.baseAddress.map {
                    ($0 + channel * count * MemoryLayout<Float>.stride)
                        .assumingMemoryBound(to: UInt8.self)
                }
            }
            return try planes.withUnsafeBufferPointer {
                try convert($0.baseAddress, CInt(count))
            }
        }
    }

    private func convert(
        _ inputs: UnsafePointer<UnsafePointer<UInt8>?>?, _ count: CInt
    ) throws -> [[Float]] {
        let capacity = Int(swr_get_out_samples(context, count))
        guard capacity > 0 else {
            return Array(repeating: [], count: channelCount)
        }
        guard capacity * channelCount <= MediaLimits.convertedSamples else {
            throw MediaError(
                .damaged, file: path,
                reason: "\(count) samples at \(inputRate) Hz would become \(capacity) at "
                    + "\(outputRate) Hz")
        }
        let planes = (0..<channelCount).map { _ in
            UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        }
        defer {
            for plane in planes {
                plane.deallocate()
            }
        }
        var outputs: [UnsafeMutablePointer<UInt8>?] = planes.map {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: UInt8.self)
        }
        let written = try check(
            swr_convert(
                context, &outputs, CInt(capacity), UnsafeMutablePointer(mutating: inputs), count),
            doing: "converting sound", path, as: .damaged)
        return planes.map { plane in
            // A sample that isn't a finite number would spoil its neighbours in every filter.
            (0..<Int(written)).map { plane[$0].isFinite ? plane[$0] : 0 }
        }
    }
}
