import Documents
import Foundation
import Media
import Stories
import StoryBuilding

/// The JSON that describes a story of the workspace to the page.
struct StoryResponse: Codable, Sendable, SchemaNamed {
    static let schemaName = "Story"

    /// Something wrong in the file, at its place.
    struct Finding: Codable, Sendable {
        let severity: String
        let line: Int?
        let column: Int?
        let path: String
        /// The name of the segment that it is in.
        let segment: String?
        let message: String
    }

    struct Segment: Codable, Sendable {
        let name: String
        let media: String
        let role: String
        /// The line of the file on which it begins.
        let line: Int
        /// The times that can be changed; nil if the media file can't be used.
        let times: Times?
    }

    /// The times of a segment, in seconds of its media file.
    struct Times: Codable, Sendable {
        struct Event: Codable, Sendable {
            let `do`: String
            let at: Double
        }
        /// How long the media file lasts.
        let duration: Double
        /// Nil if frames aren't at a constant rate.
        let frameDuration: Double?
        /// The part that is played; nil for all of the file.
        let range: [Double]?
        let events: [Event]
    }

    /// The graph, which is an image of its own, and where its segments are in it.
    struct Graph: Codable, Sendable {
        let width: Double
        let height: Double
        /// The room for a picture at the top of each box.
        let pictureHeight: Double
        let boxes: [StoryPicture.Place]
        /// Changes whenever the image does.
        let version: String
    }

    let id: String
    /// The path relative to the workspace.
    let name: String
    let title: String?
    /// The text of the file; nil if it is long.
    let text: String?
    /// Changes whenever the file does.
    let version: String
    let findings: [Finding]
    let segments: [Segment]
    /// Nil if the file can't be read as a story.
    let graph: Graph?
    /// Whether the story was built, and whether no file of it has changed since; nil if it wasn't built.
    let isCurrent: Bool?
    /// The build that runs or has ended; nil if there was none since the studio started.
    let build: StoryBuild?
    let command: String

    /// Longer texts aren't sent, in bytes.
    private static let longestText = 1 << 20
    /// Graphs with more segments are drawn without pictures.
    private static let mostPictures = 200
    private static let pictureHeight = 72.0
}

extension StoryResponse {
    /// Reads and checks a story file.
    ///
    /// - Throws: `MediaError` if the file can't be read.
    init(_ file: StoryFileOnDisk, build: StoryBuild?) throws {
        id = file.id
        name = file.name
        self.build = build
        command = file.command
        let data = try Data(contentsOf: URL(fileURLWithPath: file.path))
        version = Self.version(of: data)
        text = data.count <= Self.longestText ? String(decoding: data, as: UTF8.self) : nil
        do {
            let project = try StoryProject(contentsOfFile: file.path)
            let found = project.findings()
            title = project.story.title
            findings = found.map(Finding.init)
            segments = Self.segments(of: project)
            graph = Graph(Self.picture(of: project, found))
            isCurrent = file.isCurrent(with: project.inputs)
        } catch let error as StoryFileError {
            title = nil
            findings = error.error.problems.map(Finding.init)
            segments = []
            graph = nil
            isCurrent = StoryBuilder.isBuiltStory(at: file.output) ? false : nil
        }
    }
}

extension StoryResponse {
    /// Tells the text of a file from others.
    static func version(of data: Data) -> String {
        ContentHash.text(of: Array(data))
    }

    /// The graph of a story as the page shows it, which puts a frame into each box.
    static func picture(of project: StoryProject, _ findings: [StoryFinding]) -> StoryPicture {
        let hasPictures = project.story.segments.count <= mostPictures
        return StoryPicture(
            of: project.story, findings: findings, pictureHeight: hasPictures ? pictureHeight : 0)
    }

    private static func segments(of project: StoryProject) -> [Segment] {
        var known: [String: StoryMedia.Facts] = [:]
        return project.story.segments.map { name, segment in
            let facts = known[segment.media] ?? project.media.facts(segment.media)
            known[segment.media] = facts
            return Segment(
                name: name, media: segment.media, role: segment.role.rawValue,
                line: project.file.position(of: .segment(name)).line,
                times: Times(of: segment, facts))
        }
    }
}

extension StoryResponse.Times {
    fileprivate init?(of segment: Story.Segment, _ facts: StoryMedia.Facts) {
        guard case .usable(let duration, let frameDuration) = facts else {
            return nil
        }
        self.duration = duration.seconds
        self.frameDuration = frameDuration
        range = segment.range.map { [$0.start.seconds, $0.end.seconds] }
        events = segment.events.map { Event(do: $0.cue.description, at: $0.at.seconds) }
    }
}

extension StoryResponse.Finding {
    init(_ finding: StoryFinding) {
        severity = finding.severity.rawValue
        line = finding.position?.line
        column = finding.position?.column
        path = finding.path.description
        segment = finding.segment
        message = finding.sentence + " " + finding.remedy
    }

    init(_ problem: DocumentProblem) {
        severity = StoryFinding.Severity.error.rawValue
        line = problem.position?.line
        column = problem.position?.column
        path = problem.path.description
        segment = nil
        message = problem.message.prefix(1).uppercased() + problem.message.dropFirst() + "."
    }
}

extension StoryResponse.Graph {
    fileprivate init(_ picture: StoryPicture) {
        (width, height) = (picture.width, picture.height)
        pictureHeight = picture.pictureHeight
        boxes = picture.places
        version = String(UInt(bitPattern: picture.svg.hashValue), radix: 16)
    }
}

/// How a build of a story goes on.
struct StoryBuild: Codable, Sendable, SchemaNamed {
    static let schemaName = "StoryBuild"

    enum State: String, Codable, CaseIterable, Sendable {
        case building, built, failed, cancelled
    }
    var state: State
    /// The segment that is being rendered, and its number of all.
    var segment: String?
    var number: Int?
    var count: Int?
    /// How much of the segment is done, in 0…1.
    var fraction: Double?
    /// Why it failed, or what is unusual: a sentence each.
    var notes: [String] = []
}

/// A story file of the workspace, and where it is built.
struct StoryFileOnDisk: Sendable {
    let id: String
    /// The path relative to the workspace.
    let name: String
    let path: String
    /// The folder with the built story.
    let output: String

    init(id: String, name: String, in workspace: Workspace) {
        self.id = id
        self.name = name
        path = workspace.path(to: name)
        output = workspace.path(to: workspace.file("story-" + Self.slug(of: name), in: .results))
    }

    /// The file's name as the name of a folder. Different names have different folders.
    private static func slug(of name: String) -> String {
        let stem = (name as NSString).deletingPathExtension
        let plain = String(
            stem.prefix(60).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        guard plain != stem else {
            return plain
        }
        // FNV-1a: the same in every run of the studio.
        let sum = stem.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return plain + "-" + String(sum, radix: 16)
    }

    /// Whether the built story is newer than all files that it is made of; nil if it wasn't built.
    func isCurrent(with inputs: [String]) -> Bool? {
        guard StoryBuilder.isBuiltStory(at: output),
            let built = try? FileStamp(of: output + "/story.json")
        else {
            return nil
        }
        return inputs.allSatisfy {
            (try? FileStamp(of: $0)).map { $0.changed <= built.changed } ?? false
        }
    }
}
