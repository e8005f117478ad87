import Foundation
import TimeMaps
import TimeWarp

/// What a record held before it held a job. Workspaces of that time are still opened.
struct EarlierRequest: Decodable {
    private enum Task: String, Decodable {
        case warp, scale, stretch, reverse
    }

    private struct Scale: Decodable {
        let factor: Double?
        let speed: Double?
        let duration: String?
    }

    private struct Stretching: Decodable {
        let duration: String?
        let by: String?
        let anchors: [[Double]]?
        let reference: String?
    }

    private struct Part: Decodable {
        let start: String?
        let end: String?

        /// The part as a job has it.
        var list: [String] { [start ?? "0", end].compactMap { $0 } }
    }

    private struct Video: Decodable {
        let rate: String?
        let frames: String?
        let codec: String?
        let quality: Double?
        let preset: String?
    }

    private struct Sound: Decodable {
        let mode: String?
        let tune: String?
        let codec: String?
        let bitRate: Int?
    }

    private let media: String
    private let task: Task
    private let curve: Curve?
    private let fit: String?
    private let scale: Scale?
    private let stretch: Stretching?
    private let range: Part?
    private let boomerang: Bool?
    private let sample: Part?
    private let video: Video?
    private let sound: Sound?
    private let container: String?

    /// The frame rate of the output, as it was written.
    var rate: String? { video?.rate }

    /// The clip that the sound was compared with.
    var reference: String? { stretch?.reference }

    /// The same as a job.
    var job: JobFile {
        get throws {
            let isSound = task == .stretch
            let track: [String: Any?] = [
                "carries": isSound ? "sound" : nil, "segments": [present(try segment)],
            ]
            let job: [String: Any?] = [
                "timewarp": "job/1",
                "timeline": ["format": "source", "tracks": [present(track)]] as [String: Any],
                "output": present([
                    "path": "result.\(container ?? "mp4")", "range": sample?.list,
                ]),
                "video": present([
                    "rate": video?.rate, "frames": video?.frames, "codec": video?.codec,
                    "quality": video?.quality, "preset": video?.preset,
                ]),
                "audio": present([
                    "mode": sound?.mode, "tune": sound?.tune, "codec": sound?.codec,
                    "bitRate": sound?.bitRate,
                ]),
            ]
            let data = try JSONSerialization.data(withJSONObject: present(job))
            return try JSONDecoder().decode(JobFile.self, from: data)
        }
    }

    private var segment: [String: Any?] {
        get throws {
            let isStretch = task == .stretch
            let duration = isStretch ? stretch?.duration : task == .warp ? fit : scale?.duration
            let turns = boomerang == true && !isStretch
            return [
                "media": media,
                "range": isStretch ? nil : range?.list,
                "warp": task == .warp ? try warp : nil,
                "play": task == .reverse ? "reversed" : nil,
                turns ? "oneWay" : "duration": task == .reverse ? nil : duration,
                "scale": task == .scale && scale?.duration == nil ? scale?.factor : nil,
                "speed": task == .scale && scale?.duration == nil && scale?.factor == nil
                    ? scale?.speed : nil,
                "longerBy": isStretch && duration == nil ? stretch?.by : nil,
                "anchors": isStretch
                    ? stretch?.anchors?.filter { $0.count == 2 }.map {
                        ["source": $0[0], "output": $0[1]]
                    } : nil,
                "thereAndBack": turns ? true : nil,
            ]
        }
    }

    private var warp: Any {
        get throws {
            let standard = Curve.builtIn(
                .defaultCurve, factor: BuiltInCurve.defaultFactor,
                modifier: BuiltInCurve.defaultModifier)
            return try JSONSerialization.jsonObject(with: (curve ?? standard).json())
        }
    }

    private func present(_ members: [String: Any?]) -> [String: Any] {
        members.compactMapValues { $0 }
    }
}
