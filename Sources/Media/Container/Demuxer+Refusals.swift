import CLibAV
import Foundation

// What the demuxer refuses, and the errors that say so.
extension Demuxer {
    static func requireReadableFile(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard !path.contains("://") else {
                throw MediaError(
                    .noInput, file: path, reason: "it is an address, and only files are read",
                    remedy: "Save what is there as a file first")
            }
            throw errno == ENOENT
                ? MediaError.absent(path)
                : MediaError(.noInput, file: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw MediaError(.noInput, file: path, reason: "it is a folder, not a media file")
        }
        // Opening a pipe may block forever, and a device may never end.
        guard [S_IFREG, S_IFBLK].contains(status.st_mode & S_IFMT) else {
            throw MediaError(
                .noInput, file: path,
                reason:
                    "it is a pipe or a device, but media is read more than once and not in order",
                remedy: "Save it as a file first")
        }
        guard access(path, R_OK) == 0 else {
            throw MediaError(.noInput, file: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT != S_IFREG || status.st_size > 0 else {
            throw MediaError(.damaged, file: path, reason: "the file is empty")
        }
    }

    /// Refuses to guess a raw stream into a file whose name promises a container: the guess is right too rarely, and
    /// a wrong one is rendered as noise.
    static func requirePromised(_ format: String, _ path: String) throws {
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        guard MediaLimits.rawStreams.contains(format), MediaLimits.containerEndings.contains(ending)
        else {
            return
        }
        throw MediaError(
            .damaged, file: path,
            reason:
                "it isn't what its name says: a .\(ending) file begins with a header, and this one "
                + "looks like a raw \(format) stream at best",
            remedy:
                "If it really is one, give it a name that ends with .\(format); otherwise it is damaged"
        )
    }

    /// Refuses a small MP4 whose header promises so many samples that libav would build tables of gigabytes.
    static func requireModestTables(
        _ path: String, in file: UnsafeMutablePointer<AVIOContext>?,
        as format: UnsafePointer<AVInputFormat>, _ bound: CPUTimeBudget
    ) throws {
        guard String(cString: format.pointee.name).contains("mp4") else {
            return
        }
        let (objection, excess) = bound.hold(
            to: MediaLimits.openingSeconds(forBytes: avio_size(file))
        ) {
            MovieTables.objection(to: path) { bound.isExceeded }
        }
        try requireBounded(excess, path)
        switch objection {
        case .promises:
            throw MediaError(
                .damaged, file: path,
                reason: "its header is damaged: it promises more samples than the file has bytes",
                remedy: "Check that it plays in another program")
        case .compressed:
            throw MediaError(
                .unsupported, file: path,
                reason:
                    "its header is compressed, as in some old QuickTime files, and can't be read",
                remedy: "Copy it to a new file with another program first")
        case nil: return
        }
    }

    /// - Parameter excess: seconds of CPU time, if they exceed the budget.
    static func requireBounded(_ excess: Double?, _ path: String) throws {
        guard let excess else {
            return
        }
        throw MediaError(
            .damaged, file: path,
            reason: "its header is damaged: reading it took \(Int(excess)) s of CPU time",
            remedy: "Check that it plays in another program")
    }

    /// Throws the disk's error, if there is one, before the result of a libav call is looked at: a file that the
    /// disk can't read to its end is neither damaged nor shorter than it was.
    static func requireHealthy(_ diskError: CInt, _ path: String) throws {
        try requireUnchanged(diskError, path)
        guard diskError >= 0 else {
            throw systemError(
                tw_errno_from_error(diskError), doing: "reading", path, as: .diskFailed)
        }
    }

    /// Throws if the error means that the file isn't what it was.
    static func requireUnchanged(_ error: CInt, _ path: String) throws {
        guard tw_errno_from_error(error) != ESTALE else {
            throw MediaError(
                .changed, file: path, reason: "it changed since it was first looked at",
                remedy: "Restore the file, or begin again")
        }
    }

    static func notMedia(_ path: String, _ result: CInt) -> MediaError {
        let error = libAVError(result, doing: "opening", path, as: .damaged)
        guard error.code == .damaged else {
            return error
        }
        return MediaError(
            .damaged, file: path, reason: "not a media file, or damaged: \(error.reason)",
            remedy: "Check that it plays in another program")
    }
}
