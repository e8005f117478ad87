import Documents
import Exchange
import Foundation
import Media
import TimeMaps
import TimeWarp

extension FuzzTarget {
    /// A project of our own format.
    static let composition = FuzzTarget(
        "composition",
        data: { json in
            let composition = try Composition(json: json, mediaDuration: tenSeconds)
            let again = try Composition(json: composition.json(), mediaDuration: tenSeconds)
            require(again == composition, "written and read again it is another composition")
            check(composition)
        })

    /// A job.
    static let job = FuzzTarget(
        "job",
        data: { json in
            let job: RenderJob
            do {
                job = try RenderJob(json: json, mediaDuration: tenSeconds)
            } catch let error as DocumentError {
                require(error.problem.position != nil, "\(error) has no place")
                require(!error.problem.message.isEmpty, "nothing is said")
                throw error
            }
            let again = try RenderJob(json: job.json(), mediaDuration: tenSeconds)
            require(try again.json() == job.json(), "written and read again it is another job")
            checkTimes(job.timeline)
        })

    /// A project of another program, as OpenTimelineIO.
    static let openTimelineIO = FuzzTarget(
        "otio",
        data: { file in
            let read = try Composition.reading(openTimelineIO: file, mediaDuration: tenSeconds)
            require(read.notes.count <= 1000, "\(read.notes.count) notes")
            check(read.composition)
        })

    /// Projects of other programs.
    static let finalCut = project("fcpxml", FCPXMLFormat())
    static let premiere = project("xmeml", XMEMLFormat())
    static let editDecisionList = project("edl", EDLFormat())
    static let mlt = project("mlt", MLTFormat())

    private static func project(_ name: String, _ format: some ProjectFormat) -> FuzzTarget {
        FuzzTarget(
            name,
            data: { file in
                let read = try format.read(file, noMedia)
                require(read.notes.count <= 1000, "\(read.notes.count) notes")
                check(read.composition)
                attempt {
                    let written = try format.write(read.composition, read.settings, noMedia).file
                    _ = try format.read(written, noMedia)
                }
            })
    }

    /// Nothing that a project names is opened.
    private static var noMedia: ProjectMedia {
        ProjectMedia(duration: tenSeconds) {
            throw MediaError(.noInput, file: $0, reason: "there is no such file")
        }
    }

    @Sendable private static func tenSeconds(_ media: String) throws -> RationalTime {
        guard media != "missing.mp4" else {
            throw MediaError(.noInput, file: media, reason: "there is no such file")
        }
        return RationalTime(10, over: 1)
    }

    private static func check(_ composition: Composition) {
        checkTimes(composition)
        attempt {
            let (file, _) = try composition.openTimelineIO()
            _ = try Composition.reading(openTimelineIO: file, mediaDuration: tenSeconds)
        }
        attempt { try edit(composition) }
    }

    private static func checkTimes(_ composition: Composition) {
        require(composition.duration >= .zero, "it lasts \(composition.duration)")
        for share in [Int64(0), 1, 2, 3] {
            attempt {
                let time = try composition.duration.multiplied(by: share, over: 3)
                _ = try composition.placement(at: time)
            }
        }
        attempt { _ = try composition.times(of: RationalTime(1, over: 1), in: "a.mp4") }
        attempt { _ = try composition.markers }
        attempt { _ = try composition.hiddenMarkers }
        for segment in composition.tracks.flatMap(\.segments) where !segment.isGap {
            attempt { try segment.timeMap(frameDuration: 0.04).checkPromises() }
        }
    }

    private static func edit(_ composition: Composition) throws {
        for var track in composition.tracks {
            let third = try track.duration.multiplied(by: 1, over: 3)
            guard third > .zero else {
                continue
            }
            try track.split(at: third)
            try track.remove(TimeRange(start: .zero, duration: third))
        }
    }
}
