import Documents
import TimeMaps

/// The content of a job file, as it is written there.
package struct JobFile: Codable, Sendable {
    /// What is written where, and how.
    package struct Output: Codable, Sendable {
        package var path: String
        package var range: RenderJob.OutputRange?
        let settings: RenderSettings.Output

        private enum Key: String, CodingKey {
            case path, range
        }

        init(_ job: RenderJob) {
            (path, range, settings) = (job.destination, job.outputRange, job.settings.output)
        }

        package init(from decoder: any Decoder) throws {
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

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(path, forKey: .path)
            try container.encodeIfPresent(
                range.map { [$0.start, $0.end].compactMap { $0 }.map(FileTime.init) },
                forKey: .range)
            try settings.encode(to: encoder)
        }
    }

    private(set) var timeline: EditFile
    package var output: Output
    package var settings: RenderSettings

    private static let version = "job/1"

    private enum Key: String, CodingKey {
        case timewarp, timeline, output, video, audio, resources
    }

    /// The clip of a job that has only one, and keeps its format; nil for any other job.
    package var clip: FileClip? {
        get { timeline.format == Composition.Format.asSource ? timeline.clip : nil }
        set { timeline.clip = newValue }
    }

    /// What the job's only track carries; nil if there are several.
    package var carries: Track.Content? { timeline.carries }

    init(_ job: RenderJob) {
        timeline = EditFile(job.timeline)
        output = Output(job)
        settings = job.settings
    }

    package init(from decoder: any Decoder) throws {
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

    /// The job, with its paths as they are written.
    ///
    /// - Parameter mediaEnd: returns where media end for what a track carries; called if that decides what is played.
    /// - Throws: ``DocumentError`` with the path of what can't be; what `mediaEnd` throws.
    package func job(
        mediaEnd: (String, Track.Content) throws -> RationalTime
    ) throws -> RenderJob {
        RenderJob(
            try timeline.composition(at: DocumentPath([.key("timeline")]), mediaEnd: mediaEnd),
            to: output.path, outputRange: output.range, settings: settings)
    }

    /// The job with paths for the working directory.
    ///
    /// - Parameter document: that of this file, for the places of errors.
    func job(
        of document: JSONDocument, in folder: String?,
        mediaEnd: (String, Track.Content) throws -> RationalTime
    ) throws -> RenderJob {
        do {
            return try job { try mediaEnd(MediaPath.resolve($0, in: folder), $1) }
                .replacingPaths { MediaPath.resolve($0, in: folder) }
        } catch let error as DocumentError {
            throw document.locating(error)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .timewarp)
        try container.encode(timeline, forKey: .timeline)
        try container.encode(output, forKey: .output)
        try container.encode(settings.video, forKey: .video)
        try container.encode(settings.audio, forKey: .audio)
        try container.encode(settings.resources, forKey: .resources)
    }
}
