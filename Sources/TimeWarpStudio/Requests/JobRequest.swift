import Documents
import Foundation
import Media
import TimeMaps
import TimeWarp

/// What the page edits, previews and renders: the job of one clip.
///
/// The clip's media is its identity in the library, and the output's path is the name of the file to make.
struct JobRequest: Codable, Sendable {
    /// The job as it was sent, so that the page gets back what was set.
    private(set) var job: JobFile
    /// The clip that the sound was compared with, and that the duration and the anchors come from. Nil if these were made
    /// by hand.
    let reference: String?

    private enum CodingKeys: String, CodingKey {
        case job, reference
    }

    init(_ job: JobFile, reference: String?) {
        (self.job, self.reference) = (job, reference)
    }

    /// Decodes `job` and `reference`, or what records held before they held jobs.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.contains(.job) else {
            self = try EarlierRequest(from: decoder).request
            return
        }
        self.init(
            try container.decode(JobFile.self, forKey: .job),
            reference: try container.decodeIfPresent(String.self, forKey: .reference))
        guard let clip = job.clip, clip.isPlain, job.carries != .video else {
            throw container.wrong(
                .job,
                "it has one clip, which is warped, scaled, stretched or reversed, and the format \"source\""
            )
        }
    }

    /// Decodes a request from JSON.
    ///
    /// - Throws: ``JobError``.
    init(json: Data) throws {
        try self.init(sent: json, unknownKeys: .refused)
    }

    /// The clip of the job.
    var clip: FileClip {
        get {
            guard let clip = job.clip else {
                preconditionFailure("a request without a clip isn't decoded")
            }
            return clip
        }
        set { job.clip = newValue }
    }

    /// The name of the file to make.
    var name: String { (job.output.path as NSString).lastPathComponent }
}

extension JobRequest {
    /// The command that does the same.
    enum Task: String {
        case warp, scale, stretch, reverse
    }

    var task: Task {
        guard job.carries != .sound else {
            return .stretch
        }
        return switch clip.retiming.once {
        case .curve: .warp
        case .reversed: .reverse
        default: .scale
        }
    }

    /// The curve of a warp.
    var curve: Curve? {
        guard case .curve(let curve) = clip.retiming.once else {
            return nil
        }
        return curve
    }
}

extension Retiming {
    /// The retiming without its way back.
    var once: Retiming {
        guard case .thereAndBack(let once, _) = self else {
            return self
        }
        return once
    }
}

extension FileClip {
    /// Whether the page can show how it is retimed.
    var isPlain: Bool {
        guard window == nil else {
            return false
        }
        return switch retiming {
        case .uniform, .reversed, .curve, .thereAndBack(.uniform, nil),
            .thereAndBack(.reversed, nil), .thereAndBack(.curve, nil):
            true
        default: false
        }
    }
}
