import Foundation
import TimeMaps
import TimeWarp

/// A request to bring a keyframe to an instant of the output, such as a beat of music.
struct HitRequest: SentJSON, Sendable {
    /// What may be changed.
    enum Way: String, Decodable, CaseIterable, Sendable {
        /// The speeds before the keyframe: what it shows stays the same, and comes sooner or later.
        case speed
        /// The place of the keyframe.
        case place
    }

    /// What is rendered, along a curve of keyframes.
    let request: JobRequest
    /// The number of the keyframe, from 0.
    let keyframe: Int
    /// The number of an earlier keyframe that must stay where it is in the output.
    let kept: Int?
    /// The instant, in seconds of the output.
    let output: Double
    let way: Way

    private enum Key: String, CodingKey {
        case keyframe, kept, output, way
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        request = try JobRequest(from: decoder)
        keyframe = try container.decode(Int.self, forKey: .keyframe)
        kept = try container.decodeIfPresent(Int.self, forKey: .kept)
        output = try container.decode(Double.self, forKey: .output)
        way = try container.decode(Way.self, forKey: .way)
    }

    init(json: Data) throws {
        try self.init(sent: json, unknownKeys: .refused)
    }
}

/// The keyframes that have to change, and where the keyframe is then.
struct HitResponse: Codable, Sendable {
    struct Change: Codable, Sendable {
        let keyframe: Int
        /// On [0,1].
        var place: Double?
        var speed: Double?
    }
    let changes: [Change]
    /// In seconds of the output.
    let output: Double
}

extension HitRequest {
    /// Finds the change through the exact time map: a root of the keyframe's output time as a function of one number,
    /// to within a microsecond.
    ///
    /// - Throws: ``JobError`` if the curve has no keyframes, or no change within reason does it; what
    ///   `checkCancelled` throws.
    func response(
        for source: MediaSource, checkCancelled: () throws -> Void
    ) throws -> HitResponse {
        guard let curve = request.curve, case .keyframes(let keyframes) = curve.shape,
            keyframes.indices.contains(keyframe), output.isFinite, output >= 0
        else {
            throw JobError(message: "There is no such keyframe.", field: .curve)
        }
        let clip = try request.clip(of: source)
        let isOverOutput = curve.isOverOutput
        let length = isOverOutput ? clip.map.outputDuration : clip.range.duration.seconds
        let places = keyframes.map { $0.place(on: length) }
        // Keyframes that freeze or play backwards lie at output times, and move there.
        let isPlaced = way == .place || isOverOutput
        let changed =
            isPlaced ? [keyframe] : numbersBefore(keyframes, places, isFlipped: curve.isFlipped)
        let ends = try isPlaced ? room(places) : -3.0...3.0
        func edited(_ value: Double) -> [Keyframe] {
            var edited = keyframes
            for index in changed {
                if isPlaced {
                    edited[index].instant = .share(value)
                } else {
                    edited[index].speed = min(1000, max(1e-3, edited[index].speed * exp(value)))
                }
            }
            return edited
        }
        func miss(_ value: Double) throws -> Double {
            try checkCancelled()
            return try time(of: curve.with(edited(value)), source) - output
        }
        let value = try Self.root(in: ends, miss)
        let found = edited(value)
        return HitResponse(
            changes: changed.map { index in
                isPlaced
                    ? .init(keyframe: index, place: value)
                    : .init(keyframe: index, speed: found[index].speed)
            }, output: try time(of: curve.with(found), source))
    }

    /// The keyframes whose speeds are changed: those before it and after the one that is kept, or else itself.
    private func numbersBefore(
        _ keyframes: [Keyframe], _ places: [Double], isFlipped: Bool
    ) -> [Int] {
        let shown = places.map { isFlipped ? 1 - $0 : $0 }
        let first = kept.flatMap { shown.indices.contains($0) ? shown[$0] : nil } ?? -1
        let between = shown.indices.filter { shown[$0] > first && shown[$0] < shown[keyframe] }
        return between.isEmpty ? [keyframe] : between
    }

    /// The places to which the keyframe can move: up to its neighbours.
    private func room(_ places: [Double]) throws -> ClosedRange<Double> {
        let before = places.filter { $0 < places[keyframe] }.max()
        let after = places.filter { $0 > places[keyframe] }.min()
        let (low, high) = (before.map { $0 + Self.gap } ?? 0, after.map { $0 - Self.gap } ?? 1)
        guard low < high else {
            throw Self.unreachable
        }
        return low...high
    }

    /// The keyframe's time in the output of a curve.
    private func time(of curve: Curve, _ source: MediaSource) throws -> Double {
        guard case .keyframes(let keyframes) = curve.shape else {
            throw Self.unreachable
        }
        var request = request
        request.clip.retiming = request.clip.retiming.along(curve)
        let clip = try request.clip(of: source)
        guard !curve.isOverOutput else {
            return keyframes[keyframe].place(on: clip.map.outputDuration) * clip.map.outputDuration
        }
        let length = clip.range.duration.seconds
        let place = keyframes[keyframe].place(on: length)
        return clip.map.outputTime(of: (curve.isFlipped ? 1 - place : place) * length)
    }

    /// The least distance of two keyframes.
    private static let gap = 1e-6
    /// How near is near enough, in seconds.
    private static let tolerance = 1e-7

    private static let unreachable = JobError(
        message: "No change of the keyframes before it brings it there. Choose a nearer beat.",
        field: .curve)

    /// The number at which a continuous function is 0: regula falsi (Illinois), which keeps the root between two
    /// numbers.
    private static func root(
        in range: ClosedRange<Double>, _ function: (Double) throws -> Double
    ) throws -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        var (atLow, atHigh) = (try function(low), try function(high))
        guard atLow * atHigh <= 0 else {
            throw unreachable
        }
        var lastSide = 0
        for _ in 0..<100 {
            let middle = atLow == atHigh ? low : (low * atHigh - high * atLow) / (atHigh - atLow)
            let value = try function(middle)
            guard abs(value) > tolerance else {
                return middle
            }
            if value * atHigh > 0 {
                (high, atHigh) = (middle, value)
                if lastSide == 1 { atLow /= 2 }
                lastSide = 1
            } else {
                (low, atLow) = (middle, value)
                if lastSide == -1 { atHigh /= 2 }
                lastSide = -1
            }
        }
        throw unreachable
    }
}

extension Curve {
    /// The curve with other keyframes.
    fileprivate func with(_ keyframes: [Keyframe]) -> Curve {
        Curve(.keyframes(keyframes), isFlipped: isFlipped)
    }
}

extension Retiming {
    /// The retiming with another curve.
    fileprivate func along(_ curve: Curve) -> Retiming {
        guard case .thereAndBack(_, let turn) = self else {
            return .curve(curve)
        }
        return .thereAndBack(.curve(curve), turningAt: turn)
    }
}

extension Keyframe {
    /// The place on [0,1] of an axis of that many seconds.
    fileprivate func place(on length: Double) -> Double {
        switch instant {
        case .share(let share): share
        case .seconds(let time): time.seconds / length
        }
    }
}
