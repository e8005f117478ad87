import Foundation
import TimeMaps

/// A file that is written beside its place and moved there when it is whole.
///
/// Whatever ends the owner before ``publish()`` removes the temporary file.
public final class AtomicFile {
    /// Where the file will be.
    public let path: String
    /// Where it is written.
    public let temporaryPath: String
    private let existing: Muxer.Existing
    private var isPublished = false

    /// - Throws: ``MediaError`` when the file exists and may not be replaced, or its folder can't
    ///   be written to.
    public init(at path: String, existing: Muxer.Existing) throws {
        self.path = path
        self.existing = existing
        try Self.requireFree(path, existing)
        try Self.requireFolder(of: path)
        let url = URL(fileURLWithPath: path)
        let unique = String(UInt32.random(in: 0...UInt32.max), radix: 36)
        let name = ".\(url.lastPathComponent).\(getpid())-\(unique).timewarp-part"
        temporaryPath = url.deletingLastPathComponent().appendingPathComponent(name).path
    }

    deinit {
        if !isPublished {
            unlink(temporaryPath)
        }
    }

    /// Refuses, before any work, a place that can't be written to, or that is the input itself.
    ///
    /// - Parameter input: the same file by whatever name or link counts as being it.
    /// - Throws: ``MediaError`` that says which.
    public static func requireWritable(
        _ path: String, notBeing input: String, existing: Muxer.Existing
    ) throws {
        var output = stat()
        var source = stat()
        if stat(path, &output) == 0, stat(input, &source) == 0, output.st_dev == source.st_dev,
            output.st_ino == source.st_ino
        {
            throw MediaError(
                .exists, file: path, reason: "it is the input itself",
                remedy: "Choose another name for the output")
        }
        try requireFree(path, existing)
        try requireFolder(of: path)
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
        var status = stat()
        guard stat(path, &status) == 0 else {
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw MediaError(.cannotCreate, file: path, reason: "it is a folder")
        }
        guard existing == .overwrite else {
            throw MediaError(
                .exists, file: path, reason: "it exists already",
                remedy: "Choose another name, or say --overwrite")
        }
    }

    /// Makes sure that every byte is on the disk, then gives the file its name.
    public func publish() throws {
        let descriptor = open(temporaryPath, O_RDONLY)
        guard descriptor >= 0 else {
            throw failure("reopening")
        }
        let synced = fsync(descriptor)
        let syncError = errno
        close(descriptor)
        guard synced == 0 else {
            throw MediaError(
                .writeFailed, file: path,
                reason: "writing failed: " + String(cString: strerror(syncError)))
        }
        try Self.requireFree(path, existing)
        guard rename(temporaryPath, path) == 0 else {
            throw failure("renaming the finished file")
        }
        isPublished = true
    }

    private func failure(_ operation: String) -> MediaError {
        MediaError(
            .writeFailed, file: path,
            reason: "\(operation) failed: " + String(cString: strerror(errno)))
    }
}
