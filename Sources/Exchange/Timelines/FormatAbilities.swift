import Foundation
import TimeWarp

/// Something that a composition may have and a format may keep.
enum TimelineFeature: String, CaseIterable {
    case tracks = "tracks"
    case gaps = "gaps"
    case positions = "places between frames"
    case speeds = "constant speeds"
    case reverse = "reverse"
    case freezes = "freeze frames"
    case curves = "curves and time maps"
    case dissolves = "dissolves"
    case fades = "fades in and out"
    case gain = "gain and its keyframes"
    case markers = "markers"
    case markerColours = "colours of markers"
    case frameRate = "frame rate"
    case size = "frame size"
    case sampleRate = "sample rate"
    case crossfade = "crossfade at cuts"
    case pitch = "pitch kept or not"
    case frameSampling = "frames in between"
}

/// How a format keeps something.
enum Keeping {
    /// Reading what was written gives the same. The text names the format's means.
    case exactly(String)
    /// Reading what was written gives nearly the same. The text says how near.
    case closely(String)
    /// It isn't written.
    case lost

    /// A cell of the table in the guide.
    var cell: String {
        switch self {
        case .exactly(let means): means
        case .closely(let means): "*\(means)*"
        case .lost: "no"
        }
    }
}

/// What a format keeps, for every feature.
struct FormatAbilities: ExpressibleByDictionaryLiteral {
    private let keeping: [TimelineFeature: Keeping]

    init(dictionaryLiteral elements: (TimelineFeature, Keeping)...) {
        keeping = Dictionary(uniqueKeysWithValues: elements)
        precondition(
            keeping.count == TimelineFeature.allCases.count,
            "a format says how it keeps every feature")
    }

    subscript(feature: TimelineFeature) -> Keeping { keeping[feature] ?? .lost }
}

/// A project format of other programs. It says what it keeps; the guide's table and the notes on what is lost follow from
/// that.
protocol ExchangeFormat: ProjectFormat {
    var abilities: FormatAbilities { get }
}

extension ExchangeFormat {
    /// Refuses files that are larger than the format's largest.
    func requireSmall(_ file: Data) throws {
        guard file.count <= largestFile else {
            throw CompositionError(.malformed, "it is larger than \(largestFile >> 20) MiB")
        }
    }

    /// Notes on what the composition has and the format doesn't keep at all.
    func lossNotes(
        of composition: Composition, _ settings: ProjectSettings
    ) -> TimelineNotes {
        var notes = TimelineNotes()
        var used = composition.usedFeatures
        if settings.sound == .keepPitch {
            used.insert(.pitch)
        }
        if settings.frames ?? .hold != .hold {
            used.insert(.frameSampling)
        }
        let lost = TimelineFeature.allCases.filter { feature in
            guard case .lost = abilities[feature] else {
                return false
            }
            return used.contains(feature)
        }
        if !lost.isEmpty {
            let list = lost.map(\.rawValue).joined(separator: ", ")
            notes.add("Not in the file, as \(name) has no place for it: \(list).")
        }
        return notes
    }
}

extension Composition {
    /// What this composition has of what a format may lose.
    fileprivate var usedFeatures: Set<TimelineFeature> {
        var used: Set<TimelineFeature> = []
        func mark(_ feature: TimelineFeature, _ isUsed: Bool) {
            if isUsed {
                used.insert(feature)
            }
        }
        mark(.tracks, tracks.count > 1)
        mark(.frameRate, format.frameRate != nil)
        mark(.size, format.size != nil)
        mark(.sampleRate, format.sampleRate != nil)
        mark(.crossfade, format.crossfade != Format.usualCrossfade)
        for track in tracks {
            for (index, segment) in track.segments.enumerated() {
                mark(.gaps, segment.isGap)
                mark(.markers, !segment.markers.isEmpty)
                mark(.markerColours, segment.markers.contains { $0.colour != nil })
                mark(.gain, segment.blending.gain != .unity)
                let follows = index > 0 && !track.segments[index - 1].isGap
                mark(.dissolves, segment.blending.dissolve > .zero && follows)
                mark(.fades, segment.blending.dissolve > .zero && !follows)
                mark(.fades, segment.blending.fadeOut > .zero)
                switch segment.clip?.retiming {
                case .reversed: mark(.reverse, true)
                case .frozen: mark(.freezes, true)
                case .curve, .timeMap, .thereAndBack: mark(.curves, true)
                case .uniform, nil: mark(.speeds, segment.clip?.window.duration != segment.duration)
                }
            }
        }
        return used
    }
}

extension FormatAbilities {
    /// The guide's table: a row for each feature, a column for each format, in Markdown.
    static var table: String {
        let formats = ProjectFormats.others
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        let endings = formats.map { format in
            format.extensions.map { "`.\($0)`" }.joined(separator: ", ")
        }
        let rows = TimelineFeature.allCases.map { feature in
            row([feature.rawValue] + formats.map { $0.abilities[feature].cell })
        }
        return ([row([""] + endings), row(endings.map { _ in "---" } + ["---"])] + rows)
            .joined(separator: "\n")
    }
}
