import Foundation
import TimeMaps

/// A file that is written under a temporary name in the folder of its destination, and renamed when it is
/// complete.
///
/// If its owner ends before ``publish()``, the temporary file is removed. After SIGKILL it stays until the next
/// file of the same name is created. Symbolic links are followed: the file that a link leads to is replaced, and
/// the link stays.
package final class AtomicFile {
    /// The destination, as the caller named it.
    package let path: String
    /// The path of the temporary file. An empty file is there: write into it, but don't replace it.
    package var temporaryPath: String { part.path }
    private let part: TemporaryOutput
    private let existing: ExistingOutput

    /// - Throws: ``MediaError`` when the file exists and may not be replaced, or its folder can't
    ///   be written to.
    package init(at path: String, existing: ExistingOutput) throws {
        self.path = path
        self.existing = existing
        try Self.requireFree(path, existing)
        let place = try TemporaryOutput.endOfLinks(path)
        try Self.requireFolder(of: place)
        part = try TemporaryOutput(of: place, as: .file)
    }

    /// Throws if a destination can't be written to or is the input itself. Called before any work is done.
    ///
    /// - Parameter input: the input file, which is recognised under other names and through links; nil if no file
    ///   is read.
    /// - Throws: ``MediaError`` that says what is wrong.
    package static func requireWritable(
        _ path: String, notBeing input: String?, existing: ExistingOutput
    ) throws {
        if let input {
            try requireApart(path, input, reason: "it is the input itself")
        }
        try requireFree(path, existing)
        try requireFolder(of: TemporaryOutput.endOfLinks(path))
    }

    /// Throws if the output is a file that must not be replaced, also under another name or through a link, or if
    /// it would become that file.
    ///
    /// - Parameter reason: the reason that the error states.
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
                remedy: "Create the folder first")
        }
        guard access(folder, W_OK) == 0 else {
            throw MediaError(
                .cannotCreate, file: path,
                reason: "the folder \(folder) can't be written to: "
                    + String(cString: strerror(errno)))
        }
    }

    private static func requireFree(_ path: String, _ existing: ExistingOutput) throws {
        guard !path.hasSuffix("/") else {
            throw MediaError(.cannotCreate, file: path, reason: "it is the name of a folder")
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
                remedy: "Write a file, and copy it there afterwards")
        }
        guard existing == .overwrite else {
            throw MediaError(
                .exists, file: path, reason: "it exists already",
                remedy: "Choose another name, or \(.overwriting)")
        }
    }

    /// Appends bytes to the temporary file, before ``publish()``.
    ///
    /// - Throws: ``MediaError`` when the disk is full.
    package func write(_ bytes: some ContiguousBytes) throws {
        try part.write(bytes)
    }

    /// Makes sure that every byte is on the disk, then renames the file to its destination.
    ///
    /// - Throws: ``MediaError`` when the disk is full, or another file has got that name in the meantime.
    package func publish() throws {
        try Self.requireFree(path, existing)
        try part.publish(existing: existing)
    }
}
