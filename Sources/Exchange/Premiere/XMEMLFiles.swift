import Media
import TimeMaps
import TimeWarp

/// The media files and sequences that a Premiere file defines once and then refers to.
struct XMEMLFiles {
    struct File {
        /// As written in the file.
        let path: String
        let name: String
        /// Nil if it isn't said, as for stills.
        let duration: RationalTime?
    }

    private var files: [String: File] = [:]
    private var sequences: [String: XMLItem] = [:]
    /// How long files last, by their paths.
    private(set) var durations: [String: RationalTime] = [:]

    init(_ root: XMLItem) {
        collect(root)
    }

    private mutating func collect(_ item: XMLItem) {
        if let id = item["id"], !item.children.isEmpty {
            if item.name == "file", files[id] == nil {
                let file = File(item)
                files[id] = file
                durations[file.path] = file.duration
            } else if item.name == "sequence", sequences[id] == nil {
                sequences[id] = item
            }
        }
        for child in item.children {
            collect(child)
        }
    }

    /// The file that a clip names.
    func file(of item: XMLItem) -> File? {
        guard let element = item.first("file") else {
            return nil
        }
        return files[element["id"] ?? ""] ?? (element.children.isEmpty ? nil : File(element))
    }

    /// The sequence that a clip shows.
    func sequence(of item: XMLItem) -> XMLItem? {
        guard let element = item.first("sequence") else {
            return nil
        }
        return element.children.isEmpty ? sequences[element["id"] ?? ""] : element
    }
}

extension XMEMLFiles.File {
    init(_ item: XMLItem) {
        name = item.text(of: "name") ?? ""
        path = MediaLocation.path(ofURL: item.text(of: "pathurl") ?? name)
        let rate = FrameRate(xmeml: item.first("rate"))
        let frames = item.text(of: "duration").flatMap { Double(reading: $0) }
        if let rate, let frames, frames > 0, frames < 1e12 {
            duration = try? FrameGrid(rate).time(frames)
        } else {
            duration = nil
        }
    }
}

extension FrameRate {
    /// A `rate` element: a whole number of frames a second, divided by 1.001 for NTSC.
    init?(xmeml item: XMLItem?) {
        guard let base = item?.text(of: "timebase").flatMap({ Double(reading: $0) }),
            (1...1000).contains(base)
        else {
            return nil
        }
        let whole = Int32(base.rounded())
        let isNTSC = item?.text(of: "ntsc")?.uppercased() == "TRUE"
        self = isNTSC ? FrameRate(known: whole * 1000, over: 1001) : FrameRate(known: whole)
    }

    /// As a `rate` element.
    var xmeml: XMLItem {
        let isNTSC = denominator == 1001
        return XMLItem(
            "rate", [:],
            [
                XMLItem("timebase", isNTSC ? numerator / 1000 : numerator),
                XMLItem("ntsc", isNTSC ? "TRUE" : "FALSE"),
            ])
    }
}
