import Foundation
import Media
import Stories
import StoryBuilding

/// A log of visits: a file with one line of JSON for each thing that happened.
struct VisitLog {
    private let path: String
    private let file: FileHandle

    /// Opens a log for appending. If its last line is torn, as it is when a computer stopped in mid-write, that line is
    /// removed, and a note says so.
    ///
    /// - Throws: `MediaError` if the file can't be written, or isn't a log.
    init(appendingTo path: String) throws {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else {
            throw MediaError(.cannotCreate, file: path, reason: String(cString: strerror(errno)))
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try requireLog(descriptor)
        try removeTornLine()
    }

    /// Refuses a file that isn't a log, so that nothing else is appended to by mistake.
    private func requireLog(_ descriptor: Int32) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw MediaError(.cannotCreate, file: path, reason: "it isn't a regular file")
        }
        let head = try file.read(upToCount: StoryVisitLine.longest + 1) ?? Data()
        guard let end = head.firstIndex(of: UInt8(ascii: "\n")) else {
            guard head.isEmpty || StoryVisitLine.isTorn(head) else {
                throw Self.noLog(path)
            }
            return
        }
        guard (try? StoryVisitLine(json: head[..<end])) != nil else {
            throw Self.noLog(path)
        }
    }

    private static func noLog(_ path: String) -> MediaError {
        MediaError(
            .exists, file: path, reason: "it isn't a log of visits",
            remedy: "Choose another name for the log")
    }

    private func removeTornLine() throws {
        let length = try file.seekToEnd()
        let start = length - min(length, UInt64(StoryVisitLine.longest + 1))
        try file.seek(toOffset: start)
        let tail = try file.readToEnd() ?? Data()
        guard let last = tail.last, last != UInt8(ascii: "\n") else {
            return
        }
        let whole = tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 - tail.startIndex + 1 }
        guard whole != nil || start == 0 else {
            throw Self.noLog(path)
        }
        try file.truncate(atOffset: start + UInt64(whole ?? 0))
        Message.note("\(path): its last line was incomplete, and is removed")
    }

    /// Appends lines with one write.
    func append(_ lines: [StoryVisitLine]) throws {
        let text = lines.reduce(into: Data()) { $0 += $1.json + Data("\n".utf8) }
        let length = try file.seekToEnd()
        guard length + UInt64(text.count) <= UInt64(StoryVisits.largestLog) else {
            throw MediaError(.cannotCreate, file: path, reason: "the log is full")
        }
        do {
            try file.write(contentsOf: text)
        } catch {
            // A full disk may have taken a part of it.
            try? file.truncate(atOffset: length)
            throw error
        }
    }

    /// Counts the visits in a log. Notes on stderr tell what doesn't belong to the story.
    ///
    /// - Throws: `MediaError` if the file can't be read, ``StoryFileError`` for lines that can't be read.
    static func visits(in path: String, of story: Story) throws -> StoryVisits {
        let visits = try StoryVisits(contentsOfFile: path)
        if let line = visits.tornLine {
            Message.note(
                "\(path):\(line): the last line is incomplete, and isn't counted")
        }
        let unknown = visits.unknownWays(in: StoryGraph(story))
        if unknown > 0 {
            Message.note(
                "\(path): \(unknown) "
                    + (unknown == 1
                        ? "way that the story doesn't have isn't drawn"
                        : "ways that the story doesn't have aren't drawn"))
        }
        return visits
    }
}
