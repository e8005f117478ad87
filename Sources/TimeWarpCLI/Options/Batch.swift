import ArgumentParser
import Foundation
import Media
import TimeWarp

/// One command for many inputs, each of which gets an output of its own name in a folder.
///
/// A failure is told and doesn't stop the rest. With one input whose output isn't a folder, it is as if there were no
/// batch.
struct Batch {
    /// One input of a batch.
    struct Item {
        let input: String
        let output: String
        /// The options for running its plan, with its own report.
        let running: RunOptions
    }
    private let items: [Item]
    /// The folders that outputs and reports are written to; none if the output isn't a folder.
    private let folders: [String]

    /// - Parameters:
    ///   - output: a file; with several inputs, or if it exists as a folder or ends in a slash, a folder. Then a
    ///     report is one as well, unless it is stdout.
    /// - Throws: `ValidationError` if two inputs would have the same output.
    init(_ inputs: [String], to output: String, _ running: RunOptions) throws {
        guard running.cutting.job == nil || inputs.count == 1 else {
            throw ValidationError("--plan takes one input: make a job for each output.")
        }
        guard !running.printJob || inputs.count == 1 else {
            throw ValidationError("--print-job takes one input: print a job for each output.")
        }
        guard inputs.count == 1 || output != RenderSettings.Output.pipe else {
            throw ValidationError(
                "A pipe takes one input: put several together with timewarp compose.")
        }
        guard !inputs.contains(StandardInput.name) || !(inputs.count > 1 || Self.isFolder(output))
        else {
            throw ValidationError(
                "stdin has no name of its own: give it alone, and the output a name.")
        }
        guard inputs.count > 1 || Self.isFolder(output) else {
            items = inputs.map { Item(input: $0, output: output, running: running) }
            folders = []
            return
        }
        guard Self.isFolder(output) || (try? Container(forFileAt: output)) == nil else {
            throw ValidationError(
                "\(inputs.count) inputs need a folder, and \(output) is the name of a file. "
                    + "Write -o \((output as NSString).deletingPathExtension)/, or put them together "
                    + "with timewarp compose.")
        }
        let report = running.report.flatMap { FileOutput.isStandardOutput($0) ? nil : $0 }
        var owners: [String: String] = [:]
        items = try inputs.map { input in
            let name = Self.outputName(for: input)
            if let other = owners.updateValue(input, forKey: name) {
                throw ValidationError(
                    "\(other) and \(input) would both become \(name) in \(output). Rename one, or give it alone."
                )
            }
            var own = running
            own.report = report.map { Self.path(name + ".json", in: $0) } ?? running.report
            return Item(input: input, output: Self.path(name, in: output), running: own)
        }
        folders = [output, report].compactMap { $0 }
    }

    /// Does the work for one input after another.
    ///
    /// - Throws: with one input, what `body` throws; else the highest exit code of those that failed. A
    ///   cancellation ends the batch.
    func run(_ body: (Item) async throws -> Void) async throws {
        let made = try folders.filter { try Self.makeFolder($0) }
        defer {
            // Those that stayed empty, also in a dry run.
            for folder in made {
                rmdir(folder)
            }
        }
        guard items.count > 1 else {
            for item in items {
                try await body(item)
            }
            return
        }
        var failed: [(input: String, exitCode: Int32)] = []
        for (index, item) in items.enumerated() {
            if item.running.progress.showsText {
                StandardError.print("[\(index + 1)/\(items.count)] \(item.input)")
            }
            do {
                try await body(item)
            } catch {
                let failure = try Failure(ofOneInput: error)
                Message.failed(failure)
                failed.append((item.input, failure.exitCode))
            }
            try Task.checkCancellation()
        }
        if !Message.isForPrograms {
            StandardError.print(summary(failed.map(\.input)))
        }
        if let worst = failed.map(\.exitCode).max() {
            throw ExitCode(worst)
        }
    }

    private func summary(_ failed: [String]) -> String {
        let all = "timewarp: \(items.count - failed.count) of \(items.count) done"
        return failed.isEmpty ? all : all + "; failed: " + failed.joined(separator: ", ")
    }

    // MARK: - Names

    /// Kinds of files with sound alone that aren't written.
    private static let soundEndings: Set = [
        "aac", "wma", "ape", "ac3", "eac3", "dts", "aif", "aiff", "au", "caf", "tta", "wv", "mp2",
        "amr",
    ]

    /// The input's own name, as MP4 where that kind of file isn't written.
    private static func outputName(for input: String) -> String {
        let name = URL(fileURLWithPath: input).lastPathComponent
        guard (try? Container(forFileAt: name)) == nil else {
            return name
        }
        let ending = (name as NSString).pathExtension.lowercased()
        let container: Container = soundEndings.contains(ending) ? .m4a : .mp4
        return (name as NSString).deletingPathExtension + "." + container.rawValue
    }

    private static func path(_ name: String, in folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + name
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return path.hasSuffix("/")
            || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && isFolder.boolValue
    }

    /// Makes a folder unless it exists, and returns whether it was made.
    private static func makeFolder(_ path: String) throws -> Bool {
        guard !FileManager.default.fileExists(atPath: path) else {
            guard isFolder(path) else {
                throw MediaError(
                    .cannotCreate, file: path,
                    reason: "it is a file, and several outputs need a folder")
            }
            return false
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            throw MediaError(
                .cannotCreate, file: path, reason: "the folder can't be made",
                remedy: "Create the folder first")
        }
        return true
    }
}
