import Foundation

/// The name of this machine.
package enum HostName {
    /// The name that the system gives it; "unknown" if it has none.
    package static let own: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else {
            return "unknown"
        }
        let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return bytes.isEmpty ? "unknown" : String(decoding: bytes, as: UTF8.self)
    }()
}
