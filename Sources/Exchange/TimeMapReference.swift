import Foundation
import Media
import TimeMaps
import TimeWarp

/// Where a time map is: a file of its own, or a clip of a project.
///
/// `edit.fcpxml#clip name` is the first clip of that name, `edit.fcpxml#clip name#2` the second, and `edit.fcpxml` the
/// only clip there is.
public struct TimeMapReference: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The name of the clip, or of its file; nil if none is given.
    let clip: String?
    /// Which of the clips of that name, counted from 1; nil if it isn't said.
    let number: Int?

    /// Takes a text apart. A file whose whole name is the text comes first.
    public init(_ text: String) {
        let isFile = FileManager.default.fileExists(atPath: text)
        guard let sign = text.firstIndex(of: "#"), !isFile else {
            (path, clip, number) = (text, nil, nil)
            return
        }
        path = String(text[..<sign])
        var name = text[text.index(after: sign)...]
        if let last = name.lastIndex(of: "#"), let number = Int(name[name.index(after: last)...]) {
            self.number = number
            name = name[..<last]
        } else {
            number = nil
        }
        clip = name.isEmpty ? nil : String(name)
    }
}

extension Clip {
    /// A clip that is retimed by a time map: a file with points (JSON) or a framecurve, or a clip of a project.
    ///
    /// - Parameters:
    ///   - source: a media file or a composition.
    ///   - range: the range to use, in the source's time; nil for the whole source, or for the range that the clip of a
    ///     project has.
    ///   - timeMap: the file's path, or that of a project with the clip's name, as ``TimeMapReference`` reads it.
    ///   - rate: as in ``init(of:range:timeMapFile:rate:)``.
    ///   - formats: the formats of projects.
    /// - Throws: ``MediaError`` if the file can't be read or has no such clip, or maps to times outside of the source.
    public init(
        of source: MediaSource, range: TimeRange? = nil, timeMap text: String,
        rate: RenderSettings.OutputRate = .source, formats: ProjectFormats = .all
    ) throws {
        do {
            try self.init(
                of: source,
                playing: Segment(
                    of: source, range: range, timeMap: text, rate: rate, formats: formats))
        } catch let error as CurveError {
            throw MediaError(.damaged, file: text, reason: error.description)
        }
    }
}

extension Segment {
    /// A range of a source, retimed by a time map; see ``TimeWarp/Clip/init(of:range:timeMap:rate:formats:)``.
    package init(
        of source: MediaSource, range: TimeRange?, timeMap text: String,
        rate: RenderSettings.OutputRate, formats: ProjectFormats
    ) throws {
        let reference = TimeMapReference(text)
        let isProject =
            formats.includes(reference.path)
            && (reference.clip != nil || !reference.path.lowercased().hasSuffix(".json"))
        guard isProject else {
            try self.init(of: source, range: range, timeMapFile: text, rate: rate)
            return
        }
        let segment = try reference.segment(formats)
        guard let clip = segment.clip else {
            preconditionFailure("a reference finds clips only")
        }
        let start = range?.start ?? clip.range.start
        try self.init(
            PlacedClip(
                source.path, range: TimeRange(start: start, duration: clip.range.duration),
                retiming: clip.retiming, window: clip.isWhole ? nil : clip.window),
            lasting: segment.duration)
    }
}

extension TimeMapReference {
    /// The clip in its project.
    fileprivate func segment(_ formats: ProjectFormats) throws -> Segment {
        let project = try CompositionProject(
            contentsOfFile: path, formats: formats, missingMedia: .noted)
        let all = project.composition.tracks.flatMap(\.segments).filter { !$0.isGap }
        let found = all.filter { segment in
            guard let clip, let placed = segment.clip else {
                return true
            }
            return placed.name == clip || PlacedClip.fileName(of: placed.media) == clip
        }
        if let number {
            guard number > 0, number <= found.count else {
                let clips = found.count == 1 ? "1 clip" : "\(found.count) clips"
                let named = clip.map { " called \"\($0)\"" } ?? ""
                throw MediaError(
                    .damaged, file: path,
                    reason: "it has \(clips)\(named), and no number \(number)")
            }
            return found[number - 1]
        }
        // A clip that is seen and one that is heard may be the same.
        var shown: Set<Shown> = []
        let different = found.filter {
            shown.insert(Shown(clip: $0.clip, duration: $0.duration)).inserted
        }
        guard different.count == 1 else {
            let names = Set(
                all.compactMap(\.clip).map { $0.name ?? PlacedClip.fileName(of: $0.media) })
            let list = names.sorted().prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
            let reason =
                switch (different.isEmpty, clip) {
                case (true, nil): "it has no clips"
                case (true, let clip?):
                    "it has no clip called \"\(clip)\"; its clips are \(list)"
                case (false, nil):
                    "it has \(different.count) clips; add # and the clip's name: \(list)"
                case (false, let clip?):
                    "\(different.count) different clips are called \"\(clip)\"; add # and a number, as in \"\(clip)#1\""
                }
            throw MediaError(.damaged, file: path, reason: reason)
        }
        return different[0]
    }

    private struct Shown: Hashable {
        let clip: PlacedClip?
        let duration: RationalTime
    }
}
