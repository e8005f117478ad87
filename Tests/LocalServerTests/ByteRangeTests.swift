import Testing

@testable import LocalServer

@Suite("Ranges of bytes")
struct ByteRangeTests {
    @Test(
        "ranges are those of RFC 9110",
        arguments: [
            ("bytes=0-3", 10, 0..<4), ("bytes=4-", 10, 4..<10), ("bytes=-3", 10, 7..<10),
            ("bytes=8-99", 10, 8..<10), ("bytes=-99", 10, 0..<10), ("bytes=0-0", 1, 0..<1),
            ("bytes=1-99999999999999999999", 10, 1..<10),
            ("bytes=1-9223372036854775807", 10, 1..<10),
        ] as [(String, Int64, Range<Int64>)])
    func ranges(header: String, size: Int64, bytes: Range<Int64>) throws {
        #expect(try #require(ByteRange(header)).within(size) == bytes)
    }

    @Test(
        "what is no range is none",
        arguments: [
            "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "bytes=0-1,4-5", "items=0-1",
            "bytes=+1-2", "bytes=--5", "bytes=١-٢",
        ])
    func malformedRanges(header: String) {
        #expect(ByteRange(header) == nil)
    }

    @Test(
        "a range beyond the file can't be satisfied",
        arguments: [
            ("bytes=10-", 10), ("bytes=-0", 10), ("bytes=0-", 0),
            ("bytes=99999999999999999999-", 10), ("bytes=9223372036854775807-", 10),
        ] as [(String, Int64)])
    func beyond(header: String, size: Int64) throws {
        #expect(try #require(ByteRange(header)).within(size) == nil)
    }
}
