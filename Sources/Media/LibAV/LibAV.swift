import CLibAV
import Foundation
import Logging
import Synchronization
import TimeMaps

/// Checks the return code of a libav call.
///
/// - Returns: the return code, if it is no error.
/// - Throws: ``MediaError`` with the file, the operation and libav's last message.
@discardableResult
func check(
    _ result: CInt, doing operation: String, _ file: String, as code: MediaError.Code
) throws -> CInt {
    guard result < 0 else {
        return result
    }
    throw libAVError(result, doing: operation, file, as: code)
}

/// The error for a negative libav return code.
func libAVError(
    _ result: CInt, doing operation: String, _ file: String, as code: MediaError.Code,
    remedy: Remedy? = nil
) -> MediaError {
    let words = LibAVLog.takeLastWords()
    let name = describe(error: result)
    let because = words.map { $0 == name ? name : "\(name) (\($0))" } ?? name
    return MediaError(
        actualCode(of: result, otherwise: code), file: file,
        reason: "\(operation) failed: \(because)", remedy: remedy)
}

/// Some return codes are more specific than the error code that the caller proposes.
private func actualCode(of result: CInt, otherwise code: MediaError.Code) -> MediaError.Code {
    switch result {
    case tw_error_from_errno(ENOENT), tw_error_from_errno(EACCES):
        return code == .damaged ? .noInput : code
    case tw_error_from_errno(ENOSPC), tw_error_from_errno(EDQUOT), tw_error_from_errno(EFBIG):
        return .writeFailed
    default:
        return code
    }
}

func describe(error: CInt) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
        text[0] = 0
        av_strerror(error, text.baseAddress, text.count)
        return String(cString: text.baseAddress!)
    }
}

/// Unwraps the result of a libav allocation, which is nil only when memory has run out.
///
/// Call it before the next call that may throw, so that the object has an owner by then.
func allocated<Pointee>(
    _ pointer: UnsafeMutablePointer<Pointee>?, _ file: String
) throws -> UnsafeMutablePointer<Pointee> {
    guard let pointer else {
        throw MediaError(.library, file: file, reason: "out of memory")
    }
    return pointer
}

/// What FFmpeg's libraries log.
///
/// They have one log for a whole process and print it to stderr. TimeWarp leaves it alone, because it may be yours, until
/// a program calls ``capture()``.
public enum LibAVLog {
    /// The last error message of each thread: it belongs to the call that failed on that thread.
    private static let lastWords = Mutex<[UInt: String]>([:])
    private static let logger = Logger(label: "timewarp.libav")

    /// Takes the log of the process over: FFmpeg's libraries print nothing anymore, each ``MediaError`` quotes the message
    /// that explains it, and warnings go to the logger `timewarp.libav` at level debug.
    ///
    /// Call it when a program starts, before it opens a file. A callback that was set by `av_log_set_callback` is
    /// replaced; one that is set later replaces this one. Further calls do nothing.
    public static func capture() {
        captured
    }

    private static let captured: Void = {
        av_log_set_level(AV_LOG_WARNING)
        av_log_set_callback { context, level, format, arguments in
            guard level <= AV_LOG_WARNING, let format else {
                return
            }
            LibAVLog.keep(LibAVLog.format(context, level, format, arguments), level: level)
        }
    }()

    static func takeLastWords() -> String? {
        lastWords.withLock { $0.removeValue(forKey: threadKey) }
    }

    private static var threadKey: UInt {
        UInt(bitPattern: ObjectIdentifier(Thread.current))
    }

    private static func format(
        _ context: UnsafeMutableRawPointer?, _ level: CInt, _ format: UnsafePointer<CChar>,
        _ arguments: CVaListPointer?
    ) -> String {
        guard let arguments else {
            return ""
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { text in
            var printsPrefix: CInt = 0
            text[0] = 0
            av_log_format_line2(
                context, level, format, arguments, text.baseAddress, CInt(text.count),
                &printsPrefix)
            return String(cString: text.baseAddress!)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    private static func keep(_ line: String, level: CInt) {
        logger.debug("\(line)")
        guard level <= AV_LOG_ERROR, !line.isEmpty else {
            return
        }
        lastWords.withLock { words in
            // New threads must not make the table grow without limit.
            if words.count > 64 {
                words.removeAll()
            }
            words[threadKey] = line
        }
    }
}

extension AVRational {
    /// The number, or nil if it is one that libav uses for "unknown" (0/0, 0/1, n/0).
    var known: AVRational? {
        num > 0 && den > 0 ? self : nil
    }
}

extension RationalTime {
    /// Converts a timestamp. libav's "no time" becomes nil, so that the rest of the program never meets it.
    init?(_ pts: Int64, in timeBase: AVRational) {
        guard pts != TW_NO_PTS, timeBase.num > 0, timeBase.den > 0 else {
            return nil
        }
        let (value, overflow) = pts.multipliedReportingOverflow(by: Int64(timeBase.num))
        guard !overflow else {
            return nil
        }
        self.init(value, over: timeBase.den)
    }

    /// The time as the length of a tick, which is far below the 2 billion units that libav's numbers hold.
    var asTimeBase: AVRational { AVRational(num: CInt(value), den: timescale) }
}
