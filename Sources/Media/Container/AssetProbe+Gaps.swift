import CLibAV
import Foundation
import TimeMaps

/// Where a stream has something: runs without long holes, whatever order its times come in.
struct Coverage {
    private var runs: [ClosedRange<Double>] = []
    /// The run that was added to last.
    private var current = 0

    /// Shorter holes don't part runs: only long ones are asked for.
    private static let shortestHole = 60.0
    /// Of twice as many those that lie closest are joined.
    private static let mostRuns = 64

    init() {}

    /// As far as the file has an index of the stream.
    init(ofIndexOf stream: UnsafeMutablePointer<AVStream>) {
        let base = av_q2d(stream.pointee.time_base)
        for index in 0..<avformat_index_get_entries_count(stream) {
            if let entry = avformat_index_get_entry(stream, index)?.pointee {
                add(Double(entry.timestamp) * base)
            }
        }
    }

    /// Takes in the time of a packet. O(1) where times follow each other, else O(runs).
    mutating func add(_ seconds: Double) {
        if runs.indices.contains(current), isNear(runs[current], seconds) {
            runs[current] = Self.hull(runs[current], seconds...seconds)
        } else if let near = runs.indices.first(where: { isNear(runs[$0], seconds) }) {
            runs[near] = Self.hull(runs[near], seconds...seconds)
            current = near
        } else {
            runs.append(seconds...seconds)
            if runs.count == 2 * Self.mostRuns {
                joinClosest()
            }
            current = runs.firstIndex { $0.contains(seconds) } ?? 0
        }
    }

    /// The longest time in which nothing comes, if it is worth a word.
    var longestGap: Asset.Gap? {
        var longest = 0.0...0.0
        var present = 0.0
        let sorted = runs.sorted { $0.lowerBound < $1.lowerBound }
        var end = sorted.first?.lowerBound ?? 0
        for run in sorted {
            if run.lowerBound - end > longest.upperBound - longest.lowerBound {
                longest = end...run.lowerBound
            }
            present += max(0, run.upperBound - max(end, run.lowerBound))
            end = max(end, run.upperBound)
        }
        let gap = Asset.Gap(
            startSeconds: longest.lowerBound, endSeconds: longest.upperBound,
            presentSeconds: present)
        return gap.seconds > Self.shortestHole ? gap : nil
    }

    private func isNear(_ run: ClosedRange<Double>, _ seconds: Double) -> Bool {
        seconds >= run.lowerBound - Self.shortestHole
            && seconds <= run.upperBound + Self.shortestHole
    }

    private mutating func joinClosest() {
        runs.sort { $0.lowerBound < $1.lowerBound }
        let distances = zip(runs, runs.dropFirst()).map { $1.lowerBound - $0.upperBound }
        let longest = distances.sorted(by: >)[Self.mostRuns - 1]
        runs = zip(runs.dropFirst(), distances).reduce(into: [runs[0]]) { joined, next in
            let (run, distance) = next
            if distance > longest {
                joined.append(run)
            } else {
                joined[joined.count - 1] = Self.hull(joined[joined.count - 1], run)
            }
        }
    }

    private static func hull(
        _ one: ClosedRange<Double>, _ other: ClosedRange<Double>
    ) -> ClosedRange<Double> {
        min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }
}

extension Asset.Gap {
    func counted(from origin: RationalTime) -> Asset.Gap {
        Asset.Gap(
            startSeconds: startSeconds - origin.seconds, endSeconds: endSeconds - origin.seconds,
            presentSeconds: presentSeconds)
    }
}

extension Asset.Stream {
    /// Of a stream whose times jump so far ahead that it is worth a word.
    var gapWarning: String? {
        guard videoFormat != nil || audioFormat != nil, let gap = longestGap, gap.seconds > 600
        else {
            return nil
        }
        return String(
            format: "stream \(index) (\(codecName)): nothing comes from %.3f s to %.3f s",
            gap.startSeconds, gap.endSeconds)
    }
}
