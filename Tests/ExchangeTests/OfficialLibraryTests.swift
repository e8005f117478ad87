import Foundation
import RandomCompositions
import Testing
import TimeMaps

@testable import Exchange
@testable import TimeWarp

/// OpenTimelineIO's own library, in Python.
private struct OfficialLibrary {
    private let python: String
    private let script: String
    private let folder: URL

    init() throws {
        var root = URL(fileURLWithPath: #filePath)
        while root.path != "/",
            !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path)
        {
            root.deleteLastPathComponent()
        }
        let usual = root.appending(path: ".build/test-python/bin/python").path
        python = ProcessInfo.processInfo.environment["TIMEWARP_TEST_PYTHON"] ?? usual
        script = root.appending(path: "Tests/Python/opentimelineio_witness.py").path
        folder = FileManager.default.temporaryDirectory.appending(
            path: "timewarp-otio-\(UUID().uuidString)")
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            """
            OpenTimelineIO's library is missing. Run Scripts/install-test-tools, \
            or name an interpreter that has it in TIMEWARP_TEST_PYTHON.
            """)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func removeFolder() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// What the library reads from a file, and the file as the library writes it.
    func copy(_ file: Data) throws -> (report: Report, file: Data) {
        let (source, target) = (
            folder.appending(path: "in.otio"), folder.appending(path: "out.otio")
        )
        try file.write(to: source)
        let output = try run(["copy", source.path, target.path])
        return (try JSONDecoder().decode(Report.self, from: output), try Data(contentsOf: target))
    }

    /// A timeline made by the library.
    func build() throws -> Data {
        let target = folder.appending(path: "built.otio")
        _ = try run(["build", target.path])
        return try Data(contentsOf: target)
    }

    private func run(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [script] + arguments
        let (output, errors) = (Pipe(), folder.appending(path: "errors.txt"))
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let complaint = try String(contentsOf: errors, encoding: .utf8)
        try #require(process.terminationStatus == 0, "\(complaint)")
        return data
    }
}

/// What the library reads from a timeline.
private struct Report: Decodable {
    struct Track: Decodable {
        let name: String
        let kind: String
        let duration: Double
        let items: [Item]
    }

    struct Item: Decodable {
        let kind: String
        let start: Double
        let duration: Double
        let place: Double
        let speeds: [Double]
        let effects: [String]
        let markers: [Marker]
        let url: String?
        let error: Double?
    }

    struct Marker: Decodable {
        let name: String
        let at: Double
        let duration: Double
        let comment: String
        let colour: String
    }

    let name: String
    let duration: Double
    let tracks: [Track]
}

@Suite("OpenTimelineIO's own library", .serialized)
struct OfficialLibraryTests {
    @Test("it reads what we wrote, and we what it wrote again", arguments: 1...12)
    func roundTrip(seed: UInt64) throws {
        let library = try OfficialLibrary()
        defer { library.removeFolder() }
        var random = RandomCompositions(seed: seed)
        let composition = try random.composition()
        let (report, file) = try library.copy(try composition.openTimelineIO().file)
        let again = try Composition.reading(
            openTimelineIO: file, mediaDuration: RandomCompositions.length)
        #expect(again.composition == composition, "seed \(seed)")
        #expect(again.notes == [], "seed \(seed)")
        #expect(report.name == composition.name)
        // The library adds times as Doubles.
        #expect(abs(report.duration - composition.duration.seconds) < 1e-6)
        var tracks = report.tracks[...]
        for track in composition.tracks where track.carries != .sound {
            let seen = tracks.popFirst()
            try check(#require(seen), "Video", track, withMarkers: true)
        }
        for track in composition.tracks where track.carries != .video {
            let seen = tracks.popFirst()
            try check(#require(seen), "Audio", track, withMarkers: track.carries == .sound)
        }
        #expect(tracks.isEmpty)
    }

    private func check(
        _ report: Report.Track, _ kind: String, _ track: Track, withMarkers: Bool
    ) throws {
        #expect(report.kind == kind && report.name == track.name)
        #expect(abs(report.duration - track.duration.seconds) < 1e-6)
        var items = report.items[...]
        for placed in track.placed {
            var found: [Report.Item] = []
            let end = placed.range.end.seconds
            // The library's times are sums of Doubles.
            while let item = items.first, item.place < end - 1e-6 {
                found.append(item)
                items.removeFirst()
            }
            let first = try #require(found.first)
            #expect(abs(first.place - placed.range.start.seconds) < 1e-6)
            try check(found, placed.segment, withMarkers: withMarkers)
        }
        #expect(items.isEmpty)
    }

    private func check(
        _ items: [Report.Item], _ segment: Segment, withMarkers: Bool
    ) throws {
        guard let clip = segment.clip else {
            #expect(items.map(\.kind) == ["Gap"])
            #expect(items[0].duration == segment.duration.seconds)
            return
        }
        #expect(
            items.allSatisfy {
                $0.kind == "Clip" && $0.url == MediaLocation.url(ofPath: clip.media)
            })
        let markers = items.flatMap(\.markers).map {
            text($0.name, $0.at, $0.duration, $0.comment)
        }
        let expected = segment.markers.map {
            text($0.name, $0.at.seconds, $0.duration.seconds, $0.comment ?? "")
        }
        #expect(markers.sorted() == (withMarkers ? expected.sorted() : []))
        let map = try segment.timeMap()
        switch clip.retiming {
        case .uniform, .reversed, .frozen:
            #expect(items.count == 1)
            #expect(items[0].duration == segment.duration.seconds)
            let line = try #require(map.pieces.first?.exact)
            let low = try clip.range.start.sum(min(line.sourceStart, line.sourceEnd))
            // A time is value over rate, and both are exact. The division rounds once on each side.
            #expect(abs(items[0].start - low.seconds) < 1e-13)
            let speed = items[0].speeds.first ?? 1
            #expect(abs(speed - map.speed(at: 0)) < 1e-12)
            #expect(
                items[0].effects
                    == (speed == 1 ? [] : [speed == 0 ? "FreezeFrame" : "LinearTimeWarp"]))
        case .curve, .timeMap, .thereAndBack:
            let error = try #require(items[0].error)
            // Half a frame. The default is that of 60 frames a second, and all formats here have lower rates.
            #expect(error < 0.5 / 25)
            check(items, map, from: clip.range.start.seconds, within: error)
        }
    }

