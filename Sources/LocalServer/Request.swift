import Foundation

/// An HTTP request.
public struct Request: Sendable {
    /// The method, such as GET.
    public let method: Method
    /// The path without its leading slash, split at slashes, each part percent-decoded. A part may hold any
    /// character, even a slash.
    public let path: [String]
    /// The parameters after the question mark, percent-decoded. If a name occurs twice, its first value counts.
    public let query: [String: String]
    /// The header fields.
    public let headers: Headers
    /// The body, which can be read once.
    public let body: RequestBody
    /// The values of the named parts of the route's path, such as `id` in `media/:id`.
    public internal(set) var parameters: [String: String] = [:]

    /// The method of a request (RFC 9110, section 9).
    public struct Method: RawRepresentable, Hashable, Sendable {
        /// The name as written in the request line. It is case-sensitive.
        public let rawValue: String

        /// Any method, known or unknown.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Read a resource.
        public static let get = Method(rawValue: "GET")
        /// Read only the headers of a resource.
        public static let head = Method(rawValue: "HEAD")
        /// Create something or start an action.
        public static let post = Method(rawValue: "POST")
        /// Create or replace a resource.
        public static let put = Method(rawValue: "PUT")
        /// Delete a resource.
        public static let delete = Method(rawValue: "DELETE")
    }

    /// - Parameter target: from the request line, with percent encoding.
    /// - Returns: nil if the target isn't a path with valid percent encoding.
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

    /// If a name occurs twice, its first value counts.
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

    /// Whether it doesn't come from another site's page: browsers name the origin of the page that sent it, and typed
    /// addresses and programs name none.
    public var isOfOwnOrigin: Bool {
        guard let origin = headers[.origin] else {
            return true
        }
        return origin == "http://\(headers[.host] ?? "")"
    }

    /// The value of a cookie; nil if the client sent no cookie of that name.
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
