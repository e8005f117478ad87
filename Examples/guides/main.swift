// Runs the examples of the guides, and uses the products that they don't use. Tests/Trust/test_guest_package.py
// compiles it, with the functions that `Scripts/reference.py examples` writes, as the program of a package that
// depends on the library. Its argument is a folder with the files that the guides read; each guide gets a folder
// of its own, in the working directory, with links to them.

import Alignment
import Exchange
import Foundation
import Overview
import Playback
import Plotting
import Stories
import StoryBuilding
import TimeWarp
import Verification

let inputs = URL(fileURLWithPath: CommandLine.arguments[1])
let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)

func enter(_ name: String, linking files: [String]) throws {
    let folder = here.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for file in files {
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent(file),
            withDestinationURL: inputs.appendingPathComponent(file))
    }
    FileManager.default.changeCurrentDirectoryPath(folder.path)
}

/// Writes the projects that the guide of compositions reads.
func writeProjects() throws {
    var film = Composition(name: "Film", tracks: [Track(name: "V1")])
    let range = try TimeRange(start: .zero, end: .seconds(2))
    try film.append(range, of: "a.mp4", toTrack: 0)
    try film.json().write(to: inputs.appendingPathComponent("edit.json"))
    let (timeline, _) = try film.openTimelineIO()
    try timeline.write(to: inputs.appendingPathComponent("edit.otio"))
}

/// Uses the products that no guide's example uses.
func useTheRest() throws {
    let asset = try Asset(at: inputs.appendingPathComponent("in.mp4").path)
    let waveform = try Waveform(of: asset, columns: 10)
    let timeline = try PlaybackTimeline(duration: asset.duration)
    print("overview: \(waveform.maximum.count) columns; playback: \(timeline.currentTime)")
    let map = TimeMap.reversed(asset.duration)
    print("plotting: \(TimeMapEvaluation(of: map, title: "reversed").minimumSpeed)")
}

/// Why a file that is no MP4 file can't be opened.
func reasonOfDamage() throws -> String {
    let file = inputs.appendingPathComponent("damaged.mp4")
    try Data(contentsOf: inputs.appendingPathComponent("in.mp4")).prefix(4000).write(to: file)
    do {
        return "it has \(try Asset(at: file.path).duration) seconds"
    } catch let error as MediaError {
        return error.reason
    }
}

try print("damaged: \(reasonOfDamage())")
LibAVLog.capture()
try print("damaged, with FFmpeg's words: \(reasonOfDamage())")
try FileManager.default.removeItem(at: inputs.appendingPathComponent("damaged.mp4"))
try writeProjects()
let files = try FileManager.default.contentsOfDirectory(atPath: inputs.path)
try useTheRest()
var failed = false
for page in pages {
    try enter(page.name, linking: files)
    do {
        try await page.run()
        print("guide \(page.name): done")
    } catch {
        failed = true
        print("guide \(page.name): \(error)")
    }
}
exit(failed ? 1 : 0)
