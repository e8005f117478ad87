import Media

extension RenderSettings {
    /// How the output file is written.
    public struct Output: Hashable, Sendable {
        /// The destination that stands for a pipe, as on a command line; see ``Renderer/run(_:writing:)``.
        public static let pipe = "-"

        /// The container format; nil for what the file's extension says.
        public var container: Container?
        /// What to do if the file exists.
        public var existing: ExistingOutput = .refuse
        /// Whether tags are kept: titles, dates, places, the names of devices. Without them, tracks keep only their
        /// languages.
        public var keepsMetadata = true
        /// Whether the index of an MP4 or MOV comes first, so that it plays while it is loaded. Its packets are moved for
        /// that when all are written, which reads and writes the file once more.
        public var putsIndexFirst = true
        /// Whether it is a stream, which is played while it is made.
        package var isStream = false

        /// The default settings.
        public init() {}
    }
}
