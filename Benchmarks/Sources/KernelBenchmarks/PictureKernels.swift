import Figures
import Foundation
import TimeWarp

/// Two frames blended with the weights that slow motion and shutters need.
func blendingTable() throws -> String {
    var table = MarkdownTable(["1920x1080", "weights", "ms a frame", "megapixels a second"])
    let mixer = FrameMixer()
    for name in ["yuv420p", "yuv420p10le"] {
        guard let format = PixelFormat(named: name) else { continue }
        let frames = try (0..<2).map { try painted(format, seed: $0) }
        for weight in [0.5, 0.3] {
            let parts = [(frame: frames[0], weight: 1 - weight), (frames[1], weight)]
            let time = try nanoseconds("blending") {
                keep(Double(try mixer.mix(parts).width))
            }
            table.add([
                name, "\(plain(1 - weight)) and \(plain(weight))", figure(time / 1e6),
                figure(1920 * 1080 / time * 1000),
            ])
        }
    }
    return table.text
}

private func painted(_ format: PixelFormat, seed: Int) throws -> Frame {
    try Frame.painted(format: format, width: 1920, height: 1080) { bytes, _, _ in
        for index in bytes.indices {
            // The high byte of a 10-bit sample holds two bits.
            let isHigh = format.bitDepth > 8 && index % 2 == 1
            let value = (index &* 31 &+ index / 977 &+ seed &* 101) & 0xff
            bytes[index] = UInt8(isHigh ? value & 3 : value)
        }
    }
}

/// Finds when each frame is shown and where decoding can begin, from the packets of a file.
func indexingTable(in folder: String) throws -> String {
    let path = folder + "/sample.mp4"
    let scene = try SampleScene(
        width: 320, height: 240, frameRate: (numerator: 30, denominator: 1), frameCount: 1800)
    try SampleClip.write(scene, to: path, existing: .refuse)
    let asset = try Asset(at: path)
    var table = MarkdownTable(["frames", "ms", "ns a frame"])
    for stream in asset.videoStreams {
        let count = try PacketIndex(of: asset, stream: stream).times.count
        let time = try nanoseconds("indexing") {
            keep(Double(try PacketIndex(of: asset, stream: stream).groups.count))
        }
        table.add(["\(count)", figure(time / 1e6), figure(time / Double(count))])
    }
    return table.text
}
