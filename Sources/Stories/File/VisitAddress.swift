import Foundation

/// The address to which a player's page sends what viewers choose.
package struct VisitAddress: Hashable, Sendable {
    /// The address as written in the story.
    package let text: String
    /// Its scheme, host and port, as a content security policy names them.
    package let origin: String
    /// Whether no network can read what is sent there: it is encrypted, or stays on the machine.
    let isPrivate: Bool

    /// - Returns: nil unless the text is an `http` or `https` address without a user name and fragment, in ASCII, whose
    ///   host is a plain name.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { (33...126).contains($0) }
        guard isPlain, text.utf8.count <= StoryLimits.longestAddress,
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
            host.utf8.allSatisfy(Self.belongsToName), parts.user == nil, parts.password == nil,
            parts.fragment == nil, (1...65_535).contains(parts.port ?? 80)
        else {
            return nil
        }
        self.text = text
        isPrivate = scheme == "https" || host.lowercased() == "localhost" || Self.isLoopback(host)
        origin = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }

    /// Whether a host is one of 127.0.0.0/8, and not a name that begins like one.
    private static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    private static func belongsToName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
