import Dispatch
import Figures
import Foundation
import TimeWarp

private let rate = 48_000
private let outputSeconds = 60

/// The resampler as users of the library reach it: a stereo WAV file is read, resampled and written, a
/// minute of output each time. At unit speed samples are copied, so that row shows what reading and
/// writing cost.
func resamplingTable(in folder: String) throws -> String {
    var table = MarkdownTable([
        "between samples", "speed", "million samples a second", "times real time",
    ])
    let speeds: [(Int64, Int64)] = [(1, 1), (1, 2), (1001, 1000), (2, 1), (8, 1)]
    for (numerator, denominator) in speeds {
        let speed = Double(numerator) / Double(denominator)
        let input = folder + "/in.wav"
        try writeNoise(seconds: Double(outputSeconds) * speed, to: input)
        let asset = try Asset(at: input)
        let clip = try Clip(of: MediaSource(asset), scaled: .factor(denominator, over: numerator))
        for interpolation in Interpolation.allCases {
            let settings = RenderSettings {
                $0.audio.interpolation = interpolation
                $0.output.existing = .overwrite
            }
            let plan = try RenderPlan(clip, to: folder + "/out.wav", settings: settings)
            let time = try nanoseconds("resampling") { try render(plan) }
            // Both channels count.
            let samples = Double(2 * rate * outputSeconds)
            table.add([
                interpolation.rawValue, plain(speed), figure(samples / time * 1000),
                figure(Double(outputSeconds) / time * 1e9),
            ])
        }
    }
    return table.text
}

/// Renders a plan and blocks this thread until it is done.
private func render(_ plan: RenderPlan) throws {
    let outcome = Outcome()
    Task {
        do {
            try await Renderer().render(plan)
        } catch {
            outcome.error = error
        }
        outcome.done.signal()
    }
    outcome.done.wait()
    if let error = outcome.error { throw error }
}

/// Written before the signal and read after it.
private final class Outcome: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    var error: (any Error)?
}

/// A stereo WAV file of 16-bit noise.
private func writeNoise(seconds: Double, to path: String) throws {
    let count = Int((seconds * Double(rate)).rounded())
    // The same second again and again: it makes no difference to the reader or the resampler.
    let second = places(2 * rate).map { UInt16(bitPattern: Int16(($0 - 0.5) * 20_000)) }
    var bytes = Data()
    func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
    func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    put("RIFF")
    put(UInt32(36 + 4 * count))
    put("WAVEfmt ")
    put(UInt32(16))
    put(UInt16(1))  // integers
    put(UInt16(2))  // channels
    put(UInt32(rate))
    put(UInt32(4 * rate))
    put(UInt16(4))
    put(UInt16(16))
    put("data")
    put(UInt32(4 * count))
    let block = second.withUnsafeBytes { Data($0) }
    var missing = 4 * count
    while missing > 0 {
        bytes.append(block.prefix(missing))
        missing -= min(missing, block.count)
    }
    try bytes.write(to: URL(fileURLWithPath: path))
}
