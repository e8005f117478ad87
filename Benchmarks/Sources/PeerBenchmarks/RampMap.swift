import Foundation

/// The default curve as `timewarp plot` writes it: which source time is shown at every output time.
struct RampMap {
    private struct Plot: Decodable {
        struct Sample: Decodable {
            let u: Double
            let integral: Double
        }
        let samples: [Sample]
        let sourceDurationSeconds: Double
        let outputDurationSeconds: Double
    }

    private let plot: Plot

    init(seconds: Double, workshop: Workshop) throws {
        let path = workshop.path("ramp.json")
        _ = try workshop.ask([
            workshop.timewarp, "plot", "--duration", "\(seconds)", "-o", path, "--overwrite",
        ])
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        plot = try JSONDecoder().decode(Plot.self, from: data)
    }

    /// The source time in seconds, interpolated linearly between the curve's samples.
    private func sourceTime(at y: Double) -> Double {
        let wanted = y / plot.sourceDurationSeconds
        guard let after = plot.samples.firstIndex(where: { $0.integral >= wanted }) else {
            return plot.sourceDurationSeconds
        }
        let (a, b) = (plot.samples[max(0, after - 1)], plot.samples[after])
        let rise = b.integral - a.integral
        let share = rise > 0 ? (wanted - a.integral) / rise : 0
        return (a.u + (b.u - a.u) * share) * plot.sourceDurationSeconds
    }

    /// MLT's XML: a chain with a `timeremap` link, whose map gives source seconds at output frames.
    func mltDocument(clip: String, points: Int) -> String {
        let frames = Int((plot.outputDurationSeconds * 30).rounded())
        let places = Set((0...points).map { $0 * frames / points }).sorted()
        let map = places.map { String(format: "%d=%.6f", $0, sourceTime(at: Double($0) / 30)) }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <mlt LC_NUMERIC="C">
              <profile width="1920" height="1080" progressive="1" sample_aspect_num="1"
                sample_aspect_den="1" display_aspect_num="16" display_aspect_den="9"
                frame_rate_num="30" frame_rate_den="1" colorspace="709"/>
              <chain id="ramp" out="\(frames - 1)">
                <property name="resource">\(clip)</property>
                <property name="mlt_service">avformat</property>
                <property name="length">\(frames)</property>
                <link mlt_service="timeremap">
                  <property name="map">\(map.joined(separator: ";"))</property>
                  <property name="image_mode">nearest</property>
                </link>
              </chain>
            </mlt>

            """
    }
}
