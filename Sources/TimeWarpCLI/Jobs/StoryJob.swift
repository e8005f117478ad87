import Media
import StoryBuilding
import TimeWarp

/// A story that is built, as a value that a job's plan holds.
struct StoryJob: Codable, Sendable, Equatable {
    /// The path of the story file.
    var story: String
    /// The path of the folder or file that is written.
    var output: String
    let isSingleFile: Bool
    let settings: RenderSettings

    /// Reads the story.
    func builder(
        existing: ExistingOutput, knowing known: KnownFiles = .none
    ) throws -> StoryBuilder {
        StoryBuilder(
            try StoryProject(contentsOfFile: story, knowing: known),
            settings: RenderSettings(settings) { $0.output.existing = existing })
    }

    /// Builds the story, or joins it from pieces that were rendered before.
    func build(
        existing: ExistingOutput, _ progress: ProgressStyle, knowing known: KnownFiles = .none,
        joining pieces: RenderedPieces? = nil
    ) async throws {
        // Files are encoded one after another, and are to have the same bytes in each build.
        OwnProcess.handOutZeros()
        let printer = SegmentPrinter(progress)
        defer { printer.finish() }
        let report = try await builder(existing: existing, knowing: known).build(
            to: isSingleFile ? .singleFile(output) : .folder(output), joining: pieces
        ) { printer.show($0) }
        for warning in report.warnings {
            Message.note(warning)
        }
        try StandardOutput.print(
            "\(output): \(report.manifest.segments.count) segments, "
                + "\(NumberText.seconds(report.manifest.duration)), \(report.byteCount >> 10) KiB")
    }
}

extension PlannedJob {
    /// - Throws: what ``StoryBuilder/plannedPieces(besides:)`` throws.
    init(_ job: StoryJob, of project: StoryProject, existing: ExistingOutput) throws {
        let pieces = try job.builder(existing: existing).plannedPieces(besides: job.output)
        let media = Set(project.story.segments.values.map { project.resolve($0.media) })
        let count = job.settings.resources.pieces ?? 0
        let fewer = pieces.count == 1 ? "there is 1 piece" : "there are \(pieces.count) pieces"
        let notes = ["\(fewer), not \(count): a story is cut only between its media files"]
        self.init(
            work: .story(job), pieces: pieces, notes: pieces.count < count ? notes : [],
            inputs: project.inputs, report: nil
        ) { path, fingerprint in
            try media.contains(path)
                ? KnownFile(try Asset(at: path), indices: [:], fingerprint: fingerprint).stored()
                : nil
        }
    }
}

extension JobPlan.Work {
    /// The path of the file or folder to write.
    var output: String {
        switch self {
        case .job(let job): job.destination
        case .story(let job): job.output
        }
    }

    /// The same work with other paths.
    func replacingPaths(_ change: (String) -> String) throws -> JobPlan.Work {
        switch self {
        case .job(let job):
            return .job(try job.replacingPaths(change))
        case .story(var job):
            (job.story, job.output) = (change(job.story), change(job.output))
            return .story(job)
        }
    }
}
