import Documents
import Media

// The parts of a job file. What a file doesn't say is as in the default settings.

extension RenderSettings: Codable {
    private enum Key: String, CodingKey {
        case output, video, audio, resources
    }

    /// Decodes what is given of `output`, `video`, `audio` and `resources`.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: Key.self)
        try values.update(&output, forKey: .output)
        try values.update(&video, forKey: .video)
        try values.update(&audio, forKey: .audio)
        try values.update(&resources, forKey: .resources)
    }

    /// Encodes all four.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(output, forKey: .output)
        try values.encode(video, forKey: .video)
        try values.encode(audio, forKey: .audio)
        try values.encode(resources, forKey: .resources)
    }
}

extension RenderSettings.Output: Codable {
    private enum Key: String, CodingKey {
        case container, existing, metadata, indexFirst
    }

    /// Decodes what is given of `container`, `existing`, `metadata` and `indexFirst`.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: Key.self)
        container = try values.decodeIfPresent(Container.self, forKey: .container)
        try values.update(&existing, forKey: .existing)
        try values.update(&keepsMetadata, forKey: .metadata)
        try values.update(&putsIndexFirst, forKey: .indexFirst)
    }

    /// Encodes all that is set.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(container, forKey: .container)
        try values.encode(existing, forKey: .existing)
        try values.encode(keepsMetadata, forKey: .metadata)
        try values.encode(putsIndexFirst, forKey: .indexFirst)
    }
}

extension RenderSettings.Video: Codable {
    private enum Key: String, CodingKey {
        case mode, file, rate, frames, skipRepeats, shutter, codec, pixelFormat, hardware, quality
        case bitRate, preset, smart
    }

    private enum Mode: String, Codable, CaseIterable {
        case retimed, unretimed, restamped, dropped, copied
    }

    /// Decodes what is given of `mode` (and of `file`, if that is `copied`), `rate`, `frames`, `skipRepeats`, `shutter`,
    /// `codec`, `pixelFormat`, `hardware`, `quality`, `bitRate`, `preset` and `smart`.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: Key.self)
        mode = try Self.mode(values)
        try values.update(&rate, forKey: .rate)
        try values.update(&frames, forKey: .frames)
        try values.update(&skipsRepeats, forKey: .skipRepeats)
        shutterDegrees = try values.decodeIfPresent(Double.self, forKey: .shutter)
        guard shutterDegrees.map({ $0 > 0 && $0 <= 360 }) ?? true else {
            throw values.wrong(.shutter, "an angle is above 0 and up to 360 degrees")
        }
        codec = try values.decodeIfPresent(VideoCodec.self, forKey: .codec)
        pixelFormat = try values.decodeIfPresent(PixelFormat.self, forKey: .pixelFormat)
        try values.update(&hardware, forKey: .hardware)
        quality = try values.decodeIfPresent(Double.self, forKey: .quality)
        bitRate = try values.number(forKey: .bitRate, in: 1000...10_000_000_000)
        preset = try values.decodeIfPresent(String.self, forKey: .preset)
        try values.update(&keepsPackets, forKey: .smart)
    }

    private static func mode(
        _ values: KeyedDecodingContainer<Key>
    ) throws -> RenderSettings.VideoMode {
        let mode = try values.decodeIfPresent(Mode.self, forKey: .mode) ?? .retimed
        if values.contains(.file), mode != .copied {
            throw values.wrong(.file, "a file is copied only with \"mode\": \"copied\"")
        }
        return switch mode {
        case .retimed: .retimed
        case .unretimed: .unretimed
        case .restamped: .restamped
        case .dropped: .dropped
        case .copied: .copied(from: try values.decode(String.self, forKey: .file))
        }
    }

    /// Encodes all that is set.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch mode {
        case .retimed: try values.encode(Mode.retimed, forKey: .mode)
        case .unretimed: try values.encode(Mode.unretimed, forKey: .mode)
        case .restamped: try values.encode(Mode.restamped, forKey: .mode)
        case .dropped: try values.encode(Mode.dropped, forKey: .mode)
        case .copied(let file):
            try values.encode(Mode.copied, forKey: .mode)
            try values.encode(file, forKey: .file)
        }
        try values.encode(rate, forKey: .rate)
        try values.encode(frames, forKey: .frames)
        try values.encode(skipsRepeats, forKey: .skipRepeats)
        try values.encodeIfPresent(shutterDegrees, forKey: .shutter)
        try values.encodeIfPresent(codec, forKey: .codec)
        try values.encodeIfPresent(pixelFormat, forKey: .pixelFormat)
        try values.encode(hardware, forKey: .hardware)
        try values.encodeIfPresent(quality, forKey: .quality)
        try values.encodeIfPresent(bitRate, forKey: .bitRate)
        try values.encodeIfPresent(preset, forKey: .preset)
        try values.encode(keepsPackets, forKey: .smart)
    }
}

