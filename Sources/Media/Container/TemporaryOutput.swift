import CLibAV
import Foundation
import Synchronization

/// A temporary output: a file or folder that is made under a temporary name beside its destination, and renamed
/// when it is complete.
///
/// ```
///  film.mp4                                       the destination
///  .film.mp4.4711-1x9k2f-5a93b0c7.timewarp-part   the temporary output, locked while a process makes it: the number of
///                                                 the process, a random number, and a hash of the machine's name
/// ```
/// When its owner ends before `publish`, the temporary output is removed. That can't happen after SIGKILL or a
/// power failure. But the lock is gone then, too, so the next temporary output for the same destination recognises
/// the abandoned one by its missing lock and removes it.
///
/// Some network file systems show a lock only on the machine that has it. So what another machine made counts as
/// abandoned only if it wasn't changed for a day.
package final class TemporaryOutput {
    package enum Kind {
        case file, folder
    }
    /// The path of the destination.
    package let place: String
    /// The path of the temporary output.
    package let path: String
    private let kind: Kind
    private let descriptor: CInt
    private var isPublished = false

    /// The temporary outputs of this process that are neither published nor removed.
    private static let living = Mutex<Set<String>>([])

    /// Creates a temporary output, empty and locked, and removes abandoned ones of the same destination.
    ///
    /// If an abandoned one had moved the existing folder aside to replace it, that folder is moved back.
    ///
    /// - Parameter place: the destination, in a folder that exists.
    /// - Throws: ``MediaError`` when it can't be created.
    package init(of place: String, as kind: Kind) throws {
        self.place = place
        self.kind = kind
        let names = PartNames(of: place)
        if kind == .folder {
            names.putBack()
        }
        names.removeRemains()
        // Before it is locked, a process that removes abandoned ones may take it for one and remove it.
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
            .cannotCreate, file: place, reason: "another program keeps removing its temporary file")
    }

    deinit {
        if !isPublished {
            Self.living.withLock { _ = $0.remove(path) }
            Self.remove(path)
        }
        close(descriptor)
    }

    /// The path that symbolic links lead to in the end, even if nothing exists there: that path is written to, and
    /// the links stay.
    ///
    /// - Throws: ``MediaError`` when links form a circle.
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

    /// - Returns: false if it was removed in the meantime. On a disk where files can't be locked it counts as
    ///   locked: other processes can't lock it either, so they don't take it for an abandoned one.
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

    /// Removes all temporary outputs of this process, which must end immediately afterwards.
    package static func removeAll() {
        living.withLock { paths in
            for path in paths {
                remove(path)
            }
        }
    }

    // MARK: - Writing

    /// Appends bytes to the file.
    func write(_ bytes: some ContiguousBytes) throws {
        try bytes.withUnsafeBytes { try writeAll($0, to: descriptor, named: place) }
    }

    // MARK: - Publishing

    /// Makes sure that every byte of a file is on the disk. On Darwin `fsync` leaves it to the drive when, and not every disk does
    /// more.
    private static func flush(_ descriptor: CInt) -> Bool {
        #if canImport(Darwin)
            return fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
        #else
            return fsync(descriptor) == 0
        #endif
    }

    /// Makes sure that every byte is on the disk, then renames the temporary output to its destination. When this
    /// returns, the new name is on the disk, too.
    ///
    /// - Throws: ``MediaError`` when that fails, or when the destination exists by now and may not be replaced.
    package func publish(existing: ExistingOutput) throws {
        guard Self.flush(descriptor) else {
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
            throw systemError(errno, doing: "renaming the finished output", place, as: .writeFailed)
        }
    }

    /// Renames without replacing.
    ///
    /// - Returns: 0; or -1 with errno, which is EEXIST if the destination exists.
    fileprivate static func renameToFree(_ path: String, _ place: String) -> CInt {
        let result = tw_rename_new(path, place)
        guard result != 0 && isUnknown(errno) else {
            return result
        }
        // The system or disk can't rename without replacing. Another program could still create the destination
        // between the check and the renaming.
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
        // The old folder now has the name of the temporary output.
        Self.remove(path)
    }

    /// Replaces a folder on a disk that can't exchange two names at once. If the process is killed in between, the
    /// old folder stays under another name, and the next temporary output for the same destination moves it back.
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
                    remedy: "The old folder is intact, but is now called \(aside): rename it")
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

    /// Writes the folder of the destination to the disk, so that the new name survives a power failure.
    private func syncFolder() throws {
        let folder = open(PartNames(of: place).folder, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else {
            // The folder may be one that can be written to but not read.
            return
        }
        defer { close(folder) }
        // Some disks don't support it for folders.
        guard fsync(folder) == 0 || Self.isUnknown(errno) || errno == EROFS else {
            throw systemError(errno, doing: "writing its folder", place, as: .writeFailed)
        }
    }
}

