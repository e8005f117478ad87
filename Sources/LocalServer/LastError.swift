import Foundation

extension POSIXError {
    /// What the last call of the system says is wrong.
    package static var last: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
