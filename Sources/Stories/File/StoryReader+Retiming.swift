import Documents
import TimeMaps

extension StoryReader {
    /// Reads `warp`, `timeMap` or `timeMapFile`; a segment may have at most one of them.
    mutating func readRetiming(
        _ object: JSONObject, _ owner: JSONValue, _ path: DocumentPath
    ) -> Story.Retiming {
        let keys: [SegmentKey] = [.warp, .timeMap, .timeMapFile]
        let given = keys.filter { object[$0.rawValue] != nil }
        guard given.count <= 1 else {
            let names = given.map { "\"\($0.rawValue)\"" }.joined(separator: " and ")
            note("\(names) can't be used together", path, owner)
            return .none
        }
        guard let key = given.first, let value = object[key.rawValue] else {
            return .none
        }
        let path = path.key(key.rawValue)
        switch key {
        case .warp: return readWarp(value, path).map { .warp($0) } ?? .none
        case .timeMap: return readPoints(value, path).map { .timeMap($0) } ?? .none
        default: return filePath(value, path).map { .timeMapFile($0) } ?? .none
        }
    }

    private mutating func readPoints(
        _ value: JSONValue, _ path: DocumentPath
    ) -> TimeMapDocument? {
        var points: [TimeAnchor] = []
        let all = list(value, path, atMost: TimeMapDocument.mostPoints)
        for (index, value) in all.enumerated() {
            let path = path.index(index)
            guard let object = object(value, path, known: PointKey.self) else {
                return nil
            }
            guard let output = object["output"], let source = object["source"] else {
                note("a point needs \"output\" and \"source\"", path, value)
                return nil
            }
            guard let output = time(output, path.key("output")),
                let source = time(source, path.key("source"))
            else {
                return nil
            }
            points.append(TimeAnchor(source: source, output: output))
        }
        return value.list?.count == points.count ? TimeMapDocument(points: points) : nil
    }

    private mutating func readWarp(_ value: JSONValue, _ path: DocumentPath) -> Curve? {
        guard value.bytes.count <= Curve.largestFile else {
            note("the curve is larger than 1 MiB", path, value)
            return nil
        }
        do {
            return try document.decode(Curve.self, from: value, at: path)
        } catch {
            note(error.problem)
            return nil
        }
    }
}
