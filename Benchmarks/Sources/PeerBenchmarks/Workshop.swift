import Figures
import Foundation
import Launching

/// The paths of programs, and the folder for all files.
struct Workshop: Sendable {
    let timewarp: String
    /// A Python that can import moviepy and audalign.
    let python: String
    let folder: String
    /// The folder with the scripts for other programs.
    let scripts: String

    func path(_ name: String) -> String { folder + "/" + name }

    /// A program that measures another one without adding its own memory to the measurement.
    static var stopwatch: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("Stopwatch").path
    }

    /// Runs a program and measures it.
    ///
    /// - Throws: ``Failure`` with the program's error message.
    func measure(_ arguments: [String]) throws -> Launch.Usage {
        let report = path("usage.txt")
        let errors = path("errors.txt")
        let status = try Launch(
            [Self.stopwatch, path("printed.txt"), errors] + arguments, output: report
        ).run().status
        let line = text(at: report)
        guard status == 0, let usage = Launch.Usage(line: line) else {
            throw Failure(ProgramOutput.complaint(line))
        }
        guard usage.status == 0 else {
            let complaint = ProgramOutput.complaint(text(at: errors))
            throw Failure(complaint.isEmpty ? "it exits with \(usage.status)" : complaint)
        }
        return usage
    }

    /// Runs a program, and returns what it printed to stdout and stderr.
    ///
    /// - Throws: ``Failure`` with the program's error message.
    func ask(_ arguments: [String]) throws -> (output: String, errors: String) {
        let (output, errors) = (path("answer.txt"), path("answer-errors.txt"))
        let status = try Launch(arguments, output: output, errors: errors).run().status
        guard status == 0 else {
            throw Failure("\(arguments[0]): " + ProgramOutput.complaint(text(at: errors)))
        }
        return (text(at: output), text(at: errors))
    }

    private func text(at path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// A failure, described in words.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Workshop {
    /// The machine and the programs, one line each.
    func surroundings() -> [String] {
        let process = ProcessInfo.processInfo
        let memory = Double(process.physicalMemory) / 1e9
        let machine =
            "Machine: \(processorName()), \(process.activeProcessorCount) cores, "
            + "\(figure(memory)) GB, \(process.operatingSystemVersionString)"
        let day = Date.now.formatted(.iso8601.year().month().day())
        let programs = [
            firstLine([timewarp, "--version"]),
            firstLine(["ffmpeg", "-version"]).components(separatedBy: " Copyright")[0],
            firstLine(["melt", "--version"]), firstLine(["sox", "--version"]),
            firstLine(["rubberband", "--version"], prefix: "rubberband "),
            firstLine(["sh", "-c", "soundstretch 2>&1 || true"]),
            firstLine(
                [
                    python, "-c",
                    "import imageio_ffmpeg as f, importlib.metadata as m; "
                        + "print(m.version('moviepy'), 'with ffmpeg', f.get_ffmpeg_version())",
                ], prefix: "moviepy "),
            firstLine(
                [python, "-c", "import importlib.metadata as m; print(m.version('audalign'))"],
                prefix: "audalign "),
        ]
        return [machine, "Date: \(day)"] + programs
    }

    private func firstLine(_ arguments: [String], prefix: String = "") -> String {
        guard let answer = try? ask(arguments) else {
            return "\(arguments[0]): not found"
        }
        let line = (answer.output + answer.errors).split(whereSeparator: \.isNewline).first ?? ""
        return prefix + line.split(separator: " ").joined(separator: " ")
    }

    private func processorName() -> String {
        #if os(macOS)
            let name = try? ask(["sysctl", "-n", "machdep.cpu.brand_string"]).output
            return name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown processor"
        #else
            let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
            let model = lines.split(whereSeparator: \.isNewline).first {
                $0.hasPrefix("model name")
            }
            let name = model?.split(separator: ":").last.map(String.init) ?? "unknown processor"
            return name.trimmingCharacters(in: .whitespaces)
        #endif
    }
}
