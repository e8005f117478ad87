import CLibAV
import Foundation

/// An open file that libav reads, closed when this object goes.
final class InputFile {
    /// Why a file couldn't be opened.
    struct OpeningFailure: Error {
        /// libav's code.
        let code: CInt
    }
    let context: UnsafeMutablePointer<AVIOContext>
    /// Reads the file if its content is compared; nil if libav reads it.
    private let checked: CheckedFile?

    /// - Parameters:
    ///   - fingerprint: what the file must hold. If something else is read, reading fails with ESTALE.
    ///   - bound: a budget of CPU time that libav asks for while it reads.
    init(_ path: String, holding fingerprint: FileFingerprint?, _ bound: CPUTimeBudget) throws {
        guard let fingerprint else {
            // With the prefix, a path such as "http:x" or "concat:a|b" is taken as a file name, not as a URL.
            var file: UnsafeMutablePointer<AVIOContext>?
            var callback = bound.callback
            let result = avio_open2(&file, "file:" + path, AVIO_FLAG_READ, &callback, nil)
            guard result >= 0, let file else {
                throw OpeningFailure(code: result)
            }
            (context, checked) = (file, nil)
            return
        }
        let checked = try CheckedFile(path, fingerprint)
        let size: CInt = 1 << 16
        let buffer = try allocated(
            av_malloc(Int(size))?.assumingMemoryBound(to: UInt8.self), path)
        let file = avio_alloc_context(
            buffer, size, 0,
            Unmanaged.passUnretained(checked).toOpaque(),
            { opaque, buffer, count in
                CheckedFile.of(opaque).read(into: buffer, upTo: Int(count))
            }, nil, { opaque, offset, whence in CheckedFile.of(opaque).seek(offset, whence) })
        context = try allocated(file, path)
        self.checked = checked
    }

    deinit {
        var closing: UnsafeMutablePointer<AVIOContext>? = context
        if checked == nil {
            avio_closep(&closing)
        } else {
            av_freep(&context.pointee.buffer)
            avio_context_free(&closing)
        }
    }
}

/// A file whose blocks are compared with a fingerprint when they are first read. Used on one thread.
private final class CheckedFile {
    private let descriptor: CInt
    private let fingerprint: FileFingerprint
    private var position: Int64 = 0
    /// The blocks that were found unchanged.
    private var sound: Set<Int> = []

    /// - Throws: ``InputFile/OpeningFailure`` if the file can't be opened or has another size.
    init(_ path: String, _ fingerprint: FileFingerprint) throws {
        self.fingerprint = fingerprint
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw InputFile.OpeningFailure(code: tw_error_from_errno(errno))
        }
        guard lseek(descriptor, 0, SEEK_END) == fingerprint.byteCount else {
            throw InputFile.OpeningFailure(code: tw_error_from_errno(ESTALE))
        }
    }

    deinit {
        close(descriptor)
    }

    static func of(_ opaque: UnsafeMutableRawPointer?) -> CheckedFile {
        Unmanaged<CheckedFile>.fromOpaque(opaque!).takeUnretainedValue()
    }

    /// Reads up to the end of a block.
    ///
    /// - Returns: how many bytes were read, or libav's code of an error.
    func read(into buffer: UnsafeMutablePointer<UInt8>?, upTo count: Int) -> CInt {
        guard position < fingerprint.byteCount else {
            return TW_ERROR_EOF
        }
        let block = fingerprint.block(at: position)
        let range = fingerprint.range(ofBlock: block)
        let wanted = min(count, Int(range.upperBound - position))
        if sound.contains(block) {
            let result = pread(descriptor, buffer, wanted, off_t(position))
            guard result > 0 else {
                return tw_error_from_errno(result == 0 ? ESTALE : errno)
            }
            position += Int64(result)
            return CInt(result)
        }
        let (bytes, failure) = read(range)
        guard failure == 0, fingerprint.holds(bytes, asBlock: block) else {
            return tw_error_from_errno(failure == 0 ? ESTALE : failure)
        }
        sound.insert(block)
        bytes.withUnsafeBufferPointer {
            buffer?.update(
                from: $0.baseAddress! + Int(position - range.lowerBound), count: wanted)
        }
        position += Int64(wanted)
        return CInt(wanted)
    }

    private func read(_ range: Range<Int64>) -> (bytes: [UInt8], failure: CInt) {
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            while filled < range.count {
                let result = pread(
                    descriptor, buffer.baseAddress! + filled, range.count - filled,
                    off_t(range.lowerBound) + off_t(filled))
                if result == 0 {
                    return
                } else if result > 0 {
                    filled += result
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        return (bytes, failure)
    }

    /// - Returns: the new position, or the file's size if that is asked for; or libav's code of an error.
    func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        let start: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return fingerprint.byteCount
        case SEEK_SET: start = 0
        case SEEK_CUR: start = position
        case SEEK_END: start = fingerprint.byteCount
        default: return Int64(tw_error_from_errno(EINVAL))
        }
        let (place, overflow) = start.addingReportingOverflow(offset)
        guard !overflow, place >= 0 else {
            return Int64(tw_error_from_errno(EINVAL))
        }
        position = place
        return place
    }
}
