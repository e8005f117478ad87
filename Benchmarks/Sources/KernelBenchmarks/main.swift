import Benchmark
import Foundation
import TimeWarp

// KernelBenchmarks [PATTERN]: measures the innermost functions, and prints Markdown tables.
let wanted = CommandLine.arguments.dropFirst().first.map { try? Regex($0) } ?? nil
let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("timewarp-kernels-\(ProcessInfo.processInfo.processIdentifier)")
defer { try? FileManager.default.removeItem(at: folder) }

do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let groups: [(name: String, table: () throws -> String)] = [
        ("The source position of the next sound sample", walkTable),
        ("Curves at random places", placesTable),
        ("Building the table of a formula", buildingTable),
        ("Resampling", { try resamplingTable(in: folder.path) }),
        ("Blending", blendingTable),
        ("Indexing packets", { try indexingTable(in: folder.path) }),
    ]
    for (name, table) in groups {
        guard try wanted.map({ try $0.firstMatch(in: name) != nil }) ?? true else { continue }
        print("### \(name)\n\n\(try table())\n")
    }
} catch {
    FileHandle.standardError.write(Data("KernelBenchmarks: \(error)\n".utf8))
    try? FileManager.default.removeItem(at: folder)
    exit(1)
}
