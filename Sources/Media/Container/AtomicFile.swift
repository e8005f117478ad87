import Foundation
import TimeMaps

/// A file that is written beside its place and moved there when it is whole.
///
/// Whatever ends the owner before ``publish()`` removes the temporary file; after SIGKILL the next
/// file of that name does. Links are followed: what a link leads to is written, the link stays.
package final class AtomicFile {
    /// Where the file will be, as the caller named it.
    package let path: String
    /// Where it is written. An empty file is there, which may be written over but not replaced.
    package var temporaryPath: String { part.path }
    private let part: OutputPart
    private let existing: Muxer.Existing

    /// - Throws: ``MediaError`` when the file exists and may not be replaced, or its folder can't
    ///   be written to.
    package init(at path: String, existing: Muxer.Existing) throws {
        self.path = path
        self.existing = existing
        try Self.requireFree(path, existing)
        let place = try OutputPart.endOfLinks(path)
        try Self.requireFolder(of: place)
        part = try OutputPart(of: place, as: .file)
    }

    /// Refuses, before any work, a place that can't be written to, or that is the input itself.
    ///
    /// - Parameter input: the same file by whatever name or link counts as being it; nil where nothing is
    ///   read.
    /// - Throws: ``MediaError`` that says which.
    package static func requireWritable(
        _ path: String, notBeing input: String?, existing: Muxer.Existing
    ) throws {
        if let input {
            try requireApart(path, input, reason: "it is the input itself")
        }
        try requireFree(path, existing)
        try requireFolder(of: OutputPart.endOfLinks(path))
    }

    /// Refuses an output that is a file which must stay, by whatever name or link, or will be.
    ///
    /// - Parameter reason: what to say of it.
    package static func requireApart(_ path: String, _ file: String, reason: String) throws {
        var output = stat()
        var other = stat()
        let isSame =
            stat(path, &output) == 0 && stat(file, &other) == 0
            ? output.st_dev == other.st_dev && output.st_ino == other.st_ino
            : realPath(path) == realPath(file)
        if isSame {
            throw MediaError(
                .exists, file: path, reason: reason,
                remedy: "Choose another name for the output")
        }
    }

    private static func realPath(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    private static func requireFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(folder, F_OK) == 0 else {
            throw MediaError(
                .cannotCreate, file: path, reason: "there is no folder \(folder)",
                remedy: "Make it first")
        }
        guard access(folder, W_OK) == 0 else {
            throw MediaError(
                .cannotCreate, file: path,
                reason: "the folder \(folder) can't be written to: "
                    + String(cString: strerror(errno)))
        }
    }

    private static func requireFree(_ path: String, _ existing: Muxer.Existing) throws {
        guard !path.hasSuffix("/") else {
            throw MediaError(.cannotCreate, file: path, reason: "it names a folder")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            break
        case S_IFDIR:
            throw MediaError(.cannotCreate, file: path, reason: "it is a folder")
        default:
            throw MediaError(
                .cannotCreate, file: path,
                reason: "it is a device or a pipe, and only files are written",
                remedy: "Write a file, and pass that on")
        }
        guard existing == .overwrite else {
            throw MediaError(
                .exists, file: path, reason: "it exists already",
                remedy: "Choose another name, or \(.overwriting)")
        }
    }

    /// Writes all of a small file, before ``publish()``.
    ///
    /// - Throws: ``MediaError`` when the disk is full.
    package func write(_ bytes: some ContiguousBytes) throws {
        try part.write(bytes)
    }

    /// Makes sure that every byte is on the disk, then gives the file its name.
    ///
    /// - Throws: ``MediaError`` when the disk is full or the name was taken meanwhile.
    package func publish() throws {
        try Self.requireFree(path, existing)
        try part.publish(existing: existing)
    }
}
