import Documents
import Foundation

/// How often viewers came where in a story, counted from a log of visits.
public struct StoryVisits: Sendable {
    /// How many visits there were.
    public var count: Int { visits.count }
    /// How often each edge was followed.
    public private(set) var ways: [StoryEdge: Int] = [:]
    /// How often each segment began, by its name.
    public private(set) var begun: [String: Int] = [:]
    /// How often the story ended in each segment.
    public private(set) var ended: [String: Int] = [:]
    /// The number of the last line, if the log ends in the midst of it, as it does when a computer stops, and so without
    /// a newline; it isn't counted.
    public private(set) var tornLine: Int?

    private var visits: Set<String> = []

    /// The largest log that is read, in bytes.
    public static let largestLog = 256 << 20

    /// No visits.
    public init() {}

    /// Counts the lines of a log: JSON objects, one a line. Empty lines count for nothing.
    ///
    /// - Throws: ``StoryError`` with the line and column of every line that can't be read, except for a torn one.
    /// - Complexity: O(n) in bytes; memory grows with the numbers of visits and of different edges.
    public init(log: Data) throws(StoryError) {
        guard log.count <= Self.largestLog else {
            throw StoryError("the log is larger than \(Self.largestLog >> 20) MiB")
        }
        var problems: [DocumentProblem] = []
        var further = 0
        var number = 0
        var rest = log[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = rest[..<end]
            let isCutOff = end == rest.endIndex
            rest = rest[(end == rest.endIndex ? end : end + 1)...]
            guard line.contains(where: { $0 > 0x20 }) else {
                continue
            }
            do {
                count(try StoryVisitLine(json: Data(line), number: number))
            } catch {
                if isCutOff && (number > 1 || StoryVisitLine.isTorn(line)) {
                    tornLine = number
                } else if problems.count < StoryError.mostProblems {
                    problems += error.problems
                } else {
                    further += 1
                }
            }
        }
        guard problems.isEmpty else {
            throw StoryError(problems, further: further)
        }
    }

    /// Counts one line.
    package mutating func count(_ line: StoryVisitLine) {
        visits.insert(line.visit)
        switch line.event {
        case .began(let segment, _): begun[segment, default: 0] += 1
        case .way(let edge):
            ways[edge, default: 0] += 1
            begun[edge.to, default: 0] += 1
        case .end(let segment, _): ended[segment, default: 0] += 1
        case .choice, .event: break
        }
    }

    /// How often edges were followed that a graph doesn't have: the log is of another story, or of an earlier version.
    public func unknownWays(in graph: StoryGraph) -> Int {
        let known = Set(graph.edges)
        return ways.filter { !known.contains($0.key) }.values.reduce(0, +)
    }
}
