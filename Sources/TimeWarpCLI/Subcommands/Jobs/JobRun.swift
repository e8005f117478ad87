import ArgumentParser
import Foundation
import Media
import TimeWarp

/// A job that is worked on: the command of its plan is read again and makes the same plan here.
struct JobRun: Sendable {
    let folder: JobFolder
    let plan: JobPlan
    let identity: String
    private let command: any AsyncParsableCommand.Type
    private let arguments: [String]
    private let known: KnownFiles

    /// The commands that a plan may hold.
    private static let commands: [String: any AsyncParsableCommand.Type] = [
        "warp": WarpCommand.self, "scale": ScaleCommand.self, "reverse": ReverseCommand.self,
        "stretch": StretchCommand.self, "compose": ComposeCommand.self, "copy": CopyCommand.self,
        "story build": StoryBuildCommand.self,
    ]

    /// Reads the plan, and checks that this machine would render the same bytes.
    ///
    /// - Parameters:
    ///   - replacements: where inputs are on this machine: `in.mp4=/mnt/in.mp4`, or one path for the only input.
    /// - Throws: ``MediaError`` if an input changed, or this is another build.
    init(_ path: String, replacing replacements: [String]) throws {
        folder = JobFolder(path)
        plan = try folder.plan()
        let words = plan.arguments.first == "story" ? 2 : 1
        guard let command = Self.commands[plan.arguments.prefix(words).joined(separator: " ")]
        else {
            throw folder.isNoPlan
        }
        self.command = command
        identity = try plan.identity()
        try plan.build.require(by: try .own(), file: folder.planFile)
        let given = try Self.replaced(plan, replacements)
        // Relative paths mean what they meant when the job was planned, wherever the folder is now.
        FileManager.default.changeCurrentDirectoryPath(folder.path + "/" + plan.folder)
        var names: [String: String] = [:]
        var known: [String: KnownFile] = [:]
        for (number, input) in plan.inputs.enumerated() {
            let path = try Self.place(of: input, given[input.path], in: folder)
            names[input.path] = path
            let file = try Self.known(input, number: number, at: path, in: folder)
            // Projects and stories look for their media where it was.
            (known[path], known[input.path]) = (file, file)
        }
        self.known = KnownFiles(known)
        arguments = plan.arguments.dropFirst(words).map { names[$0] ?? $0 }
        OwnProcess.handOutZeros()
    }

    private static func replaced(
        _ plan: JobPlan, _ replacements: [String]
    ) throws -> [String: String] {
        var paths: [String: String] = [:]
        for replacement in replacements {
            let parts = replacement.split(separator: "=", maxSplits: 1).map(String.init)
            let known = plan.inputs.map(\.path)
            if parts.count == 2, known.contains(parts[0]) {
                paths[parts[0]] = URL(fileURLWithPath: parts[1]).path
            } else if known.count == 1 {
                paths[known[0]] = URL(fileURLWithPath: replacement).path
            } else {
                throw ValidationError(
                    "--input takes NAME=PATH with one of the names "
                        + known.joined(separator: ", ") + ".")
            }
        }
        return paths
    }

    /// The path of an input on this machine.
    private static func place(
        of input: JobPlan.Input, _ replacement: String?, in folder: JobFolder
    ) throws -> String {
        let candidates =
            replacement.map { [$0] } ?? [
                input.path, folder.path + "/" + input.fromJob,
            ]
        guard let path = candidates.first(where: FileManager.default.fileExists(atPath:)) else {
            throw MediaError(
                .noInput, file: candidates[0], reason: "the job's input isn't there",
                remedy: "Say where it is with --input \(input.path)=PATH")
        }
        return path
    }

    /// What is known of an input. Each part of it is checked when it is read; an input of which nothing is known is
    /// checked now.
    private static func known(
        _ input: JobPlan.Input, number: Int, at path: String, in folder: JobFolder
    ) throws -> KnownFile? {
        guard let hash = input.known else {
            let fingerprint = try FileFingerprint(of: path) { try Task.checkCancellation() }
            guard fingerprint.text == input.hash else {
                throw MediaError(
                    .changed, file: path, reason: "it changed since the job was planned",
                    remedy: "Restore the file, or plan the job again")
            }
            return nil
        }
        let file = folder.knownFile(number)
        let bytes = Array(FileManager.default.contents(atPath: file) ?? Data())
        guard ContentHash.text(of: bytes) == hash,
            let known = KnownFile(stored: bytes, at: path), known.fingerprint.text == input.hash
        else {
            throw MediaError(
                .damaged, file: file, reason: "it isn't what was planned",
                remedy: "Plan the job again")
        }
        return known
    }

    /// Makes the plan here and calls `body` with it, or with the command's own way to use a plan.
    func run(_ use: PlanUse) async throws {
        guard var rendering = try command.parseAsRoot(arguments) as? any AsyncParsableCommand else {
            return
        }
        try await PlanUse.$current.withValue(use) {
            try await KnownFiles.$current.withValue(known) { try await rendering.run() }
        }
    }
}
