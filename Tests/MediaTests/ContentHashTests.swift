import Testing

@testable import Media

@Suite("Hashes of content")
struct ContentHashTests {
    @Test("the hash is the same however the bytes are divided")
    func divided() {
        var random = SystemRandomNumberGenerator()
        for count in 0..<200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let whole = ContentHash.of(bytes)
            for _ in 0..<20 {
                let hash = ContentHash()
                var rest = bytes[...]
                while !rest.isEmpty {
                    let part = rest.prefix(Int.random(in: 1...40, using: &random))
                    Array(part).withUnsafeBytes(hash.add)
                    rest = rest.dropFirst(part.count)
                }
                #expect(hash.finish() == whole, "\(count)")
            }
        }
        // Zeros at the end count, too.
        let zeros = (0..<200).map { (count: Int) -> String in
            ContentHash.text(of: [UInt8](repeating: 0, count: count))
        }
        #expect(Set(zeros).count == 200)
    }
}
