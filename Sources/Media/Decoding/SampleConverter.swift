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

    init(
        from frame: UnsafeMutablePointer<AVFrame>, toRate rate: Int, layout: ChannelLayout,
        path: String
    ) throws {
        self.path = path
        guard MediaLimits.sampleRates.contains(Int(frame.pointee.sample_rate)) else {
            throw MediaError(
                .damaged, file: path,
                reason: "sound at \(frame.pointee.sample_rate) Hz can't be converted")
        }
        sampleFormat = frame.pointee.format
        inputRate = frame.pointee.sample_rate
        inputLayout = ChannelLayout(copying: &frame.pointee.ch_layout)
        outputRate = rate
        channelCount = layout.channelCount
        var made: OpaquePointer?
        let source = inputLayout
        let result = layout.withPointer { output in
            source.withPointer { input in
                swr_alloc_set_opts2(
                    &made, UnsafeMutablePointer(mutating: output), AV_SAMPLE_FMT_FLTP,
                    CInt(rate), UnsafeMutablePointer(mutating: input),
                    AVSampleFormat(frame.pointee.format), frame.pointee.sample_rate, 0, nil)
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
        let capacity = Int(swr_get_out_samples(context, frame.pointee.nb_samples))
        guard capacity > 0 else {
            return Array(repeating: [], count: channelCount)
        }
        guard capacity * channelCount <= MediaLimits.convertedSamples else {
            throw MediaError(
                .damaged, file: path,
                reason: "\(frame.pointee.nb_samples) samples at \(inputRate) Hz would become "
                    + "\(capacity) at \(outputRate) Hz")
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
        let inputs = UnsafeMutableRawPointer(frame.pointee.extended_data)
            .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
        let written = try check(
            swr_convert(context, &outputs, CInt(capacity), inputs, frame.pointee.nb_samples),
            doing: "converting sound", path, as: .damaged)
        return planes.map { plane in
            // A sample that isn't a finite number would spoil its neighbours in every filter.
            (0..<Int(written)).map { plane[$0].isFinite ? plane[$0] : 0 }
        }
    }
}
