import CLibAV
import Foundation
import TimeMaps

/// The times for which a stream has packets, as runs that have no long gap inside. Packets may be added in any
/// order.
struct Coverage {
    private var runs: [ClosedRange<Double>] = []
    /// The index of the run that was extended last.
    private var current = 0

    /// In seconds. Shorter gaps don't separate runs, because only long gaps are reported.
    private static let shortestHole = 60.0
    /// When there are twice as many runs, those that lie closest together are joined.
    private static let mostRuns = 64

    init() {}

    /// Takes the times from the file's index of the stream, as far as it has one.
    init(ofIndexOf stream: UnsafeMutablePointer<AVStream>) {
        let base = av_q2d(stream.pointee.time_base)
        for index in 0..<avformat_index_get_entries_count(stream) {
            if let entry = avformat_index_get_entry(stream, index)?.pointee {
                add(Double(entry.timestamp) * base)
            }
        }
    }

    /// Adds the time of a packet. O(1) while times follow each other, otherwise O(runs).
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

    /// The longest gap; nil if it is too short to be reported.
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
    /// A warning if the stream has a gap of more than ten minutes, else nil.
    var gapWarning: String? {
        guard videoFormat != nil || audioFormat != nil, let gap = longestGap, gap.seconds > 600
        else {
            return nil
        }
        return String(
            format: "stream \(index) (\(codecName)) has no packets from %.3f s to %.3f s",
            gap.startSeconds, gap.endSeconds)
    }
}
