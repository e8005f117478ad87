import TestSupport
import Testing

@testable import TimeWarp

@Suite("Files of pieces")
struct PieceFileTests {
    @Test("a piece has packets of as many tracks as a file may have")
    func tracks() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("0.piece")
        let writer = try PieceWriter(path, plan: "p", index: 0)
        let tracks = [0, 255, 256, 499, 70_000]
        for track in tracks {
            try writer.add(.packet, track: track, [1, 2])
        }
        try writer.publish()
        let reader = try PieceReader(path, plan: "p", index: 0)
        for track in tracks {
            let record = try #require(try reader.next())
            #expect(record.track == track && record.bytes == [1, 2])
        }
        #expect(try reader.next() == nil)
    }
}
