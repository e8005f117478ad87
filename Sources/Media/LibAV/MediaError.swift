/// What went wrong with a media file: what was being done, to which file, why, and what to do.
public struct MediaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; compare with the static members.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case noInput, damaged, unsupported, noUsableStream, incompatible
            case exists, cannotCreate, readFailed, writeFailed, library, diskFailed
        }
        private let kind: Kind

        /// The input isn't there or may not be read.
        public static let noInput = Code(kind: .noInput)
        /// The input is not a media file, or is damaged beyond use.
        public static let damaged = Code(kind: .damaged)
        /// The input needs a decoder, or the output an encoder, that the linked FFmpeg lacks.
        public static let unsupported = Code(kind: .unsupported)
        /// The input has neither picture nor sound that can be decoded.
        public static let noUsableStream = Code(kind: .noUsableStream)
        /// The wish cannot be met by this container and codec.
        public static let incompatible = Code(kind: .incompatible)
        /// The output is there already, or is the input.
        public static let exists = Code(kind: .exists)
        /// The output cannot be created.
        public static let cannotCreate = Code(kind: .cannotCreate)
        /// Reading failed half-way.
        public static let readFailed = Code(kind: .readFailed)
        /// The input is on a disk that can't be read, or is gone meanwhile: nothing is wrong with it.
        public static let diskFailed = Code(kind: .diskFailed)
        /// Writing failed half-way.
        public static let writeFailed = Code(kind: .writeFailed)
        /// A call of the library failed that never should.
        public static let library = Code(kind: .library)
    }

    /// The kind of failure.
    public let code: Code
    /// The file it happened to, as the caller named it.
    public let file: String
    /// What is wrong, in words; libav's own last words included where there are any.
    public let reason: String
    /// What to do about it, if there is something.
    public let remedy: Remedy?

    /// An error about a file.
    public init(_ code: Code, file: String, reason: String, remedy: Remedy? = nil) {
        self.code = code
        self.file = file
        self.reason = reason
        self.remedy = remedy
    }

    /// All of it, with settings in plain words.
    public var description: String { worded(\.description) }

    /// All of it, with each setting in the remedy as `name` calls it.
    public func worded(_ name: (Setting) -> String) -> String {
        let subject = file.isEmpty ? "" : "\(file): "
        return subject + reason + (remedy.map { ". " + $0.worded(name) } ?? "")
    }
}