    /// Rounded to the nanosecond: a Double divided in Python may differ from ours in its last bit.
    private func text(_ name: String, _ at: Double, _ duration: Double, _ comment: String) -> String
    {
        "\(name) \((at * 1e9).rounded()) \((duration * 1e9).rounded()) \(comment)"
    }

    /// Checks that the pieces of constant speed are as close to the map as their stated error says.
    private func check(
        _ items: [Report.Item], _ map: TimeMap, from start: Double, within error: Double
    ) {
        var place = 0.0
        for item in items {
            let speed = item.speeds.first ?? 1
            for step in 1..<40 {
                let y = item.duration * Double(step) / 40
                let x =
                    speed < 0 ? item.start - speed * (item.duration - y) : item.start + speed * y
                // How far an instant moves when its time is a sum of Doubles.
                #expect(abs(x - start - map.sourceTime(at: place + y)) <= error * 1.01 + 1e-6)
            }
            place += item.duration
        }
    }

    @Test("we read what the library built")
    func built() throws {
        let library = try OfficialLibrary()
        defer { library.removeFolder() }
        let read = try Composition.reading(
            openTimelineIO: try library.build(), mediaDuration: RandomCompositions.length)
        let tracks = read.composition.tracks
        #expect(read.composition.name == "built")
        #expect(tracks.map(\.carries) == [.video, .video, .sound])
        let segments = tracks[0].segments
        let words = segments.map { segment in
            guard let clip = segment.clip else {
                return "gap \(segment.duration.seconds)"
            }
            let way =
                clip.retiming == .uniform ? "plays" : clip.retiming == .reversed ? "back" : "held"
            return "\(clip.name ?? clip.media) \(way) \(clip.range.start.seconds) "
                + "\(clip.range.end.seconds) in \(segment.duration.seconds)"
        }
        #expect(
            words == [
                "one plays 1.0 3.0 in 2.0", "fast plays 1.001 3.003 in 1.001", "gap 1.5",
                "back back 2.0 3.0 in 1.0", "third plays 1.0 2.0 in 3.0",
                "held held 3.0 \(3 + 1.0 / 24) in 1.0", "lost plays 0.0 1.0 in 1.0",
                "blurred plays 0.0 1.0 in 1.0",
                "x plays 1.0 2.0 in 1.0", "y plays 4.0 5.0 in 1.0", "p plays 0.0 1.0 in 1.0",
            ])
        #expect(segments[0].clip?.media == "/films/b c.mp4")
        #expect(segments[5].clip?.retiming == .frozen(at: seconds(3)))
        #expect(
            segments[0].markers == [
                try Marker(
                    "beat", at: seconds(3, 2), lasting: seconds(1, 2), comment: "here",
                    colour: "GREEN")
            ])
        #expect(segments[1].blending == Blending(dissolve: seconds(10, 24)))
        #expect(tracks[1].segments.map(\.isGap) == [true, false])
        #expect(tracks[1].segments[1].clip?.range == (try range(1, 2)))
        #expect(tracks[1].duration == tracks[0].duration)
        #expect(tracks[2].duration == seconds(20))
        for word in [
            "has no file", "\"soft\" (Effect.1) was dropped",
            "1 more object was not", "timecode 3600.0 s", "Metadata",
        ] {
            #expect(read.notes.contains { $0.contains(word) }, "\(word) in \(read.notes)")
        }
        #expect(read.notes.count == 5, "\(read.notes)")
    }
}
