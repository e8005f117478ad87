import Documents
import TimeMaps

/// The content of a job file.
struct JobFile: Codable {
    /// What is written where, and how.
    struct Output: Codable {
        let path: String
        let range: RenderJob.OutputRange?
        let settings: RenderSettings.Output

        private enum Key: String, CodingKey {
            case path, range
        }

        init(_ job: RenderJob) {
            (path, range, settings) = (job.destination, job.outputRange, job.settings.output)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            path = try container.decode(String.self, forKey: .path)
            guard !path.isEmpty else {
                throw container.wrong(.path, "it is empty, and names the file to write")
            }
            range = try container.decodeIfPresent([FileTime].self, forKey: .range) { times in
                let (start, end) = (times.first?.time, times.dropFirst().first?.time)
                guard let start, times.count <= 2, end.map({ start < $0 }) ?? true else {
                    throw CompositionError(
                        .malformed, "it holds where the part starts, and then where it ends")
                }
                return RenderJob.OutputRange(from: start, to: end)
            }
            settings = try RenderSettings.Output(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(path, forKey: .path)
            try container.encodeIfPresent(
                range.map { [$0.start, $0.end].compactMap { $0 }.map(FileTime.init) },
                forKey: .range)
            try settings.encode(to: encoder)
        }
    }

    let timeline: EditFile
    let output: Output
    let settings: RenderSettings

    private static let version = "job/1"

    private enum Key: String, CodingKey {
        case timewarp, timeline, output, video, audio, resources
    }

    init(_ job: RenderJob) {
        timeline = EditFile(job.timeline)
        output = Output(job)
        settings = job.settings
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        try container.requireVersion(Self.version, forKey: .timewarp)
        timeline = try container.decode(EditFile.self, forKey: .timeline)
        output = try container.decode(Output.self, forKey: .output)
        var settings = RenderSettings()
        settings.output = output.settings
        try container.update(&settings.video, forKey: .video)
        try container.update(&settings.audio, forKey: .audio)
        try container.update(&settings.resources, forKey: .resources)
        self.settings = settings
    }

    /// The job with paths for the working directory.
    ///
    /// - Parameter document: that of this file, for the places of errors.
    func job(
        of document: JSONDocument, in folder: String?,
        mediaDuration: (String) throws -> RationalTime
    ) throws -> RenderJob {
        do {
            let timeline = try timeline.composition(at: DocumentPath([.key("timeline")])) {
                try mediaDuration(MediaPath.resolve($0, in: folder))
            }
            return try RenderJob(
                timeline, to: output.path, outputRange: output.range, settings: settings
            ).replacingPaths { MediaPath.resolve($0, in: folder) }
        } catch let error as DocumentError {
            throw document.locating(error)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .timewarp)
        try container.encode(timeline, forKey: .timeline)
        try container.encode(output, forKey: .output)
        try container.encode(settings.video, forKey: .video)
        try container.encode(settings.audio, forKey: .audio)
        try container.encode(settings.resources, forKey: .resources)
    }
}
