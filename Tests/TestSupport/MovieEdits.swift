import Foundation

/// Edit lists (ISO/IEC 14496-12, 8.6.6) and matrices written into an MP4 of `ffmpeg`, as other programs write them.
public enum MovieEdits {
    /// An edit: what is played, from where in the track's own time. Without a start, nothing is played.
    public struct Edit: Sendable {
        let seconds: Double
        let start: Double?
        let speed: Double

        public init(_ seconds: Double, from start: Double?, speed: Double = 1) {
            (self.seconds, self.start, self.speed) = (seconds, start, speed)
        }
    }

    /// Replaces the edit lists of the first tracks. Starts count from what the old edit list played first.
    public static func set(_ lists: [[Edit]], in path: String) throws {
        var file = Bytes(try Data(contentsOf: URL(fileURLWithPath: path)))
        let movieTicks = try file.number(in: "moov/mvhd", at: 12)
        var lengths: [Int] = []
        for (number, edits) in lists.enumerated() {
            let track = "moov/trak\(number)"
            let ticks = Double(try file.number(in: track + "/mdia/mdhd", at: 12))
            let zero = Double(try file.number(in: track + "/edts/elst", at: 12))
            var list = Data([1, 0, 0, 0]) + big(UInt32(edits.count))
            for edit in edits {
                list += big(UInt64((edit.seconds * Double(movieTicks)).rounded()))
                let start = edit.start.map { Int64(($0 * ticks + zero).rounded()) } ?? -1
                list += big(UInt64(bitPattern: start)) + big(UInt32(edit.speed * 65536))
            }
            let box = big(UInt32(list.count + 8)) + Data("elst".utf8) + list
            try file.replace("edts", of: track, with: box)
            lengths.append(
                edits.reduce(0) { $0 + Int(($1.seconds * Double(movieTicks)).rounded()) })
            try file.put(big(UInt32(lengths[number])), into: track + "/tkhd", at: 20)
        }
        try file.put(big(UInt32(lengths.max() ?? 0)), into: "moov/mvhd", at: 16)
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Replaces the matrix by which players turn, mirror and scale the first track.
    public static func setMatrix(_ matrix: [Double], in path: String) throws {
        var file = Bytes(try Data(contentsOf: URL(fileURLWithPath: path)))
        // The last column has 30 bits after the point, the others 16.
        let values = matrix.enumerated().map { place, value in
            big(UInt32(bitPattern: Int32(value * (place % 3 == 2 ? 0x1p30 : 65536))))
        }
        try file.put(values.reduce(Data(), +), into: "moov/trak0/tkhd", at: 40)
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    }

    private static func big(_ number: some FixedWidthInteger) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }

    /// A file's bytes, and its boxes by their paths.
    private struct Bytes {
        var bytes: [UInt8]

        init(_ data: Data) { bytes = [UInt8](data) }

        private func length(at place: Int) -> Int {
            bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }

        /// Where the boxes on a path begin, from the outermost to the named one; a number selects one of several.
        private func places(_ path: String) throws -> [Int] {
            var (range, found) = (0..<bytes.count, [Int]())
            for part in path.split(separator: "/") {
                let kind = String(part.prefix(4))
                var left = Int(part.dropFirst(4)) ?? 0
                var place = range.lowerBound
                while place + 8 <= range.upperBound {
                    let isIt = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self) == kind
                    if isIt, left == 0 {
                        break
                    }
                    left -= isIt ? 1 : 0
                    place += max(8, length(at: place))
                }
                guard place + 8 <= range.upperBound else {
                    throw WitnessError(description: "there is no \(path)")
                }
                found.append(place)
                range = place + 8..<place + length(at: place)
            }
            return found
        }

        func number(in path: String, at offset: Int) throws -> Int {
            length(at: try places(path).last! + 8 + offset)
        }

        mutating func put(_ data: Data, into path: String, at offset: Int) throws {
            let start = try places(path).last! + 8 + offset
            bytes.replaceSubrange(start..<start + data.count, with: data)
        }

        /// Replaces the content of a box, which must come after all samples, and corrects the lengths around it.
        mutating func replace(_ box: String, of parent: String, with content: Data) throws {
            let path = try places(parent + "/" + box)
            let place = path.last!
            let old = length(at: place)
            bytes.replaceSubrange(place + 8..<place + old, with: content)
            for outer in path {
                let now = length(at: outer) + content.count + 8 - old
                bytes.replaceSubrange(
                    outer..<outer + 4, with: withUnsafeBytes(of: UInt32(now).bigEndian, Array.init))
            }
        }
    }
}
