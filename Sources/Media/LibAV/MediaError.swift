import Foundation

/// An error about a media file: the file, what went wrong, and what to do about it.
public struct MediaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Compare it with the static members; later versions may add some.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case noInput, damaged, unsupported, noUsableStream, incompatible
            case exists, cannotCreate, readFailed, writeFailed, library, diskFailed, unfinished,
                changed
        }
        private let kind: Kind

        /// The input doesn't exist or may not be read.
        public static let noInput = Code(kind: .noInput)
        /// The input isn't a media file, or is too damaged to be used.
        public static let damaged = Code(kind: .damaged)
        /// The input or output needs something that isn't supported: a file format, an encryption, or a codec that
        /// the linked FFmpeg lacks.
        public static let unsupported = Code(kind: .unsupported)
        /// The input has no video or audio that can be decoded.
        public static let noUsableStream = Code(kind: .noUsableStream)
        /// The container or codec can't do what was asked for.
        public static let incompatible = Code(kind: .incompatible)
        /// The output exists already, or is the input.
        public static let exists = Code(kind: .exists)
        /// The output can't be created.
        public static let cannotCreate = Code(kind: .cannotCreate)
        /// Reading failed midway.
        public static let readFailed = Code(kind: .readFailed)
        /// The disk failed while the input was read, or the input was removed; the file itself is not damaged.
        public static let diskFailed = Code(kind: .diskFailed)
        /// Writing failed midway, for example because the disk is full.
        public static let writeFailed = Code(kind: .writeFailed)
        /// A file isn't what it was when it was looked at before.
        public static let changed = Code(kind: .changed)
        /// Something that is needed is being made elsewhere and isn't ready yet: try again later.
        public static let unfinished = Code(kind: .unfinished)
        /// A call of FFmpeg failed that shouldn't, or memory has run out.
        public static let library = Code(kind: .library)
    }

    /// The kind of failure.
    public let code: Code
    /// The path of the file that the error is about, as the caller gave it; empty if there is none.
    public package(set) var file: String
    /// What is wrong, as a sentence without a capital and a full stop; it includes libav's last message, if any.
    public let reason: String
    /// What to do about it; nil if nothing is known to help.
    public let remedy: Remedy?

    /// Creates an error about a file.
    package init(_ code: Code, file: String, reason: String, remedy: Remedy? = nil) {
        self.code = code
        self.file = file
        self.reason = reason
        self.remedy = remedy
    }

    /// File, reason and remedy as one text, with settings named in plain words.
    public var description: String { worded(\.description) }

    private var fault: String { (file.isEmpty ? "" : "\(file): ") + reason }

    /// Returns file, reason and remedy as one text, with each setting in the remedy named by `name`.
    public func worded(_ name: (Setting) -> String) -> String {
        fault + (remedy.map { ". " + $0.worded(name) } ?? "")
    }
}

extension MediaError {
    /// The error for a file that isn't there.
    package static func absent(_ path: String) -> MediaError {
        MediaError(
            .noInput, file: path, reason: "there is no such file",
            remedy: "Check its name and its folder")
    }
}

extension MediaError: LocalizedError {
    /// File and reason.
    public var errorDescription: String? { fault }

    /// What to do, with settings named in plain words.
    public var recoverySuggestion: String? { remedy?.description }
}
