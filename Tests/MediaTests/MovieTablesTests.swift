import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("What the tables of an MP4 promise")
struct MovieTablesTests {
    private func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(kind.utf8) + content
    }

    private func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
    }

    private func numbers(_ values: Int...) -> [UInt8] {
        values.flatMap(number)
    }

    /// A movie with one track.
    private func movie(_ handler: String, _ tables: [[UInt8]]) -> [UInt8] {
        let kind = numbers(0, 0) + Array(handler.utf8)
        return box(
            "moov",
            box(
                "trak",
                box(
                    "mdia",
                    box("hdlr", kind) + box("minf", box("stbl", tables.flatMap { $0 })))))
    }

    private func promisesTooMuch(_ bytes: [UInt8]) throws -> Bool {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mp4")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return MovieTables.objection(to: path) { false } == .promises
    }

    @Test("samples of one size are counted")
    func sizes() throws {
        func sized(_ size: Int, _ count: Int) -> [UInt8] {
            movie("vide", [box("stsz", numbers(0, size, count))])
        }
        #expect(try promisesTooMuch(sized(1, 80_000_000)))
        #expect(try !promisesTooMuch(sized(1, 1000)))
        // Two tracks count together.
        #expect(try promisesTooMuch(sized(9, 40_000) + sized(9, 40_000)))
    }

    @Test("even sound counts by its chunks")
    func chunks() throws {
        func sound(_ perChunk: Int, chunks: Int, lasting: Int = 1) -> [UInt8] {
            movie(
                "soun",
                [
                    box("stts", numbers(0, 1, 80_000_000, lasting)),
                    box("stsz", numbers(0, 1, 80_000_000)),
                    box("stsc", numbers(0, 1, 1, perChunk, 1)),
                    box("stco", numbers(0, chunks)),
                ])
        }
        #expect(try !promisesTooMuch(sound(1000, chunks: 10)))
        #expect(try promisesTooMuch(sound(0x7FFF_FFFF, chunks: 1)))
        #expect(try promisesTooMuch(sound(1000, chunks: 0x7FFF_FFFF)))
        #expect(try promisesTooMuch(sound(1, chunks: 1, lasting: 1024)))
        // The handler's type doesn't matter.
        let chunks = [box("stsc", numbers(0, 1, 1, 0x7FFF_FFFF, 1)), box("stco", numbers(0, 40))]
        #expect(try promisesTooMuch(movie("abcd", chunks)))
        #expect(try promisesTooMuch(movie("soun", [box("meta", chunks.flatMap { $0 })])))
        #expect(
            try promisesTooMuch(movie("soun", [box("meta", numbers(0) + chunks.flatMap { $0 })])))
        #expect(try promisesTooMuch(box("hoov", movie("soun", chunks))))
    }

    @Test("tables that claim more than they have room for count")
    func room() throws {
        for kind in ["stts", "ctts", "stsc", "stco", "co64", "stss"] {
            #expect(try promisesTooMuch(movie("vide", [box(kind, numbers(0, 800_000))])), "\(kind)")
        }
        #expect(try promisesTooMuch(movie("vide", [box("stz2", numbers(0, 8, 800_000))])))
        #expect(try promisesTooMuch(movie("vide", [box("stsz", numbers(0, 0, 800_000))])))
        let sizes = numbers(0, 0, 80_000) + [UInt8](repeating: 1, count: 320_000)
        #expect(try !promisesTooMuch(movie("vide", [box("stsz", sizes)])))
    }

    @Test("a compressed header is refused")
    func compressed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.mov")
        try Data(box("moov", box("cmov", numbers(0)))).write(to: URL(fileURLWithPath: path))
        #expect(MovieTables.objection(to: path) { false } == .compressed)
    }

    @Test("runs of fragments count where samples have nothing of their own, or no room")
    func runs() throws {
        func run(_ flags: Int) -> [UInt8] {
            box("moof", box("traf", box("trun", numbers(flags, 80_000_000))))
        }
        #expect(try promisesTooMuch(run(0x001)))
        #expect(try promisesTooMuch(run(0x201)))
        let sizes = numbers(0x201, 70_000, 0) + [UInt8](repeating: 1, count: 280_000)
        #expect(try !promisesTooMuch(box("moof", box("traf", box("trun", sizes)))))
    }

    @Test("boxes of any length end the walk")
    func lengths() throws {
        for length in [0, 1, 2, 7, 8, 9, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            #expect(try !promisesTooMuch(number(length) + Array("moov".utf8)))
            #expect(
                try !promisesTooMuch(
                    number(length) + Array("trak".utf8) + [UInt8](repeating: 0xFF, count: 20)))
        }
        #expect(try !promisesTooMuch([]))
    }
}
