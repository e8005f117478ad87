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

    /// Writes a WAV file with samples of 32 bits.
    ///
    /// - Parameter channels: one, two or six (5.1), as many samples in each.
    public static func writeSound(
        _ channels: [[Float]], sampleRate: Int, to path: String
    ) throws {
        let frame = 4 * channels.count
        let length = frame * channels[0].count
        var bytes = Data(capacity: length + 68)
        func add(_ text: String) { bytes.append(contentsOf: text.utf8) }
        func add(_ number: Int, bytes count: Int) {
            bytes.append(
                contentsOf: (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
        }
        add("RIFF")
        add(length + 60, bytes: 4)
        add("WAVEfmt ")
        // The extensible format says which loudspeakers the channels are for.
        for (number, count) in [
            (40, 4), (0xFFFE, 2), (channels.count, 2), (sampleRate, 4), (frame * sampleRate, 4),
            (frame, 2), (32, 2), (22, 2), (32, 2), ([1: 4, 2: 3, 6: 0x3F][channels.count] ?? 0, 4),
        ] {
            add(number, bytes: count)
        }
        // The identifier of samples in floating point.
        bytes.append(contentsOf: [
            3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
        ])
        add("data")
        add(length, bytes: 4)
        var samples = [UInt32](repeating: 0, count: channels.count * channels[0].count)
        for (number, channel) in channels.enumerated() {
            for (index, sample) in channel.enumerated() {
                samples[index * channels.count + number] = sample.bitPattern.littleEndian
            }
        }
        samples.withUnsafeBytes { bytes.append(contentsOf: $0) }
        try bytes.write(to: URL(fileURLWithPath: path))
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
