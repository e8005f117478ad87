import Documents
import Exchange
import Foundation
import Media
import Overview
import TimeMaps
import TimeWarp
import Verification

extension AgentTool {
    /// All tools.
    ///
    /// - Parameter schema: that of jobs.
    static func all(_ schema: DocumentSchema) -> [AgentTool] {
        func ofJob(_ further: [String: Schema] = [:]) -> AgentInput {
            let job = schema.root.described(
                "The render as one value: see the resource timewarp://guides/jobs.")
            return AgentInput(
                properties: further.merging(["job": job]) { $1 }, required: ["job"],
                definitions: schema.definitions)
        }
        let path = Schema("string", description: "The file, below the server's folders.")
        return [
            AgentTool(
                name: "inspect",
                description: "The streams, durations, rates and tags of a media file, as JSON.",
                input: AgentInput(properties: ["path": path], required: ["path"]), run: inspect),
            AgentTool(
                name: "beats",
                description: "Tempo, beats and onsets of a file's sound, in seconds, as JSON.",
                input: AgentInput(properties: ["path": path], required: ["path"]), run: beats),
            AgentTool(
                name: "plot",
                description: """
                    A picture of a speed curve: the time scale (2 is half speed) and the output's time over the source's.
                    """,
                input: AgentInput(
                    properties: [
                        "curve": Schema(
                            reference: "curve", description: "The curve, as in a job's warp."),
                        "duration": Schema(
                            "string", description: "The clip's duration, such as 12.5 or 1:30."),
                    ], required: ["curve"], definitions: schema.definitions), run: plot),
            AgentTool(
                name: "plan",
                description: """
                    What rendering a job would do: durations, tracks, frames, what can't be kept. Checks all of the job, and \
                    writes nothing. Plan before rendering.
                    """,
                input: ofJob(), run: plan),
            AgentTool(
                name: "render",
                description: """
                    Renders a job into its output, completely or not at all, and measures what was written. Replaces a file \
                    only with overwrite.
                    """,
                input: ofJob([
                    "overwrite": Schema(
                        "boolean", description: "Whether to replace an existing output.")
                ]), isReadOnly: false, run: render),
            AgentTool(
                name: "verify",
                description: """
                    Measures the file that a job wrote against its media: frame times, frames and sound. isRight says whether \
                    all is as the job asks; faults say what isn't.
                    """,
                input: ofJob([
                    "output": Schema(
                        "string", description: "The file to measure; by default the job's output.")
                ]), run: verify),
        ]
    }

    @Sendable private static func inspect(_ call: AgentCall) async throws -> [AgentContent] {
        let path = try call.folders.path(of: call.text("path"))
        return try await runBlocking { _ in [try .json(AssetDescription(try Asset(at: path)))] }
    }

    @Sendable private static func beats(_ call: AgentCall) async throws -> [AgentContent] {
        let path = try call.folders.path(of: call.text("path"))
        return try await runBlocking { checkCancelled in
            [try .json(try Beats(of: try Asset(at: path), checkCancelled: checkCancelled))]
        }
    }

    @Sendable private static func plot(_ call: AgentCall) async throws -> [AgentContent] {
        let curve = try call.value(of: "curve", as: Curve.self)
        let duration = try RationalTime(parsing: call.arguments["duration"].string ?? "10")
        let plotted = try Plotted(curve, duration: duration)
        let notes = plotted.warnings.map(AgentContent.text)
        return [.png(try plotted.png(width: 1000, height: 625))] + notes
    }

    @Sendable private static func plan(_ call: AgentCall) async throws -> [AgentContent] {
        try await runBlocking { _ in
            // That the output exists is told, and refuses nothing.
            let plan = try call.plan(existing: .overwrite)
            return [try .json(PlanJSON(plan))]
        }
    }

    @Sendable private static func render(_ call: AgentCall) async throws -> [AgentContent] {
        let plan = try await runBlocking { _ in
            try call.plan(existing: call.arguments["overwrite"].isTrue ? .overwrite : .refuse)
        }
        for input in plan.inputs {
            try AtomicFile.requireApart(
                plan.destination, input.path, reason: "it is an input itself")
        }
        var report: RenderReport?
        for try await event in Renderer(secondsBetweenPreviews: nil).run(plan) {
            switch event {
            case .progress(let progress):
                call.tellProgress(progress.fraction, "\(progress.frames) frames")
            case .finished(let finished):
                report = finished
            default:
                break
            }
        }
        try Task.checkCancellation()
        return try report.map { [try .json($0)] } ?? []
    }

    @Sendable private static func verify(_ call: AgentCall) async throws -> [AgentContent] {
        let verifier = try await runBlocking { _ in
            let (job, media) = try call.job()
            let output = try call.arguments["output"].string.map(call.folders.path)
            return try Verifier(output ?? job.destination, madeBy: job, media)
        }
        return [try .json(VerificationSummary(try await verifier.verify()))]
    }
}

extension AgentCall {
    /// The job of the arguments, whose paths are in the folders, and its media as far as they had to be opened.
    fileprivate func job() throws -> (job: RenderJob, media: MediaCatalogue) {
        let read = try RenderJob.read(
            json("job"), named: "job", in: folders.places[0], formats: .all,
            requireAllowed: folders.require)
        try folders.require(read.job)
        return read
    }

    fileprivate func plan(existing: ExistingOutput) throws -> RenderPlan {
        var (job, media) = try job()
        job.settings.output.existing = existing
        return try RenderPlan(job, media)
    }
}

/// A verification without the lists of single errors, which are for drawing.
private struct VerificationSummary: Encodable {
    private let isRight: Bool
    private let faults: [VerificationReport.Fault]
    private let notes: [String]
    private let expectedDurationSeconds, outputDurationSeconds, durationErrorSeconds: Double
    private let offsetAtStartSeconds, offsetAtEndSeconds: Double?
    private let video: [Video]
    private let sound: [Sound]

    private struct Video: Encodable {
        let frames, framesExpected, framesCompared, framesWrong, framesMissing: Int
        let largestTimeErrorSeconds: Double
    }

    private struct Sound: Encodable {
        let windowsAudible, windowsMatched: Int
        let lagSeconds, pitchErrorCents: Double?
        let lengthErrorSeconds: Double
    }

    init(_ found: VerificationReport) {
        (isRight, faults, notes) = (found.isRight, found.faults, found.notes)
        (expectedDurationSeconds, outputDurationSeconds, durationErrorSeconds) = (
            found.expectedDurationSeconds, found.outputDurationSeconds, found.durationErrorSeconds
        )
        (offsetAtStartSeconds, offsetAtEndSeconds) = (
            found.offsetAtStartSeconds, found.offsetAtEndSeconds
        )
        video = found.video.map {
            Video(
                frames: $0.frames, framesExpected: $0.framesExpected,
                framesCompared: $0.framesCompared, framesWrong: $0.framesWrong,
                framesMissing: $0.framesMissing, largestTimeErrorSeconds: $0.largestTimeErrorSeconds
            )
        }
        sound = found.sound.map {
            Sound(
                windowsAudible: $0.windowsAudible, windowsMatched: $0.windowsMatched,
                lagSeconds: $0.lagSeconds, pitchErrorCents: $0.pitchErrorCents,
                lengthErrorSeconds: $0.lengthErrorSeconds)
        }
    }
}
