import Foundation
import Media
import TimeWarp

/// A job's folder: the plan, and the pieces as they are rendered.
///
/// ```
/// job/plan.json
/// job/inputs/5f….known   what is known of an input, so that workers needn't read all of it; named by its hash
/// job/pieces/7.piece     finished: it appears under its name when it is complete
/// job/pieces/7.lock      somebody renders it: see PieceLock
/// ```
struct JobFolder: Sendable {
    /// An absolute path without symbolic links.
    let path: String

    init(_ path: String) {
        self.path = JobPath.physical(path)
    }

    var planFile: String { path + "/plan.json" }
    var pieceFolder: String { path + "/pieces" }
    private var inputFolder: String { path + "/inputs" }

    func pieceFile(_ index: Int) -> String { "\(pieceFolder)/\(index).piece" }
    func knownFile(_ hash: String) -> String { "\(inputFolder)/\(hash).known" }
    func lockFile(_ index: Int) -> String { "\(pieceFolder)/\(index).lock" }

    /// The size of the largest plan that is read, in bytes: 10 000 pieces of a video with a few tracks take 20 MB.
    private static let largestPlan = 256 << 20

    /// A path of the plan for this machine.
    func here(_ path: String) -> String {
        JobPath.absolute(MediaPath.resolve(path, in: self.path))
    }

    /// A path for the plan, from this folder.
    func fromHere(_ path: String) -> String {
        JobPath.relative(from: self.path, to: JobPath.absolute(path))
    }

    /// Reads the plan.
    ///
    /// - Throws: ``MediaError`` if there is none, or it can't be read.
    func plan() throws -> JobPlan {
        guard access(planFile, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno) else {
            throw MediaError(
                .noInput, file: planFile, reason: "there is no plan",
                remedy: "Make one with --plan \(path)")
        }
        let data = try SmallFile.data(at: planFile, kind: "a plan", largest: Self.largestPlan)
        guard let plan = try? JSONDecoder().decode(JobPlan.self, from: data), plan.isSound else {
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

    /// Writes the plan, and before it what is known of its inputs. A plan that says the same may be there.
    ///
    /// - Parameter known: the content of the files ``knownFile(_:)``, by their hashes.
    /// - Throws: ``MediaError`` if another plan is there and may not be replaced; nothing is changed then.
    func write(
        _ plan: JobPlan, knowing known: [String: [UInt8]], existing: ExistingOutput
    ) throws {
        let isThere = (try? self.plan()) == plan
        if !isThere {
            try AtomicFile.requireWritable(planFile, notBeing: nil, existing: existing)
        }
        // Under their hashes, so that those of another plan stay.
        for (hash, bytes) in known {
            try FileOutput.write(bytes, to: knownFile(hash), existing: .overwrite)
        }
        if !isThere {
            try JSONOutput.write(plan, to: planFile, existing: existing)
        }
    }

    /// Removes the plan and everything that workers left. Other files stay, and so does a folder that holds any.
    func remove() {
        let endings = [".piece", ".lock", ".known", ".timewarp-part", PieceLock.asideEnding]
        for folder in [inputFolder, pieceFolder] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where endings.contains(where: name.hasSuffix) {
                // A worker that was killed in a story leaves a folder.
                try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
            rmdir(folder)
        }
        unlink(planFile)
        rmdir(path)
    }
}
