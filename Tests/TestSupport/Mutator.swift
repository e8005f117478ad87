import Foundation
import TimeMaps

/// Makes strange inputs from valid ones. It mostly changes tokens: words, numbers, texts and punctuation are
/// removed, repeated, exchanged and nested. After that it may change single bytes. The same seed gives the same
/// inputs.
public struct Mutator {
    private typealias Token = ArraySlice<UInt8>

    private let samples: [[Token]]
    private let words: [Token]
    private var generator: SplitMix64

    /// - Parameter samples: valid inputs, at least one.
    public init(_ samples: [Data], seed: UInt64) {
        precondition(!samples.isEmpty, "nothing can be made of nothing")
        self.samples = samples.map { Self.tokens(of: [UInt8]($0)) }
        words = self.samples.flatMap { $0 }.filter { $0.first.map(Self.isWord) ?? false }
        generator = SplitMix64(seed: seed)
    }

    /// Another input, of at most about 100 kB.
    public mutating func next() -> Data {
        var tokens = samples[below(samples.count)]
        for _ in 0...below(4) where !tokens.isEmpty && tokens.count < 20_000 {
            change(&tokens)
        }
        var bytes = [UInt8](tokens.joined())
        if below(4) == 0, !bytes.isEmpty {
            for _ in 0...below(4) {
                bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
            }
        }
        if below(16) == 0 {
            bytes.removeLast(below(bytes.count + 1))
        }
        return Data(bytes.prefix(100_000))
    }

    private mutating func below(_ bound: Int) -> Int {
        Int(generator.next() % UInt64(max(bound, 1)))
    }

    private mutating func range(of tokens: [Token]) -> Range<Int> {
        let start = below(tokens.count)
        return start..<min(tokens.count, start + 1 + below(below(3) == 0 ? 40 : 4))
    }

    private mutating func change(_ tokens: inout [Token]) {
        let part = range(of: tokens)
        switch below(8) {
        case 0:
            tokens.removeSubrange(part)
        case 1:
            let copies = Array(repeating: Array(tokens[part]), count: 1 + below(3))
            tokens.insert(contentsOf: copies.joined(), at: part.upperBound)
        case 2:
            let other = samples[below(samples.count)]
            let piece = other.isEmpty ? [] : Array(other[range(of: other)])
            tokens.replaceSubrange(part, with: piece)
        case 3:
            tokens.swapAt(part.lowerBound, below(tokens.count))
        case 4, 5:
            replaceNumber(in: &tokens)
        case 6:
            tokens[part.lowerBound] = words.isEmpty ? [] : words[below(words.count)]
        default:
            nest(&tokens, around: part)
        }
    }

    /// Replaces one of the numbers in the input, or any token if there is no number.
    private mutating func replaceNumber(in tokens: inout [Token]) {
        let numbers = tokens.indices.filter { index in
            let token = tokens[index]
            let first = token.first == UInt8(ascii: "\"") ? token.dropFirst().first : token.first
            return first.map { (0x30...0x39).contains($0) } ?? false
        }
        let place = numbers.isEmpty ? below(tokens.count) : numbers[below(numbers.count)]
        let number = Self.extremes[below(Self.extremes.count)]
        let isText = tokens[place].first == UInt8(ascii: "\"")
        tokens[place] = Array((isText ? "\"\(number)\"" : number).utf8)[...]
    }

    private mutating func nest(_ tokens: inout [Token], around part: Range<Int>) {
        let pairs: [(String, String)] = [
            ("(", ")"), ("[", "]"), ("{\"a\":", "}"), ("-", ""), ("{\"curve\":", "}"),
            ("{\"children\":[", "]}"), ("sin(", ")"), ("t<", "?1:2"),
        ]
        let pair = pairs[below(pairs.count)]
        let depth = [1, 2, 60, 300, 2000][below(5)]
        let (open, close) = (Array(pair.0.utf8)[...], Array(pair.1.utf8)[...])
        tokens.insert(contentsOf: Array(repeating: close, count: depth), at: part.upperBound)
        tokens.insert(contentsOf: Array(repeating: open, count: depth), at: part.lowerBound)
    }

    private static let extremes = [
        "0", "-0", "1", "-1", "1e308", "-1e308", "1e-308", "5e-324", "1e400", "NaN", "nan", "inf",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "2147483647",
        "2147483648", "4294967296", "1e18", "1e9", "1e10", "0.1", "1e-9", "0.999999999999", "1/0",
        "1/9223372036854775807", "9223372036854775807/2147483647", "99999999:59:59", "1e3s", "100%",
        "00000000000000000000000000001", "0x1p1023", "",
    ]

    // MARK: - What inputs are made of

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "\"")
    }

    /// Quoted texts, runs of letters and digits, and single bytes.
    private static func tokens(of bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var start = 0
        while start < bytes.count {
            var end = start + 1
            if bytes[start] == UInt8(ascii: "\"") {
                while end < bytes.count,
                    bytes[end - 1] == UInt8(ascii: "\\")
                        || bytes[end] != UInt8(ascii: "\"")
                {
                    end += 1
                }
                end = min(end + 1, bytes.count)
            } else if isWord(bytes[start]) {
                while end < bytes.count, isWord(bytes[end]), bytes[end] != UInt8(ascii: "\"") {
                    end += 1
                }
            }
            tokens.append(bytes[start..<end])
            start = end
        }
        return tokens
    }
}