extension RenderSettings.OutputRate: Codable {
    /// Decodes a number of frames a second, or a text that ``init(parsing:)`` reads.
    public init(from decoder: any Decoder) throws {
        let text = try RateText(from: decoder).text
        guard let rate = Self(parsing: text) else {
            throw CompositionError(
                .malformed, "\"\(text)\" is no frame rate: write 30, 30000/1001, source or any")
        }
        self = rate
    }

    /// Encodes ``text``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension RenderSettings.OutputRate: TextOrNumber {}

extension RenderSettings.Audio: Codable {
    private enum Key: String, CodingKey {
        case mode, tune, freeze, interpolation, codec, bitRate
    }

    /// Decodes what is given of `mode`, `tune`, `freeze`, `interpolation`, `codec` and `bitRate`.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: Key.self)
        try values.update(&mode, forKey: .mode)
        try values.update(&tune, forKey: .tune)
        try values.update(&freeze, forKey: .freeze)
        try values.update(&interpolation, forKey: .interpolation)
        codec = try values.decodeIfPresent(AudioCodec.self, forKey: .codec)
        bitRate = try values.number(forKey: .bitRate, in: 1000...100_000_000)
    }

    /// Encodes all that is set.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(mode, forKey: .mode)
        try values.encode(tune, forKey: .tune)
        try values.encode(freeze, forKey: .freeze)
        try values.encode(interpolation, forKey: .interpolation)
        try values.encodeIfPresent(codec, forKey: .codec)
        try values.encodeIfPresent(bitRate, forKey: .bitRate)
    }
}

extension RenderSettings.Resources: Codable {
    private enum Key: String, CodingKey {
        case threads, hardwareDecoding, jobs, pieces, memoryBytes, temporaryFolder, mediaFolders
        case sequenceRate
    }

    /// Decodes what is given of `threads`, `hardwareDecoding`, `jobs`, `pieces`, `memoryBytes`, `temporaryFolder`,
    /// `mediaFolders` and `sequenceRate`.
    public init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: Key.self)
        threads = try values.number(forKey: .threads, in: 0...256) ?? threads
        try values.update(&hardwareDecoding, forKey: .hardwareDecoding)
        jobs = try values.number(forKey: .jobs, in: 1...64) ?? jobs
        pieces = try values.number(forKey: .pieces, in: 1...10_000)
        memoryBytes =
            try values.number(forKey: .memoryBytes, in: 0...1 << 50)
            ?? memoryBytes
        temporaryFolder = try values.decodeIfPresent(String.self, forKey: .temporaryFolder)
        try values.update(&mediaFolders, forKey: .mediaFolders)
        sequenceRate = try values.decodeIfPresent(
            RenderSettings.OutputRate.self, forKey: .sequenceRate
        ) { rate in
            guard case .fixed(let rate) = rate else {
                throw CompositionError(.malformed, "images come at a fixed rate")
            }
            return rate
        }
    }

    /// Encodes all that is set.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(threads, forKey: .threads)
        try values.encode(hardwareDecoding, forKey: .hardwareDecoding)
        try values.encode(jobs, forKey: .jobs)
        try values.encodeIfPresent(pieces, forKey: .pieces)
        try values.encode(memoryBytes, forKey: .memoryBytes)
        try values.encodeIfPresent(temporaryFolder, forKey: .temporaryFolder)
        if !mediaFolders.isEmpty {
            try values.encode(mediaFolders, forKey: .mediaFolders)
        }
        try values.encodeIfPresent(
            sequenceRate.map(RenderSettings.OutputRate.fixed), forKey: .sequenceRate)
    }
}

extension KeyedDecodingContainer {
    /// Changes a value if its key is there.
    func update<Value: Decodable>(_ value: inout Value, forKey key: Key) throws {
        value = try decodeIfPresent(Value.self, forKey: key) ?? value
    }

    /// A number that has limits.
    fileprivate func number(forKey key: Key, in limits: ClosedRange<Int>) throws -> Int? {
        guard let number = try decodeIfPresent(Int.self, forKey: key) else {
            return nil
        }
        guard limits.contains(number) else {
            throw wrong(
                key, "\(number) isn't possible: it is \(limits.lowerBound) to \(limits.upperBound)")
        }
        return number
    }
}
