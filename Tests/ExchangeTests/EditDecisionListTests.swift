import Foundation
import RandomCompositions
import TestSupport
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// What edit decision lists mean. Each case has the form of a real list, whose writer is named.
@Suite("Edit decision lists")
struct EditDecisionListTests {
    private let format = TestFormat.named("edl")

    private func expect(_ outline: [String], _ text: String) throws {
        let found = try format.read("TITLE: film\n* FRAME RATE: 24\n" + text).composition.outline
        #expect(found == outline)
    }

    @Test("events and gaps; clip names come before reels")
    func cuts() throws {
        try expect(
            ["picture: take_1 1...3 | gap 1 | REEL2 0...1"],
            """
            001  AX       V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
            * FROM CLIP NAME: take_1
            002  REEL2    V     C        00:00:00:00 00:00:01:00 01:00:03:00 01:00:04:00
            """)
    }

    @Test(
        "Avid: M2 is source frames a second; freezes are 0, and backwards the out is where it begins"
    )
    func avid() throws {
        try expect(
            ["picture: A 6...8.975 in 1.5 | B held at 10.875 for 0.7083 | C 5...4"],
            """
            001  A        V     C        00:00:06:00 00:00:08:22 01:00:00:00 01:00:01:12
            M2   A              047.6                00:00:06:00
            002  B        V     C        00:00:10:21 00:00:10:22 01:00:01:12 01:00:02:05
            M2   B              000.0                00:00:10:21
            * * FREEZE FRAME
            003  C        V     C        00:00:04:00 00:00:05:00 01:00:02:05 01:00:03:05
            M2   C             -024.0                00:00:04:00
            """)
    }

    @Test("Resolve writes the source's length at its own speed, and M2 with three digits")
    func resolve() throws {
        try expect(
            ["picture: A 1...5 in 2"],
            """
            001  A        V     C        00:00:01:00 00:00:05:00 01:00:00:00 01:00:02:00
            M2   A              048.0                00:00:01:00
            """)
    }

    @Test("Premiere: a dissolve is two lines; black is a fade")
    func dissolves() throws {
        try expect(
            ["picture: one 1...3.5 | two 4.5...6, dissolve 1, fade out 0.5"],
            """
            001  AX       V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
            * FROM CLIP NAME: one
            002  AX       V     C        00:00:03:00 00:00:03:00 01:00:02:00 01:00:02:00
            002  AX       V     D    024 00:00:04:00 00:00:05:12 01:00:02:00 01:00:03:12
            * FROM CLIP NAME: one
            * TO CLIP NAME: two
            003  AX       V     C        00:00:05:12 00:00:05:12 01:00:03:12 01:00:03:12
            003  BL       V     D    012 00:00:00:00 00:00:00:12 01:00:03:12 01:00:04:00
            * FROM CLIP NAME: two
            """)
    }

    @Test("sound channels are tracks; what lies as the picture does belongs to it")
    func channels() throws {
        try expect(
            ["both: A 0...2", "sound: gap 1 | S 0...1"],
            """
            001  A        V     C        00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00
            002  A        A     C        00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00
            003  S        A2    C        00:00:00:00 00:00:01:00 01:00:01:00 01:00:02:00
            """)
    }

    @Test("drop-frame timecode leaves out numbers, not frames")
    func dropFrame() throws {
        let read = try format.read(
            """
            TITLE: film
            FCM: DROP FRAME
            001  A  V  C  00:00:59;28 00:01:00;02 01:00:59;28 01:01:00;02
            """)
        #expect(read.composition.format.frameRate == FrameRate(30_000, over: 1001))
        // Two frames before the minute and none after it, since ;00 and ;01 don't exist.
        #expect(read.composition.tracks[0].segments[1].duration == seconds(2 * 1001, 30_000))
    }

    @Test("a list without a rate is read at one that its timecode allows, and says so")
    func rates() throws {
        for (frames, rate) in [("23", 24), ("24", 25), ("29", 30), ("49", 50), ("59", 60)] {
            let read = try format.read(
                "001  A  V  C  00:00:00:00 00:00:01:\(frames) 01:00:00:00 01:00:01:\(frames)\n")
            #expect(read.composition.format.frameRate == FrameRate(Int32(rate)))
            #expect(read.notes.contains { $0.contains("doesn't say its frame rate") })
        }
    }

    @Test("markers are attached to what is shown there")
    func markers() throws {
        try expect(
            ["picture: A 2...4, \"look here\" at 3"],
            """
            001  A        V     C        00:00:02:00 00:00:04:00 01:00:00:00 01:00:02:00
            * LOC: 01:00:01:00 RED look here
            """)
    }

    @Test("timecode counts frames and back", arguments: [24.0, 25, 29.97, 30, 59.94, 60])
    func timecode(rate: Double) throws {
        let rates: [Double: FrameRate] = [
            29.97: .init(30_000, over: 1001), 59.94: .init(60_000, over: 1001),
        ]
        let grid = FrameGrid(rates[rate] ?? FrameRate(Int32(rate)))
        for dropping in [false, true] where grid.canDrop || !dropping {
            for frame in stride(from: Int64(0), to: 400_000, by: 97) {
                let text = grid.timecode(frame, dropping: dropping)
                #expect(grid.frames(timecode: text) == frame, "\(text)")
            }
        }
    }
}
