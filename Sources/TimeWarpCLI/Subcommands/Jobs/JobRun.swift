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

    /// Reads the plan, checks that this machine would render the same bytes, and goes to the folder in which the job was
    /// planned.
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
        arguments = Array(plan.arguments.dropFirst(words))
        identity = try plan.identity()
        try plan.build.require(by: try .own(), file: folder.planFile)
        let given = try Self.replaced(plan, replacements)
        try Self.enter(folder.workingFolder(of: plan))
        known = KnownFiles(try Self.places(of: plan, given, in: folder))
        OwnProcess.handOutZeros()
    }

    /// Relative paths mean what they meant when the job was planned, wherever the folder is now.
    private static func enter(_ folder: String) throws {
        guard FileManager.default.changeCurrentDirectoryPath(folder) else {
            throw MediaError(
                .noInput, file: folder,
                reason: "the job was planned in this folder, and it isn't there",
                remedy: "Plan the job in a folder that all machines have: paths start there")
        }
    }

    private static func replaced(
        _ plan: JobPlan, _ replacements: [String]
    ) throws -> [String: String] {
        var paths: [String: String] = [:]
        let known = plan.inputs.map(\.path)
        for replacement in replacements {
            let parts = replacement.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, known.contains(parts[0]) {
                paths[parts[0]] = JobPath.absolute(parts[1])
            } else if known.count == 1 {
                paths[known[0]] = JobPath.absolute(replacement)
            } else {
                throw ValidationError(
                    "--input takes NAME=PATH with one of the names "
                        + known.joined(separator: ", ") + ".")
            }
        }
        return paths
    }

    /// Where all inputs are here, and what is known of them, by the paths at which the command and its projects look for
    /// them.
    private static func places(
        of plan: JobPlan, _ given: [String: String], in folder: JobFolder
    ) throws -> [String: KnownFiles.Place] {
        var places: [String: KnownFiles.Place] = [:]
        for input in plan.inputs {
            let path = try place(of: input, given[input.path], in: folder)
            let place = KnownFiles.Place(path, content: try known(input, at: path, in: folder))
            (places[path], places[input.path]) = (place, place)
        }
        return places
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
        _ input: JobPlan.Input, at path: String, in folder: JobFolder
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
        let file = folder.knownFile(hash)
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

    /// Runs the command, which makes the plan here and does this with it instead of rendering it.
    func run(_ use: PlanUse) async throws {
        guard var rendering = try command.parseAsRoot(arguments) as? any AsyncParsableCommand else {
            return
        }
        try await PlanUse.$current.withValue(use) {
            try await KnownFiles.$current.withValue(known) { try await rendering.run() }
        }
    }
}
