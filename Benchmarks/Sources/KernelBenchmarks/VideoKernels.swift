import Figures
import MediaKernels

/// Two frames blended with the weights that slow motion and shutters need.
func blendingTable() throws -> String {
    var table = MarkdownTable(["1920x1080", "weights", "ms a frame", "megapixels a second"])
    for name in ["yuv420p", "yuv420p10le"] {
        guard let kernel = try BlendingKernel(pixelFormat: name) else { continue }
        for weight in [0.5, 0.3] {
            let time = try nanoseconds("blending") { keep(Double(try kernel.blend(weight))) }
            table.add([
                name, "\(plain(1 - weight)) and \(plain(weight))", figure(time / 1e6),
                figure(1920 * 1080 / time * 1000),
            ])
        }
    }
    return table.text
}

/// Finds when each frame is shown and where decoding can begin, from the packets of a file.
func indexingTable(in folder: String) throws -> String {
    var table = MarkdownTable(["frames", "ms", "ns a frame"])
    let kernel = try IndexingKernel(in: folder)
    let time = try nanoseconds("indexing") { keep(Double(try kernel.index())) }
    table.add([
        "\(kernel.frameCount)", figure(time / 1e6), figure(time / Double(kernel.frameCount)),
    ])
    return table.text
}
