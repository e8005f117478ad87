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
            ["video: take_1 1...3 | gap 1 | REEL2 0...1"],
            """
            001  AX       V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
            * FROM CLIP NAME: take_1
            002  REEL2    V     C        00:00:00:00 00:00:01:00 01:00:03:00 01:00:04:00
            """)
    }

    @Test(
        "Avid: M2 is source frames a second; freezes are 0, and backwards the in is the frame shown first"
    )
    func avid() throws {
        try expect(
            ["video: A 6...8.975 in 1.5 | B held at 10.875 for 0.7083 | C 4.0417...3.0417"],
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
            ["video: A 1...5 in 2"],
            """
            001  A        V     C        00:00:01:00 00:00:05:00 01:00:00:00 01:00:02:00
            M2   A              048.0                00:00:01:00
            """)
    }

    @Test("Premiere: a dissolve is two lines; black is a fade", arguments: ["BL", "bl", "Black"])
    func dissolves(black: String) throws {
        try expect(
            ["video: one 1...3.5 | two 4.5...6, dissolve 1, fade out 0.5"],
            """
            001  AX       V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
            * FROM CLIP NAME: one
            002  AX       V     C        00:00:03:00 00:00:03:00 01:00:02:00 01:00:02:00
            002  AX       V     D    024 00:00:04:00 00:00:05:12 01:00:02:00 01:00:03:12
            * FROM CLIP NAME: one
            * TO CLIP NAME: two
            003  AX       V     C        00:00:05:12 00:00:05:12 01:00:03:12 01:00:03:12
            003  \(black)       V     D    012 00:00:00:00 00:00:00:12 01:00:03:12 01:00:04:00
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
        #expect(read.composition.format.frameRate == FrameRate(known: 30_000, over: 1001))
        // Two frames before the minute and none after it, since ;00 and ;01 don't exist.
        #expect(read.composition.duration == seconds(2 * 1001, 30_000))
    }

    @Test(
        "a list in drop-frame timecode begins at any hour; sources without timecode lose their hours"
    )
    func hours() throws {
        for hour in ["00", "01", "10", "23"] {
            let read = try format.read(
                """
                FCM: DROP FRAME
                001  A  V  C  \(hour):00:01;00 \(hour):00:02;00 \(hour):00:00;00 \(hour):00:01;00
                002  A  V  C  \(hour):00:01;00 \(hour):00:02;00 \(hour):01:00;02 \(hour):01:01;02
                """)
            let segments = read.composition.tracks[0].segments
            #expect(segments.map(\.duration) == [30, 1770, 30].map { seconds($0 * 1001, 30_000) })
            #expect(!read.notes.contains { $0.contains("begins at") })
        }
    }

    @Test(
        "a line that says how sources count doesn't change how the record counts",
        arguments: ["FCM: NON-DROP FRAME", "FCM: DROP FRAME", ""])
    func countingOfSources(first: String) throws {
        let others = ["FCM: DROP FRAME", "FCM: NON-DROP FRAME"]
        // Without numbers left out, the second minute begins after 1800 frames, and with them after 1798.
        let minute: Int64 = first == "FCM: DROP FRAME" ? 1798 : 1800
        let read = try format.read(
            """
            TITLE: film
            \(first)
            001  A  V  C  00:00:01:00 00:00:02:00 01:00:00:00 01:00:01:00
            \(others[0])
            002  B  V  C  00:01:00:02 00:01:01:02 01:01:00:02 01:01:01:02
            \(others[1])
            003  C  V  C  00:01:00:02 00:01:01:02 01:01:01:02 01:01:02:02
            """)
        let segments = read.composition.tracks[0].segments
        #expect(segments.map { $0.clip?.media ?? "gap" } == ["A", "gap", "B", "C"])
        #expect(segments[1].duration == seconds((minute + 2 - 30) * 1001, 30_000))
        let starts = segments.compactMap(\.clip?.range.start)
        #expect(starts == [30, 1800, 1802].map { seconds($0 * 1001, 30_000) })
    }

    @Test(
        "the first event is the start, which black may be",
        arguments: [
            ("01:34:53:09", "01:34:54:09", true), ("06:02:15:00", "06:02:16:00", true),
            ("00:59:58:00", "00:59:59:00", true), ("01:00:00:00", "01:00:01:00", false),
            ("10:00:00:00", "10:00:01:00", false),
        ])
    func start(first: String, second: String, isNoted: Bool) throws {
        let event = "001  A  V  C  00:00:01:00 00:00:02:00 \(first) \(second)\n"
        try expect(["video: A 1...2"], event)
        let read = try format.read("* FRAME RATE: 24\n" + event)
        #expect(read.notes.contains { $0.contains("begins at \(first)") } == isNoted)
        let grid = FrameGrid(FrameRate(known: 24))
        let third = grid.timecode(try #require(grid.frames(timecode: second)) + 24)
        try expect(
            ["video: gap 1 | B 0...1"],
            """
            001  BL  V  C  00:00:00:00 00:00:01:00 \(first) \(second)
            002  B   V  C  00:00:00:00 00:00:01:00 \(second) \(third)
            """)
    }

    @Test("lists of old systems: Ctrl-Z and zeros at the end, UTF-16 and a byte order mark")
    func encodings() throws {
        let text = """
            * FRAME RATE: 24
            001  A        V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00\r\n
            """
        let plain = Data(text.utf8)
        for file in [
            plain + [0x1A], plain + [0x1A] + Data(count: 300), plain + Data(count: 7),
            Data([0xEF, 0xBB, 0xBF]) + plain,
            Data([0xFF, 0xFE]) + (text.data(using: .utf16LittleEndian) ?? Data()),
        ] {
            #expect(try format.read(file).composition.outline == ["video: A 1...3"])
        }
        let middle = plain + [0] + plain
        #expect(throws: CompositionError.self) { try format.read(middle) }
    }

    @Test("a dissolve whose line lacks its letter is one; one without a length is a cut, and noted")
    func oddDissolves() throws {
        func list(_ kind: String) -> String {
            """
            001  AX       V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
            * FROM CLIP NAME: one
            002  AX       V     C        00:00:03:00 00:00:03:00 01:00:02:00 01:00:02:00
            002  AX       V     \(kind) 00:00:04:00 00:00:05:12 01:00:02:00 01:00:03:12
            * FROM CLIP NAME: one
            * TO CLIP NAME: two
            """
        }
        for kind in ["D    024", "     024", "024"] {
            try expect(["video: one 1...3.5 | two 4.5...5.5, dissolve 1"], list(kind))
        }
        let read = try format.read("* FRAME RATE: 24\n" + list("D"))
        #expect(try read.composition.outline == ["video: one 1...3 | two 4...5.5"])
        #expect(read.notes.contains { $0.contains("event 002 has no length") }, "\(read.notes)")
    }

    @Test(
        "sources of another rate count in their own frames, and so does M2",
        arguments: [
            // The file's rate, source out, speed, and the record's length and what is shown in seconds.
            (FrameRate(known: 24_000, over: 1001), "00:00:05:00", "024.0", 4.0, 4.0),
            (
                FrameRate(known: 24_000, over: 1001), "00:00:03:08", "024.0", 2.0 + 10 / 30.0,
                2.0 + 8 / 24.0
            ),
            (FrameRate(known: 24_000, over: 1001), "00:00:03:00", "012.0", 4.0, 2.0),
            (FrameRate(known: 50), "00:00:03:40", "050.0", 2.0 + 24 / 30.0, 2.8),
            (FrameRate(known: 25), "00:00:03:15", nil, 2.6, 2.6),
            (FrameRate(known: 30), "00:00:05:00", "060.0", 2.0, 4.0),
            // Counted in frames of the list.
            (FrameRate(known: 24_000, over: 1001), "00:00:05:00", "060.0", 2.0, 4.0),
            (FrameRate(known: 50), "00:00:05:00", "015.0", 8.0, 4.0),
        ] as [(FrameRate, String, String?, Double, Double)])
    func mixedRates(_ event: (FrameRate, String, String?, Double, Double)) throws {
        let (rate, out, speed, length, shown) = event
        let folder = try TemporaryFolder()
        try TestClip {
            ($0.rate, $0.frameCount, $0.audioCodec) = (rate, Int(6 * rate.framesPerSecond), nil)
        }.write(to: folder.path("a.mp4"))
        let end = FrameGrid(FrameRate(known: 30)).timecode(Int64((length * 30).rounded()) + 108_000)
        let lines = [
            "* FRAME RATE: 30", "001  A  V  C  00:00:01:00 \(out) 01:00:00:00 \(end)",
            speed.map { "M2  A  \($0)  00:00:01:00" } ?? "", "* SOURCE FILE: a.mp4",
        ]
        let path = folder.path("edit.edl")
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
        let read = try CompositionProject(contentsOfFile: path, formats: .all)
        let segment = read.composition.tracks[0].segments[0]
        let clip = try #require(segment.clip)
        #expect(abs(clip.range.duration.seconds / segment.duration.seconds - shown / length) < 2e-3)
        #expect(abs(clip.range.start.seconds - 1) < 2e-3)
    }

    @Test("a list without a rate is read at one that its timecode allows, and says so")
    func rates() throws {
        for (frames, rate) in [("23", 24), ("24", 25), ("29", 30), ("49", 50), ("59", 60)] {
            let read = try format.read(
                "001  A  V  C  00:00:00:00 00:00:01:\(frames) 01:00:00:00 01:00:01:\(frames)\n")
            #expect(read.composition.format.frameRate == FrameRate(known: Int32(rate)))
            #expect(read.notes.contains { $0.contains("doesn't say its frame rate") })
        }
    }

    @Test("markers are attached to what is shown there")
    func markers() throws {
        try expect(
            ["video: A 2...4, \"look here\" at 3"],
            """
            001  A        V     C        00:00:02:00 00:00:04:00 01:00:00:00 01:00:02:00
            * LOC: 01:00:01:00 RED look here
            """)
    }

    @Test("the rate is above the last frame number, so that no event vanishes")
    func ratesOfNumbers() throws {
        let event = "001  A  V  C  00:00:00:00 00:00:01:29 01:00:00:00 01:00:01:29\n"
        // Our own comment, and drop-frame timecode, which 30000/1001 doesn't have frame 45 of.
        for (text, rate) in [
            ("* FRAME RATE: 24\n" + event, FrameRate(known: 30)),
            ("* FRAME RATE: 50\n" + event, FrameRate(known: 50)),
            (
                "001  A  V  C  00:00:00;00 00:00:01;45 01:00:00;00 01:00:01;45",
                FrameRate(known: 60_000, over: 1001)
            ),
            (event.replacing(":29", with: ":99"), FrameRate(known: 120)),
        ] {
            let read = try format.read(text)
            #expect(read.composition.format.frameRate == rate, "\(text)")
            #expect(read.composition.tracks.count == 1)
        }
    }

    @Test("a file of a lower rate than the timecode's doesn't say the list's rate")
    func rateOfMedia() throws {
        let folder = try TemporaryFolder()
        try TestClip { ($0.rate, $0.frameCount) = (FrameRate(known: 24), 48) }.write(
            to: folder.path("a.mp4"))
        for (frame, rate) in [("23", 24), ("29", 30)] {
            let path = folder.path("edit.edl")
            try Data(
                """
                001  AX  V  C  00:00:00:00 00:00:01:\(frame) 01:00:00:00 01:00:01:\(frame)
                * FROM CLIP NAME: a.mp4
                """.utf8
            ).write(to: URL(fileURLWithPath: path))
            let read = try CompositionProject(contentsOfFile: path, formats: .all)
            #expect(read.composition.format.frameRate == FrameRate(known: Int32(rate)))
            #expect(read.composition.tracks.count == 1)
        }
    }

    @Test("lines that begin as events and can't be read are named, and so are lines without end")
    func unreadable() throws {
        let read = try format.read(
            """
            * FRAME RATE: 24
            001  A        V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
            002  B        V     C        00:00:01:00 00:00:03:00 01:00:02:00 01:61:04:00
            003  C        V     C        00:00:01:00
            *\(String(repeating: " long", count: 2000))
            """)
        #expect(try read.composition.outline == ["video: A 1...3"])
        for number in ["002", "003"] {
            #expect(read.notes.contains { $0.contains("skipped: \(number)") }, "\(read.notes)")
        }
        #expect(read.notes.contains { $0.contains("Skipped 1 line") })
    }

    @Test("a path may be as long as the system allows")
    func longPath() throws {
        let path = String(repeating: "/folder", count: 500) + "/a.mov"
        let read = try format.read(
            """
            * FRAME RATE: 24
            001  A        V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
            * SOURCE FILE: \(path)
            """)
        #expect(read.composition.tracks[0].segments[0].clip?.media == path)
    }

    @Test("names stay as they are, whatever becomes of their letters in upper case")
    func names() throws {
        for name in ["straße ß.mov", "ﬁlm ﬂ.mov", "İstanbul.mov", "ŉ.mov"] {
            let read = try format.read(
                """
                * FRAME RATE: 24
                001  A        V     C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00
                * from Clip Name: take \(name)
                * SOURCE FILE: /films/\(name)
                """)
            let clip = read.composition.tracks[0].segments[0].clip
            #expect(clip?.name == "take " + name && clip?.media == "/films/" + name)
        }
    }

    @Test("files whose names would be reels with a meaning are clips still")
    func reels() throws {
        var composition = Composition(format: .init(frameRate: FrameRate(known: 24)))
        let names = ["black.mp4", "BL.mov", "ax.mp4", "x/black.mov", "–.mp4", "clip.mp4"]
        var track = Track(carries: .video)
        for name in names {
            try track.append(Segment(PlacedClip(name, range: range(0, 1))))
        }
        composition.tracks = [track]
        let copy = try format.copy(composition).composition
        let media = copy.tracks[0].segments.map { $0.clip?.media ?? "gap" }
        #expect(media == names.map { "/media/" + $0 })
        let text = String(decoding: try format.write(composition).file, as: UTF8.self)
        let events = text.split(separator: "\n").filter { $0.first?.isNumber == true }
        let reels = events.map { $0.split(separator: " ")[1] }
        #expect(Set(reels).count == names.count)
        #expect(EDLWriter.reservedReels.isDisjoint(with: reels.map(String.init)))
    }

    @Test("colours of markers are the nearest of those that LOC has, and names stay names")
    func colours() throws {
        let markers = [
            ("CYAN", "CYAN"), ("#ff0000", "RED"), ("#80ee22dd", "MAGENTA"), ("Sand", "ORANGE"),
            ("no colour", "RED"), (nil, "RED"),
        ]
        let clip = try PlacedClip("a.mp4", range: range(0, 10))
        let segment = try Segment(
            clip,
            markers: markers.enumerated().map {
                try Marker("m \($0.offset)", at: seconds(Int64($0.offset)), colour: $0.element.0)
            })
        var track = Track(carries: .video)
        try track.append(segment)
        let composition = Composition(
            format: .init(frameRate: FrameRate(known: 24)), tracks: [track])
        let copy = try format.copy(composition)
        let read = copy.composition.tracks[0].segments[0].markers
        #expect(read.map(\.name) == markers.indices.map { "m \($0)" })
        #expect(read.map(\.colour) == markers.map(\.1))
        for colour in ["#ff0000", "Sand", "no colour"] {
            let isNoted = copy.notes.contains { $0.contains("no marker colour \(colour)") }
            #expect(isNoted == (colour != "#ff0000"), "\(colour)")
        }
    }

    @Test("what timecode can't say is refused, because nothing could read it")
    func hundredHours() throws {
        func composition(_ hours: Int64) throws -> Composition {
            var track = Track(carries: .video)
            try track.append(
                Segment(
                    PlacedClip("a.mp4", range: range(0, 10), retiming: .frozen(at: seconds(1))),
                    lasting: seconds(hours * 3600)))
            return Composition(format: .init(frameRate: FrameRate(known: 24)), tracks: [track])
        }
        let copy = try format.copy(composition(98)).composition
        #expect(copy.duration == seconds(98 * 3600))
        let error = #expect(throws: CompositionError.self) {
            try format.write(composition(99))
        }
        #expect(error?.description.contains("100 hours") == true)
    }

    @Test("timecode counts frames and back", arguments: [24.0, 25, 29.97, 30, 59.94, 60])
    func timecode(rate: Double) throws {
        let rates: [Double: FrameRate] = [
            29.97: .init(known: 30_000, over: 1001), 59.94: .init(known: 60_000, over: 1001),
        ]
        let grid = FrameGrid(rates[rate] ?? FrameRate(known: Int32(rate)))
        for dropping in [false, true] where grid.canDrop || !dropping {
            for frame in stride(from: Int64(0), to: 400_000, by: 97) {
                let text = grid.timecode(frame, dropping: dropping)
                #expect(grid.frames(timecode: text) == frame, "\(text)")
            }
        }
    }
}