/// The names of the temporary outputs of a destination.
private struct PartNames {
    /// The suffix for a folder that is moved aside: it comes after the name of the temporary output that replaces
    /// it.
    static let aside = ".old"
    /// What another machine made is left alone for this many seconds after its last change.
    private static let foreignAge = 86_400.0
    /// What this machine's names end with. Those of earlier versions name no machine.
    private static let host = String(ContentHash.text(of: HostName.own.utf8).prefix(8))
    private static let ending = ".timewarp-part"
    private let place: String
    let folder: String
    /// What all their names begin with. A file name can have at most 255 bytes.
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
            + "\(stem)\(getpid())-\(unique)-\(Self.host)\(Self.ending)"
    }

    /// Removes temporary outputs whose processes have ended.
    func removeRemains() {
        for path in paths(where: isPart) {
            withLock(of: path) { TemporaryOutput.remove(path) }
        }
    }

    /// Moves a folder that was moved aside back to the destination, if the process that did it has ended and
    /// nothing else is there; if there are several, the newest.
    func putBack() {
        func isAside(_ name: String) -> Bool {
            name.hasSuffix(Self.aside) && isPart(String(name.dropLast(Self.aside.count)))
        }
        for path in paths(where: isAside).sorted(by: { changed($0) > changed($1) }) {
            let part = String(path.dropLast(Self.aside.count))
            var status = stat()
            if lstat(part, &status) != 0 && errno == ENOENT {
                // The process has ended or was killed, or is just about to remove the old folder.
                _ = TemporaryOutput.renameToFree(path, place)
            } else {
                withLock(of: part) { _ = TemporaryOutput.renameToFree(path, place) }
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

    /// Calls `body` if the process that made a temporary output has ended.
    private func withLock(of part: String, _ body: () -> Void) {
        let name = URL(fileURLWithPath: part).lastPathComponent
        let host = machine(ofPart: name)
        let isOwn = host == nil || host == Self.host
        guard isOwn || -changed(part).timeIntervalSinceNow > Self.foreignAge else {
            return
        }
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

    private func isPart(_ name: String) -> Bool { fields(ofPart: name) != nil }

    /// The machine that made a temporary output; nil if its name doesn't say.
    private func machine(ofPart name: String) -> String? {
        fields(ofPart: name)?.dropFirst(2).first.map(String.init)
    }

    /// The number of the process, the random number, and the machine if it is there; nil for other files.
    private func fields(ofPart name: String) -> [Substring]? {
        guard name.hasPrefix(stem), name.hasSuffix(Self.ending) else {
            return nil
        }
        let middle = name.dropFirst(stem.count).dropLast(Self.ending.count)
        return middle.wholeMatch(of: /[0-9]+-[0-9a-z]+(-[0-9a-f]{8})?/).map { _ in
            middle.split(separator: "-")
        }
    }
}

/// Writes all bytes to an open file.
///
/// - Parameter file: the file that errors name.
/// - Throws: ``MediaError`` when the disk is full, or no process reads from the pipe any more.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: CInt, named file: String
) throws {
    var done = 0
    while done < bytes.count {
        let written = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if written >= 0 {
            done += written
        } else if errno == EAGAIN {
            // Another process has made the pipe non-blocking.
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&wanted, 1, -1)
        } else if errno != EINTR {
            throw systemError(errno, doing: "writing", file, as: .writeFailed)
        }
    }
}

/// The error for an `errno`. If a file can't be created because the disk is full or broken, the code is
/// `writeFailed`, because another name wouldn't help.
func systemError(
    _ error: CInt, doing operation: String, _ file: String, as code: MediaError.Code
) -> MediaError {
    let isDisk = isFull(error) || error == EIO
    return MediaError(
        code == .cannotCreate && isDisk ? .writeFailed : code, file: file,
        reason: "\(operation) failed: " + String(cString: strerror(error)),
        remedy: isFull(error) ? "Free some space, or write to another disk" : nil)
}

/// Whether an `errno` means that a limit is reached: the disk is full, the quota used up, or the file too large.
func isFull(_ error: CInt) -> Bool {
    [ENOSPC, EDQUOT, EFBIG].contains(error)
}
