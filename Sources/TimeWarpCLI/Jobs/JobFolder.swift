import Foundation
import Media
import TimeWarp

/// A job's folder: the plan, and the pieces as they are rendered.
///
/// ```
/// job/plan.json
/// job/inputs/0.known     what is known of the first input, so that workers needn't read all of it
/// job/pieces/7.piece     finished: it appears under its name when it is complete
/// job/pieces/7.lock      somebody renders it: see PieceLock
/// ```
struct JobFolder: Sendable {
    /// An absolute path.
    let path: String

    init(_ path: String) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
    }

    var planFile: String { path + "/plan.json" }
    var pieceFolder: String { path + "/pieces" }
    private var inputFolder: String { path + "/inputs" }

    func pieceFile(_ index: Int) -> String { "\(pieceFolder)/\(index).piece" }
    func knownFile(_ input: Int) -> String { "\(inputFolder)/\(input).known" }
    func lockFile(_ index: Int) -> String { "\(pieceFolder)/\(index).lock" }

    /// Reads the plan.
    ///
    /// - Throws: ``MediaError`` if there is none, or it can't be read.
    func plan() throws -> JobPlan {
        guard let data = FileManager.default.contents(atPath: planFile) else {
            throw MediaError(
                .noInput, file: planFile, reason: "there is no plan",
                remedy: "Make one with --plan \(path)")
        }
        guard let plan = try? JSONDecoder().decode(JobPlan.self, from: data),
            plan.timewarp == "job/1"
        else {
            throw isNoPlan
        }
        return plan
    }

    /// The error for a plan that says nothing useful.
    var isNoPlan: MediaError {
        MediaError(
            .damaged, file: planFile, reason: "it isn't the plan of a job",
            remedy: "Plan the job again")
    }

    /// Makes the folders.
    func make() throws {
        do {
            for folder in [inputFolder, pieceFolder] {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
            }
        } catch {
            throw MediaError(
                .cannotCreate, file: path, reason: "the job's folder can't be made",
                remedy: "Choose a folder that can be written to")
        }
    }

    /// Writes the plan. One that says the same may be there.
    func write(_ plan: JobPlan, existing: ExistingOutput) throws {
        guard (try? self.plan()) != plan else {
            return
        }
        try JSONOutput.write(plan, to: planFile, existing: existing)
    }

    /// Removes the plan and everything that workers left. Other files stay, and so does a folder that holds any.
    func remove() {
        let endings = [".piece", ".lock", ".known", ".timewarp-part", PieceLock.asideEnding]
        for folder in [inputFolder, pieceFolder] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where endings.contains(where: name.hasSuffix) {
                unlink("\(folder)/\(name)")
            }
            rmdir(folder)
        }
        unlink(planFile)
        rmdir(path)
    }
}

/// Paths from one folder to another.
enum RelativePath {
    /// The path of a file as seen from a folder, both absolute: `../in.mp4`.
    static func from(_ folder: String, to file: String) -> String {
        let start = URL(fileURLWithPath: folder).standardizedFileURL.pathComponents
        let end = URL(fileURLWithPath: file).standardizedFileURL.pathComponents
        let shared = zip(start, end).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: start.count - shared)
        let path = (up + end.dropFirst(shared)).joined(separator: "/")
        return path.isEmpty ? "." : path
    }
}
