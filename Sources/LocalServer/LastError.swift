import Foundation

extension POSIXError {
    /// The error of the last system call, from `errno`.
    package static var last: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
