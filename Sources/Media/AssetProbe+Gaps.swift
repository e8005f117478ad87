import CLibAV
import Foundation
import TimeMaps

// The longest time in which nothing of a stream comes.

extension Asset {
    /// In the order of decoding, as far as the file has an index of it.
    static func longestGap(inIndexOf stream: UnsafeMutablePointer<AVStream>) -> Gap? {
        let base = av_q2d(stream.pointee.time_base)
        var gap: Gap?
        var last: Double?
        for index in 0..<avformat_index_get_entries_count(stream) {
            guard let entry = avformat_index_get_entry(stream, index)?.pointee else {
                continue
            }
            let start = Double(entry.timestamp) * base
            gap = Gap.longer(gap, from: last ?? start, to: start)
            last = start
        }
        return gap
    }
}

extension Asset.Gap {
    /// The longer one of a gap and what lies between two instants.
    static func longer(
        _ gap: Asset.Gap?, from start: Double, to end: Double
    ) -> Asset.Gap? {
        end - start > (gap?.seconds ?? 0) ? Asset.Gap(startSeconds: start, endSeconds: end) : gap
    }

    func counted(from origin: RationalTime) -> Asset.Gap {
        Asset.Gap(
            startSeconds: startSeconds - origin.seconds, endSeconds: endSeconds - origin.seconds)
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
