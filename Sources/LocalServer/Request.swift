import Foundation

/// What a client asks for.
public struct Request: Sendable {
    /// What is to be done.
    public let method: Method
    /// The path in its parts, without percent encoding; a part may hold any character.
    public let path: [String]
    /// What follows the question mark, without percent encoding.
    public let query: [String: String]
    /// The header fields.
    public let headers: Headers
    /// What the client sends along.
    public let body: RequestBody
    /// The parts of the path that a route names, by that name.
    public internal(set) var parameters: [String: String] = [:]

    /// What is to be done (RFC 9110, section 9).
    public struct Method: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let get = Method(rawValue: "GET")
        public static let head = Method(rawValue: "HEAD")
        public static let post = Method(rawValue: "POST")
        public static let put = Method(rawValue: "PUT")
        public static let delete = Method(rawValue: "DELETE")
    }

    /// - Parameter target: as it stands in the request line, with percent encoding.
    /// - Returns: nil when the target is none that a server is asked for.
    init?(method: Method, target: String, headers: Headers, body: RequestBody) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = halves.first, path.hasPrefix("/") else {
            return nil
        }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { String($0).removingPercentEncoding }
        guard !parts.contains(nil) else {
            return nil
        }
        self.method = method
        self.path = parts.compactMap { $0 }
        self.query = Self.query(halves.count > 1 ? halves[1] : "")
        self.headers = headers
        self.body = body
    }

    /// Of a name that comes twice the first counts.
    private static func query(_ text: Substring) -> [String: String] {
        let pairs = text.split(separator: "&").map { item -> (String, String) in
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { half in
                    let spaced = String(half).replacing("+", with: " ")
                    return spaced.removingPercentEncoding ?? spaced
                }
            return (halves[0], halves.count > 1 ? halves[1] : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The value of a cookie; nil when the client sends none of that name.
    public func cookie(_ name: String) -> String? {
        for field in headers.values(of: .cookie) {
            for item in field.split(separator: ";") {
                let halves = item.split(separator: "=", maxSplits: 1)
                if halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name {
                    return halves[1].trimmingCharacters(in: .whitespaces)
                }
            }
        }
        return nil
    }
}
