import Foundation
import Media
import TimeWarp

/// What `--plan` decides, for all machines: the content of a job folder's plan.json.
struct JobPlan: Codable, Sendable, Equatable {
    /// What is rendered.
    enum Work: Codable, Sendable, Equatable {
        case job(RenderJob)
        case story(StoryJob)
    }

    /// The format of this file.
    var timewarp = Self.version
    /// What is rendered; its paths start at the job's folder.
    let work: Work
    /// The report that `join` writes, from the job's folder; nil for none.
    let report: String?
    let inputs: [Input]
    let build: BuildIdentity
    let pieces: [PlannedPiece]
    /// What is worth knowing; one sentence each.
    let notes: [String]

    /// A file that is read.
    struct Input: Codable, Sendable, Equatable {
        /// The path as it was given.
        let path: String
        /// The path from the job's folder.
        let fromJob: String
        let bytes: Int64
        /// The hash of its fingerprint: see `FileFingerprint`.
        let hash: String
        /// The hash of all that is known of it, which is in a file of that name in `inputs/`; nil if it isn't media.
        let known: String?
    }

    private static let version = "plan/1"

    /// Whether it is a plan of this version, and its numbers are such as a plan has. Everything else is compared with the
    /// plan that is made of its job.
    var isSound: Bool {
        timewarp == Self.version
            && pieces.enumerated().allSatisfy {
                $0.element.index == $0.offset && $0.element.files?.lowerBound ?? 0 >= 0
            }
            && inputs.allSatisfy { $0.known?.allSatisfy(\.isHexDigit) ?? true }
    }

    /// What tells this plan from others: pieces carry it.
    func identity() throws -> String {
        ContentHash.text(of: try JSONOutput.text(self).utf8)
    }
}

/// The program, its libraries and the processor, as far as they change a single byte of the output.
struct BuildIdentity: Codable, Sendable, Equatable {
    /// Version and commit.
    let program: String
    let ffmpeg: String
    /// The hash of each file of code that decodes, computes or encodes, by its name.
    let files: [String: String]
    let processor: String
    /// The processor features that FFmpeg uses.
    let processorFeatures: Int32

    /// That of this process.
    static func own() throws -> BuildIdentity {
        var files: [String: String] = [:]
        for path in LoadedFFmpeg.codeFiles {
            let name = URL(fileURLWithPath: path).lastPathComponent
            files[name] = try FileFingerprint(of: path) {}.text
        }
        return BuildIdentity(
            program: Version.program, ffmpeg: LoadedFFmpeg.release, files: files,
            processor: LoadedFFmpeg.processor, processorFeatures: LoadedFFmpeg.processorFeatures)
    }

    /// Throws if this process would write other bytes than the one that made the plan, and limits FFmpeg to the
    /// processor features that it had.
    func require(by own: BuildIdentity, file: String) throws {
        func refuse(_ reason: String, _ remedy: Remedy) -> MediaError {
            MediaError(.damaged, file: file, reason: reason, remedy: remedy)
        }
        guard own.program == program, own.ffmpeg == ffmpeg else {
            throw refuse(
                "it was planned by \(program) with FFmpeg \(ffmpeg), and this is \(own.program) "
                    + "with FFmpeg \(own.ffmpeg)",
                "Use one build on all machines, such as one container image")
        }
        guard own.processor == processor else {
            throw refuse(
                "it was planned on \(processor), and this is \(own.processor)",
                "Use machines with one kind of processor")
        }
        let other = files.filter { own.files[$0.key] != $0.value }.keys.sorted()
        guard other.isEmpty, own.files.count == files.count else {
            let names = other.isEmpty ? "a library" : other.joined(separator: ", ")
            throw refuse(
                "\(names) differs from the one it was planned with",
                "Use one build on all machines, such as one container image")
        }
        guard LoadedFFmpeg.limitProcessorFeatures(to: processorFeatures) else {
            throw refuse(
                "this processor lacks features that the machine had on which it was planned",
                "Plan on the oldest machine: newer ones then do without their own features")
        }
    }
}
