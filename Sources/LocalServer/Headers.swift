/// The header fields of a request or a response, in their order. Names are compared without regard to case.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    /// The name of a header field, kept in lower case.
    public struct Name: Hashable, Sendable {
        let text: String

        /// The name in any case.
        public init(_ text: String) {
            self.text = text.lowercased()
        }
    }

    private(set) var fields: [(name: Name, value: String)] = []

    /// No fields.
    public init() {}

    /// The fields of a literal such as `[.contentType: "text/plain"]`, in its order.
    public init(dictionaryLiteral elements: (Name, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The value of the first field with this name. Setting a value replaces all fields of the name; setting
    /// nil removes them.
    public subscript(name: Name) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue {
                append(newValue, as: name)
            }
        }
    }

    /// The values of all fields with this name, in order.
    public func values(of name: Name) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field after the existing ones, even if the name is already present.
    mutating func append(_ value: String, as name: Name) {
        fields.append((name: name, value: value))
    }
}

extension Headers.Name {
    /// Whether the server supports byte ranges: `Accept-Ranges`.
    public static let acceptRanges = Self("Accept-Ranges")
    /// Which methods a resource supports: `Allow`.
    public static let allow = Self("Allow")
    /// Credentials of the client: `Authorization`.
    public static let authorization = Self("Authorization")
    /// How a response may be cached: `Cache-Control`.
    public static let cacheControl = Self("Cache-Control")
    /// Whether the connection stays open: `Connection`.
    public static let connection = Self("Connection")
    /// Whether to display or to save the response: `Content-Disposition`.
    public static let contentDisposition = Self("Content-Disposition")
    /// The length of the body in bytes: `Content-Length`.
    public static let contentLength = Self("Content-Length")
    /// Which bytes of a file a response holds: `Content-Range`.
    public static let contentRange = Self("Content-Range")
    /// What a page may load: `Content-Security-Policy`.
    public static let contentSecurityPolicy = Self("Content-Security-Policy")
    /// The media type of the body: `Content-Type`.
    public static let contentType = Self("Content-Type")
    /// Whether browsers may guess the type of a body: `X-Content-Type-Options`.
    public static let contentTypeOptions = Self("X-Content-Type-Options")
    /// The client's cookies: `Cookie`.
    public static let cookie = Self("Cookie")
    /// Which sites may embed a response: `Cross-Origin-Resource-Policy`.
    public static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")
    /// The version of a resource: `ETag`.
    public static let eTag = Self("ETag")
    /// What the client waits for before it sends the body: `Expect`.
    public static let expect = Self("Expect")
    /// The host and port that the client meant to reach: `Host`.
    public static let host = Self("Host")
    /// The versions that the client already has: `If-None-Match`.
    public static let ifNoneMatch = Self("If-None-Match")
    /// The version whose byte range the client wants: `If-Range`.
    public static let ifRange = Self("If-Range")
    /// Where to go instead: `Location`.
    public static let location = Self("Location")
    /// The site of the page that sent a request: `Origin`.
    public static let origin = Self("Origin")
    /// The byte range that the client wants: `Range`.
    public static let range = Self("Range")
    /// How much of its address a page tells other sites: `Referrer-Policy`.
    public static let referrerPolicy = Self("Referrer-Policy")
    /// How a browser makes a request, such as `navigate` or `cors`: `Sec-Fetch-Mode`.
    public static let secFetchMode = Self("Sec-Fetch-Mode")
    /// How the site of the page that sent a request relates to this server: `Sec-Fetch-Site`.
    public static let secFetchSite = Self("Sec-Fetch-Site")
    /// A cookie for the client to keep: `Set-Cookie`.
    public static let setCookie = Self("Set-Cookie")
    /// How the body is framed, such as `chunked`: `Transfer-Encoding`.
    public static let transferEncoding = Self("Transfer-Encoding")
}
