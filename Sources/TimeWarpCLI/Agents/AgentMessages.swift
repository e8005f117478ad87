import Documents
import Foundation

/// The messages of the Model Context Protocol (modelcontextprotocol.io, revision 2025-06-18): JSON-RPC 2.0, one a line.
enum AgentMessage {
    /// The largest message, in bytes.
    static let largest = 32 << 20

    /// What a request is known by: a text or a whole number.
    enum ID: Hashable, Sendable, Encodable {
        case text(String)
        case number(Int)

        init?(_ value: JSONValue) {
            if let text = value.text {
                self = .text(text)
            } else if let number = value.number, let whole = Int(exactly: number) {
                self = .number(whole)
            } else {
                return nil
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }

    /// A request, or a notification, which has no identity and gets no answer.
    struct Request: Sendable {
        let id: ID?
        let method: String
        let parameters: Parameters
    }

    /// A part of a message.
    struct Parameters: Sendable {
        private let text: SourceText
        private let value: JSONValue?

        init(_ document: JSONDocument, _ value: JSONValue?) {
            (text, self.value) = (document.text, value)
        }

        private init(_ text: SourceText, _ value: JSONValue?) {
            (self.text, self.value) = (text, value)
        }

        subscript(key: String) -> Parameters { Parameters(text, value?.object?[key]) }

        var string: String? { value?.text }
        var isTrue: Bool {
            guard case .truth(true) = value?.content else {
                return false
            }
            return true
        }
        var id: ID? { value.flatMap(ID.init) }
        var keys: [String] { value?.object?.members.map(\.key) ?? [] }
        /// Its JSON; nil if it isn't there.
        var json: Data? { value.map { Data(text.bytes[$0.bytes]) } }
    }

    /// What is wrong with a message itself.
    struct Fault: Error, Encodable {
        let code: Int
        let message: String

        static func unreadable(_ reason: String) -> Fault { Fault(code: -32700, message: reason) }
        static let noRequest = Fault(code: -32600, message: "it is no request of JSON-RPC 2.0")
        static func unknown(_ method: String) -> Fault {
            Fault(code: -32601, message: "there is no method \(method)")
        }
        static func wrong(_ reason: String) -> Fault { Fault(code: -32602, message: reason) }
    }

    struct Reply<Result: Encodable>: Encodable {
        let jsonrpc = "2.0"
        let id: ID
        let result: Result
    }

    struct Refusal: Encodable {
        let jsonrpc = "2.0"
        let id: ID?
        let error: Fault

        private enum Key: CodingKey {
            case jsonrpc, id, error
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(jsonrpc, forKey: .jsonrpc)
            // It is null where the message can't be read.
            try container.encode(id, forKey: .id)
            try container.encode(error, forKey: .error)
        }
    }

    struct Notice<Parameters: Encodable>: Encodable {
        let jsonrpc = "2.0"
        let method: String
        let params: Parameters
    }

    /// Reads a line. Answers to requests that a server might make have no method: there are none, and nil is returned.
    static func request(_ line: Data) throws(Unread) -> Request? {
        let document: JSONDocument
        do {
            document = try JSONDocument(line, kind: "message", largest: largest)
        } catch {
            throw Unread(id: nil, fault: .unreadable("\(error)"))
        }
        let members = document.root.object
        let id = members?["id"].flatMap(ID.init)
        guard let members, members["jsonrpc"]?.text == "2.0", members.repeated.isEmpty,
            id != nil || members["id"] == nil
        else {
            throw Unread(id: id, fault: .noRequest)
        }
        guard let method = members["method"]?.text else {
            guard members["result"] != nil || members["error"] != nil else {
                throw Unread(id: id, fault: .noRequest)
            }
            return nil
        }
        let parameters = members["params"]
        guard parameters == nil || parameters?.object != nil else {
            throw Unread(id: id, fault: .noRequest)
        }
        return Request(id: id, method: method, parameters: Parameters(document, parameters))
    }

    struct Unread: Error {
        let id: ID?
        let fault: Fault
    }
}
