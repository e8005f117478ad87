import Foundation

/// Runs independent programs and returns what they report about a file.
public enum ReferenceTools {
    /// The result of a finished run.
    public struct Result: Sendable {
        public let exitCode: Int32
        public let output: String
        public let errors: String
    }

    /// Runs a program to its end.
    ///
    /// - Parameter name: a program to look up in PATH, or a path.
    public static func run(
        _ name: String, _ arguments: [String], in folder: URL? = nil
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: name.contains("/") ? name : "/usr/bin/env")
        process.arguments = (name.contains("/") ? [] : [name]) + arguments
        process.currentDirectoryURL = folder
        let scratch = try TemporaryFolder()
        let (outputFile, errorFile) = (scratch.path("out"), scratch.path("err"))
        for file in [outputFile, errorFile] {
            _ = FileManager.default.createFile(atPath: file, contents: nil)
        }
        // Files, not pipes: a full pipe would block the program.
        process.standardOutput = FileHandle(forWritingAtPath: outputFile)
        process.standardError = FileHandle(forWritingAtPath: errorFile)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus,
            output: try String(contentsOfFile: outputFile, encoding: .utf8),
            errors: try String(contentsOfFile: errorFile, encoding: .utf8))
    }

    /// Writes sound, one array for each channel, as samples of 32 bits.
    public static func writeSound(
        _ channels: [[Float]], sampleRate: Int, to path: String
    ) throws {
        let scratch = try TemporaryFolder()
        var bytes = Data()
        for index in channels[0].indices {
            for channel in channels {
                withUnsafeBytes(of: channel[index].bitPattern.littleEndian) {
                    bytes.append(contentsOf: $0)
                }
            }
        }
        try bytes.write(to: URL(fileURLWithPath: scratch.path("raw")))
        try ffmpeg([
            "-f", "f32le", "-ar", "\(sampleRate)", "-ac", "\(channels.count)",
            "-i", scratch.path("raw"), "-c:a", "pcm_f32le", path,
        ])
    }

    /// Runs `ffmpeg`, and throws if it fails.
    ///
    /// - Returns: its output.
    @discardableResult
    public static func ffmpeg(_ arguments: [String]) throws -> String {
        let result = try run(
            "ffmpeg", ["-hide_banner", "-nostdin", "-v", "error", "-y"] + arguments)
        guard result.exitCode == 0 else {
            throw WitnessError(
                description: "ffmpeg \(arguments.joined(separator: " ")): \(result.errors)")
        }
        return result.output
    }

    /// The output of `ffprobe` for some entries, one line for each, in compact form.
    public static func ffprobe(_ arguments: [String]) throws -> [String] {
        let result = try run("ffprobe", ["-v", "error", "-of", "csv=p=0"] + arguments)
        guard result.exitCode == 0 else {
            throw WitnessError(
                description: "ffprobe \(arguments.joined(separator: " ")): \(result.errors)")
        }
        return result.output.split(separator: "\n").map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: ", \r"))
        }
    }
}

/// An error: an independent program failed.
public struct WitnessError: Error, CustomStringConvertible {
    public let description: String
}

/// A folder that is removed when its owner is deinitialised.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("timewarp-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// The names of the files in the folder, hidden files included.
    public var contents: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        }
    }
}
