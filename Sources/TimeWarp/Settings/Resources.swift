import Foundation
import Media

extension RenderSettings {
    /// What a render may use of the machine, and how its work is cut.
    public struct Resources: Hashable, Sendable {
        /// The number of threads of each codec; 0 for one per core.
        public var threads: Int = 0
        /// Whether hardware decodes video, and which. It decodes a stream only if the first frames are the same as software's.
        public var hardwareDecoding = HardwareDecoding.off
        /// How many pieces of a video track are encoded in parallel, to be joined without encoding them again.
        ///
        /// Frames and their times are the same for any number. Where the track is cut follows from ``pieces``; if that is
        /// nil, one job encodes the track in one go, and several cut it into pieces of a few hundred frames, the same for
        /// any number above 1.
        ///
        /// The same cuts give the same bytes. With x264 that holds only in a process whose allocator returns zeroed memory
        /// (glibc's does with `MALLOC_PERTURB_=255`), because x264 reads memory that it never wrote.
        public var jobs = 1
        /// Into how many pieces the render is cut; nil to cut it only for several ``jobs``. See ``PieceLayout``.
        public var pieces: Int?
        /// How much memory decoded frames may take, in bytes, if a map plays them in another order than the stored one.
        /// Further frames are spilled to the disk.
        public var memoryBytes = 256 << 20
        /// The folder of spilled frames; nil for `TMPDIR`, or `/var/tmp`.
        public var temporaryFolder: String?
        /// Folders in which media files of projects are looked for, if they aren't where a project says.
        public var mediaFolders: [String] = []
        /// How many images a second a folder or a name with `####` stands for; nil if no name stands for several files.
        public var sequenceRate: FrameRate?

        /// The default settings.
        public init() {}

        /// Whether video is cut into pieces.
        var isCut: Bool { jobs > 1 || pieces != nil }

        /// The threads of a codec when several codecs run in parallel: one per core in all. By default libav and x264 use
        /// half as many again, which gains nothing beside the other stages and needs memory for more frames.
        func threadsOfCodec(sharedBy jobs: Int = 1) -> Int {
            threads == 0
                ? max(1, ProcessInfo.processInfo.activeProcessorCount / jobs) : threads
        }
    }
}
