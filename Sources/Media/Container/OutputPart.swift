import CLibAV
import Foundation
import Synchronization

/// What grows beside its place under a temporary name, and is moved there when it is whole.
///
/// ```
///  film.mp4                              the place
///  .film.mp4.4711-1x9k2f.timewarp-part   the part, locked for as long as someone makes it
/// ```
/// Whatever ends the owner removes the part. After SIGKILL or a loss of power nobody can: the lock is
/// gone with the process then, and by that the next part for the same place knows it and removes it.
package final class OutputPart {
    package enum Kind {
        case file, folder
    }
    /// Where it will be.
    package let place: String
    /// Where it grows.
    package let path: String
    private let kind: Kind
    private let descriptor: CInt
    private var isPublished = false

    /// Parts of this process that are neither published nor removed.
    private static let living = Mutex<Set<String>>([])

    /// Makes the part, empty and locked, and removes those that nobody makes any more. A folder that one of
    /// them had moved aside to take its place is there again then.
    ///
    /// - Parameter place: in a folder that is there.
    /// - Throws: ``MediaError`` when it can't be made.
    package init(of place: String, as kind: Kind) throws {
        self.place = place
        self.kind = kind
        let names = PartNames(of: place)
        if kind == .folder {
            names.putBack()
        }
        names.removeRemains()
        // Whoever removes remains at this very moment may take it for one before it is locked.
        for _ in 0..<10 {
            let path = names.new()
            let descriptor = try Self.make(path, kind, place)
            if Self.lock(descriptor, path) {
                (self.path, self.descriptor) = (path, descriptor)
                Self.living.withLock { _ = $0.insert(path) }
                return
            }
            close(descriptor)
        }
        throw MediaError(
            .cannotCreate, file: place, reason: "its temporary file is removed again and again")
    }

    deinit {
        if !isPublished {
            Self.living.withLock { _ = $0.remove(path) }
            Self.remove(path)
        }
        close(descriptor)
    }

    /// Where a name leads in the end, though nothing be there yet: what a link leads to is written, and
    /// the link stays.
    ///
    /// - Throws: ``MediaError`` for links in a circle.
    package static func endOfLinks(_ path: String) throws -> String {
        var place = path
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: place)
            else {
                return place
            }
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            place = next.hasPrefix("/") ? next : folder.appendingPathComponent(next).path
        }
        throw MediaError(
            .cannotCreate, file: path, reason: "it is a link that leads back to itself",
            remedy: "Choose another name for the output")
    }

    private static func make(_ path: String, _ kind: Kind, _ place: String) throws -> CInt {
        let descriptor: CInt
        switch kind {
        case .file:
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        case .folder:
            descriptor = mkdir(path, 0o777) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1
        }
        guard descriptor >= 0 else {
            throw systemError(errno, doing: "creating it", place, as: .cannotCreate)
        }
        return descriptor
    }

    /// - Returns: false when it was removed meanwhile. Where files can't be locked it counts as locked:
    ///   nobody else can lock it either, and so it isn't taken for a remain.
    private static func lock(_ descriptor: CInt, _ path: String) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            return errno != EWOULDBLOCK
        }
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && stat(path, &named) == 0
            && held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }

    fileprivate static func remove(_ path: String) {
        if unlink(path) != 0 {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Removes all parts of this process, which must end at once.
    package static func removeAll() {
        living.withLock { paths in
            for path in paths {
                remove(path)
            }
        }
    }

    // MARK: - Writing

    /// Writes all of a small file.
    func write(_ bytes: some ContiguousBytes) throws {
        try bytes.withUnsafeBytes { try writeAll($0, to: descriptor, named: place) }
    }

    // MARK: - Publishing

    /// Makes sure that every byte is on the disk, then moves it to its place; that it is there is on
    /// the disk too when this returns.
    ///
    /// - Throws: ``MediaError``, also when something came to the place and may not be replaced.
    package func publish(existing: Muxer.Existing) throws {
        guard fsync(descriptor) == 0 else {
            throw systemError(errno, doing: "writing", place, as: .writeFailed)
        }
        try Self.living.withLock { paths in
            switch existing {
            case .refuse: try moveToFreePlace()
            case .overwrite: try replace()
            }
            paths.remove(path)
        }
        isPublished = true
        try syncFolder()
    }

    private func moveToFreePlace() throws {
        guard Self.renameToFree(path, place) == 0 else {
            guard errno != EEXIST else {
                throw MediaError(
                    .exists, file: place, reason: "it exists already",
                    remedy: "Choose another name, or \(.overwriting)")
            }
            throw systemError(errno, doing: "renaming what is finished", place, as: .writeFailed)
        }
    }

    /// - Returns: 0; or -1 with errno, which is EEXIST when something is there.
    fileprivate static func renameToFree(_ path: String, _ place: String) -> CInt {
        let result = tw_rename_new(path, place)
        guard result != 0 && isUnknown(errno) else {
            return result
        }
        // Not of this system or disk; in between another program could still be quicker.
        var status = stat()
        errno = EEXIST
        return lstat(place, &status) == 0 ? -1 : rename(path, place)
    }

    private func replace() throws {
        var status = stat()
        guard kind == .folder, lstat(place, &status) == 0 else {
            guard rename(path, place) == 0 else {
                throw systemError(
                    errno, doing: "renaming the finished file", place, as: .writeFailed)
            }
            return
        }
        if tw_rename_exchange(path, place) != 0 {
            guard Self.isUnknown(errno) else {
                throw systemError(
                    errno, doing: "renaming the finished folder", place, as: .writeFailed)
            }
            try replaceInSteps()
        }
        // What was there has the part's name now.
        Self.remove(path)
    }

    /// Where the disk can't exchange two names at once. Who is killed in between leaves the old folder
    /// aside, and the next part of the same place puts it back.
    private func replaceInSteps() throws {
        let aside = path + PartNames.aside
        guard rename(place, aside) == 0 else {
            throw systemError(errno, doing: "moving the old folder", place, as: .writeFailed)
        }
        guard rename(path, place) == 0 else {
            let error = errno
            guard rename(aside, place) == 0 else {
                throw MediaError(
                    .writeFailed, file: place,
                    reason: "renaming the new folder failed: \(String(cString: strerror(error)))",
                    remedy: "What was there is whole, but is called \(aside) now: rename it")
            }
            throw systemError(error, doing: "renaming the new folder", place, as: .writeFailed)
        }
        if rename(aside, path) != 0 {
            Self.remove(aside)
        }
    }

    private static func isUnknown(_ error: CInt) -> Bool {
        [ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP].contains(error)
    }

    /// So that the new name outlives a loss of power.
    private func syncFolder() throws {
        let folder = open(PartNames(of: place).folder, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else {
            // A folder may be written to and not read.
            return
        }
        defer { close(folder) }
        // Some disks can't do it for folders.
        guard fsync(folder) == 0 || Self.isUnknown(errno) || errno == EROFS else {
            throw systemError(errno, doing: "writing its folder", place, as: .writeFailed)
        }
    }
}

/// What the parts of a place are called.
private struct PartNames {
    /// What comes after a part's name for the folder whose place it takes.
    static let aside = ".old"
    private let place: String
    let folder: String
    /// A name has at most 255 bytes.
    private let stem: String

    init(of place: String) {
        self.place = place
        let url = URL(fileURLWithPath: place)
        folder = url.deletingLastPathComponent().path
        var name = url.lastPathComponent
        while name.utf8.count > 200 {
            name.removeLast()
        }
        stem = ".\(name)."
    }

    func new() -> String {
        let unique = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return folder + (folder.hasSuffix("/") ? "" : "/")
            + "\(stem)\(getpid())-\(unique).timewarp-part"
    }

    /// Removes parts whose makers are gone.
    func removeRemains() {
        for path in paths(where: isPart) {
            withLock(of: path) { OutputPart.remove(path) }
        }
    }

    /// Moves a folder back to the place if its maker is gone and nothing else came there; of several the
    /// newest.
    func putBack() {
        func isAside(_ name: String) -> Bool {
            name.hasSuffix(Self.aside) && isPart(String(name.dropLast(Self.aside.count)))
        }
        for path in paths(where: isAside).sorted(by: { changed($0) > changed($1) }) {
            let part = String(path.dropLast(Self.aside.count))
            var status = stat()
            if lstat(part, &status) != 0 && errno == ENOENT {
                // Its maker has ended, by itself or by others, or is just about to remove what was there.
                _ = OutputPart.renameToFree(path, place)
            } else {
                withLock(of: part) { _ = OutputPart.renameToFree(path, place) }
            }
        }
    }

    private func changed(_ path: String) -> Date {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date ?? .distantPast
    }

    private func paths(where isWanted: (String) -> Bool) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(isWanted).map { folder + (folder.hasSuffix("/") ? "" : "/") + $0 }
    }

    /// Does something with a part, if its maker is gone.
    private func withLock(of part: String, _ body: () -> Void) {
        let descriptor = open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return
        }
        defer { close(descriptor) }
        var status = stat()
        let isOurs =
            fstat(descriptor, &status) == 0
            && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        if isOurs && flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
            body()
        }
    }

    private func isPart(_ name: String) -> Bool {
        guard name.hasPrefix(stem), name.hasSuffix(".timewarp-part") else {
            return false
        }
        let middle = name.dropFirst(stem.count).dropLast(".timewarp-part".count)
        return middle.wholeMatch(of: /[0-9]+-[0-9a-z]+/) != nil
    }
}

/// Writes all bytes to an open file.
///
/// - Throws: ``MediaError`` when the disk is full, or nobody reads the pipe any more.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, named file: String
) throws {
    var done = 0
    while done < bytes.count {
        let written = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if written >= 0 {
            done += written
        } else if errno == EAGAIN {
            // Someone else made the pipe one that doesn't wait.
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&wanted, 1, -1)
        } else if errno != EINTR {
            throw systemError(errno, doing: "writing", file, as: .writeFailed)
        }
    }
}

/// The error for what the system says. That a file can't be created on a full or broken disk isn't the
/// fault of its name.
func systemError(
    _ error: CInt, doing operation: String, _ file: String, as code: MediaError.Code
) -> MediaError {
    let isDisk = isFull(error) || error == EIO
    return MediaError(
        code == .cannotCreate && isDisk ? .writeFailed : code, file: file,
        reason: "\(operation) failed: " + String(cString: strerror(error)),
        remedy: isFull(error) ? "Free some room, or write to another disk" : nil)
}

/// Whether there is no room left: on the disk, in the quota, or in what a process may write.
func isFull(_ error: CInt) -> Bool {
    [ENOSPC, EDQUOT, EFBIG].contains(error)
}
