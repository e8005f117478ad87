import Foundation
import TimeMaps

extension StoryReader {
    /// Reads `warp`, `timeMap` or `timeMapFile`; a segment may have at most one of them.
    mutating func readRetiming(
        _ object: JSONObject, _ owner: JSONValue, _ path: StoryPath
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
        _ value: JSONValue, _ path: StoryPath
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

    /// The part of a curve file that describes the curve.
    private struct Warped: Decodable {
        let warp: Curve
    }

    private mutating func readWarp(_ value: JSONValue, _ path: StoryPath) -> Curve? {
        guard value.bytes.count <= Curve.largestFile else {
            note("the curve is larger than 1 MiB", path, value)
            return nil
        }
        let json = Data("{\"warp\":".utf8) + Data(bytes(of: value)) + Data("}".utf8)
        do {
            return try JSONDecoder().decode(Warped.self, from: json).warp
        } catch let error as DecodingError {
            noteCurve(error.explained(as: "a curve"), path, value)
        } catch {
            noteCurve("\(error)", path, value)
        }
        return nil
    }

    /// - Parameter message: begins with a path such as `warp.components[1].curve: `, or has no path.
    private mutating func noteCurve(_ message: String, _ path: StoryPath, _ warp: JSONValue) {
        guard message.hasPrefix("warp"), let end = message.range(of: ": ") else {
            note(message, path, warp)
            return
        }
        var inner = path
        var place = warp
        for step in Self.steps(in: message[..<end.lowerBound]).dropFirst() {
            switch step {
            case .key(let key):
                inner = inner.key(key)
                place = place.object?[key] ?? place
            case .index(let index):
                inner = inner.index(index)
                place = place.list.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? place
            }
        }
        note(String(message[end.upperBound...]), inner, place)
    }

    /// Splits a path such as `components[1].curve` into steps.
    private static func steps(in path: Substring) -> [StoryPath.Step] {
        path.split { ".[".contains($0) }.compactMap { word in
            guard word.last == "]" else {
                return .key(String(word))
            }
            return Int(word.dropLast()).map { .index($0) }
        }
    }
}
