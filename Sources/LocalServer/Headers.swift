/// Header fields of a request or a response, in their order; names in any case.
public struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    /// The name of a field, in lower case.
    public struct Name: Hashable, Sendable {
        let text: String

        public init(_ text: String) {
            self.text = text.lowercased()
        }
    }

    private(set) var fields: [(name: Name, value: String)] = []

    public init() {}

    public init(dictionaryLiteral elements: (Name, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The first value of a name; setting replaces all of them, nil removes them.
    public subscript(name: Name) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue {
                append(newValue, as: name)
            }
        }
    }

    /// All values of a name.
    public func values(of name: Name) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field beside those that are there.
    mutating func append(_ value: String, as name: Name) {
        fields.append((name: name, value: value))
    }
}

extension Headers.Name {
    public static let acceptRanges = Self("Accept-Ranges")
    public static let allow = Self("Allow")
    public static let authorization = Self("Authorization")
    public static let cacheControl = Self("Cache-Control")
    public static let connection = Self("Connection")
    public static let contentDisposition = Self("Content-Disposition")
    public static let contentLength = Self("Content-Length")
    public static let contentRange = Self("Content-Range")
    public static let contentSecurityPolicy = Self("Content-Security-Policy")
    public static let contentType = Self("Content-Type")
    public static let contentTypeOptions = Self("X-Content-Type-Options")
    public static let cookie = Self("Cookie")
    public static let crossOriginResourcePolicy = Self("Cross-Origin-Resource-Policy")
    public static let eTag = Self("ETag")
    public static let expect = Self("Expect")
    public static let host = Self("Host")
    public static let ifNoneMatch = Self("If-None-Match")
    public static let ifRange = Self("If-Range")
    public static let location = Self("Location")
    public static let origin = Self("Origin")
    public static let range = Self("Range")
    public static let referrerPolicy = Self("Referrer-Policy")
    public static let secFetchMode = Self("Sec-Fetch-Mode")
    public static let secFetchSite = Self("Sec-Fetch-Site")
    public static let setCookie = Self("Set-Cookie")
    public static let transferEncoding = Self("Transfer-Encoding")
}
