import Documents
import Foundation
import Media
import TimeMaps
import TimeWarp

/// What the page edits, previews and renders: the job of one clip.
///
/// The clip's media is its identity in the library, and the output's path is the name of the file to make.
struct JobRequest: Codable, Sendable, SentJSON, SchemaNamed {
    static let schemaName = "Request"

    /// The job as it was sent, so that the page gets back what was set.
    private(set) var job: JobFile
    /// The command that does the same.
    let task: Task
    /// The clip that the sound was compared with, and that the duration and the anchors come from. Nil if these were made
    /// by hand.
    let reference: String?

    private enum CodingKeys: String, CodingKey {
        case job, reference
    }

    /// What can be done with a clip.
    enum Task: String, CaseIterable {
        case warp, scale, stretch, reverse
    }

    /// Decodes `job` and `reference`; of a record also what it held before it held a job.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if decoder.userInfo[.isRecord] != nil, !container.contains(.job) {
            let earlier = try EarlierRequest(from: decoder)
            try self.init(earlier.job, reference: earlier.reference, container)
        } else {
            try self.init(
                container.decode(JobFile.self, forKey: .job),
                reference: container.decodeIfPresent(String.self, forKey: .reference), container)
        }
    }

    private init(
        _ job: JobFile, reference: String?, _ container: KeyedDecodingContainer<CodingKeys>
    ) throws {
        guard let clip = job.clip, let carried = job.carries,
            let task = clip.task(carrying: carried)
        else {
            throw container.wrong(
                .job,
                "it has the format \"source\" and one clip, which is warped, scaled, reversed, or its sound stretched"
            )
        }
        (self.job, self.task, self.reference) = (job, task, reference)
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
    var name: String {
        FileName.usable((job.output.path as NSString).lastPathComponent, else: "result")
    }

    /// The kind of file to make.
    ///
    /// - Throws: ``JobError`` if there is none with this extension.
    var container: Container {
        get throws {
            let ending = (name as NSString).pathExtension
            guard let container = Container(rawValue: ending) else {
                throw JobError(
                    message: "Files of type \"\(ending)\" aren't supported.", field: .container)
            }
            return container
        }
    }

    /// The request for all of the output.
    var whole: JobRequest {
        var whole = self
        whole.job.output.range = nil
        return whole
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

    /// When it turns, if that isn't at its end.
    var turn: RationalTime? {
        guard case .thereAndBack(_, let turn) = self else {
            return nil
        }
        return turn
    }
}

extension FileClip {
    /// What is done with the clip; nil if the page and the commands can't say it.
    func task(carrying carried: Track.Content) -> JobRequest.Task? {
        guard window == nil, retiming.turn == nil, blending == .none else {
            return nil
        }
        return carried == .sound ? taskOfSound : carried == .both ? taskOfBoth : nil
    }

    /// All of the sound lasts as long as told, or is laid through anchors.
    private var taskOfSound: JobRequest.Task? {
        guard retiming == .uniform, range == nil else {
            return nil
        }
        return switch length {
        case .duration, .longerBy: .stretch
        case nil: anchors == nil ? nil : .stretch
        case .oneWay, .scale, .speed: nil
        }
    }

    private var taskOfBoth: JobRequest.Task? {
        let turns = retiming != retiming.once
        return switch (retiming.once, length) {
        case (_, .longerBy): nil
        // Commands say how long one way lasts.
        case (_, .duration) where turns: nil
        case (.curve, nil), (.curve, .duration), (.curve, .oneWay): .warp
        case (.reversed, nil): .reverse
        case (.uniform, _): anchors == nil ? .scale : nil
        default: nil
        }
    }
}

extension CodingUserInfoKey {
    /// Whether what is decoded is a record of the studio, which may have been written by an earlier one.
    static let isRecord: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "isRecord") else {
            preconditionFailure("any text is a key")
        }
        return key
    }()
}
