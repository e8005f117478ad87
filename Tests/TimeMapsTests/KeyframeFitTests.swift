import Foundation
import Testing

@testable import TimeMaps

@Suite("Keyframes that follow a curve")
struct KeyframeFitTests {
    private func keyframes(
        _ speeds: [(place: Double, speed: Double)], isOverOutput: Bool = false
    ) -> [Keyframe] {
        KeyframeFit.keyframes(through: speeds, isOverOutput: isOverOutput)
    }

    /// The keyframes of a speed that is a function on [0,1].
    private func keyframes(
        isOverOutput: Bool = false, of speed: (Double) -> Double
    ) -> [Keyframe] {
        let places = (0...500).map { Double($0) / 500 }
        return keyframes(places.map { ($0, speed($0)) }, isOverOutput: isOverOutput)
    }

    @Test("a constant speed is two keyframes, and so is one that is known at a place or nowhere")
    func constant() {
        let two = [0, 1].map { Keyframe(.share($0), speed: 2) }
        #expect(keyframes { _ in 2 } == two)
        #expect(keyframes([(0.5, 2)]) == two)
        #expect(keyframes([(0, 2), (0.5, .infinity), (1, .nan)]) == two)
        #expect(keyframes([]) == [0, 1].map { Keyframe(.share($0), speed: 1) })
    }

    @Test("a valley with a floor has a keyframe at each corner")
    func valley() {
        let found = keyframes { place in
            1 - 0.75 * smoothstep(min(max(0.5 - abs(place - 0.5), 0.2), 0.4) * 5 - 1)
        }
        let wanted: [(Double, Double, Easing)] = [
            (0, 1, .linear), (0.2, 1, .smooth), (0.4, 0.25, .linear), (0.6, 0.25, .smooth),
            (0.8, 1, .linear), (1, 1, .smooth),
        ]
        #expect(found == wanted.map { Keyframe(.share($0), speed: $1, easing: $2) })
    }

    private static let pieces: [(BuiltInCurve, Int)] = [
        (.doubleSmoothstep, 5), (.triangle, 4), (.constant, 1), (.ramp, 1), (.smoothstep, 1),
        (.power, 1), (.cosine, 6), (.taperedCosine, 7), (.sine, 7), (.taperedSine, 7),
    ]

    @Test(
        "every built-in curve keeps its length with one easing a piece", arguments: pieces,
        [1.5, 0.5])
    func builtIn(_ curve: (name: BuiltInCurve, pieces: Int), factor: Double) throws {
        let length = RationalTime.seconds(10)
        let scale = try Curve.builtIn(curve.name, factor: factor, modifier: 0.5).timeScale(
            duration: length)
        let jumps = scale.breakpoints.flatMap { [$0.nextDown, $0, $0.nextUp] }
        let places = Set((0...2048).map { Double($0) / 2048 } + jumps).filter((0...1).contains)
        let found = keyframes(places.sorted().map { ($0, 1 / scale.value(at: $0)) })
        #expect(found.count == curve.pieces + 1)
        // No number is nearly a rounder one.
        for keyframe in found {
            if case .bezier(_, let y1, _, let y2) = keyframe.easing {
                #expect(
                    [y1, y2].allSatisfy { abs($0 - $0.rounded()) > 1e-3 || $0 == $0.rounded() })
            }
        }
        let lengths = try [
            Curve.builtIn(curve.name, factor: factor, modifier: 0.5), .keyframes(found),
        ]
        .map { try TimeMap(warping: length, along: $0).outputDuration }
        #expect(abs(lengths[1] / lengths[0] - 1) < 1e-5)
    }

    @Test("a jump is a hold after a rest, and else a steep line")
    func jumps() {
        let rested = keyframes([
            (0, 1), (0.1, 1), (0.2, 1), (0.3, 1), (0.3, 3), (0.5, 3), (0.7, 3), (1, 3),
        ])
        #expect(
            rested == [
                Keyframe(.share(0), speed: 1, easing: .hold),
                Keyframe(.share(0.3), speed: 3, easing: .linear), Keyframe(.share(1), speed: 3),
            ])
        var rising: [(place: Double, speed: Double)] = []
        for step in 0...100 {
            rising.append((0.005 * Double(step), 1 + 0.02 * Double(step)))
        }
        for step in 0...100 {
            rising.append((0.5 + 0.005 * Double(step), 5))
        }
        let found = keyframes(rising)
        let places: [Keyframe.Instant] = [0, 0.499, 0.5, 1].map { .share($0) }
        #expect(found.map(\.instant) == places)
        #expect(found.map(\.speed) == [1, 3, 5, 5])
    }

    @Test(
        "speeds that drift before or after a jump are followed on both sides of it",
        arguments: [0, 2.8e-14])
    func drift(gap: Double) {
        func jump(_ speed: (Double) -> Double, to other: (Double) -> Double) -> [Keyframe] {
            let first = (0...500).map { Double($0) / 1000 * (1 - 2 * gap) }.map { ($0, speed($0)) }
            let second = (0...500).map { 0.5 + gap + Double($0) / 1001 }.map { ($0, other($0)) }
            return keyframes(first + second + [(1, other(1))])
        }
        let before = jump({ 1 - 0.001 * $0 }, to: { _ in 2 })
        #expect(before.map(\.speed).allSatisfy { abs($0 - 1) < 0.01 || $0 == 2 })
        let after = jump({ _ in 2 }, to: { 1 + 0.001 * $0 })
        #expect(after.map(\.speed).allSatisfy { abs($0 - 1) < 0.01 || $0 == 2 })
        for found in [before, after] {
            let places = found.compactMap {
                if case .share(let share) = $0.instant { share } else { nil }
            }
            #expect(places.count == found.count && zip(places, places.dropFirst()).allSatisfy(<))
        }
    }

    @Test("two jumps close to each other don't put keyframes out of order")
    func closeJumps() {
        let found = keyframes([
            (0, 1), (0.1, 1.1), (0.2, 1.2), (0.3, 1.3), (0.3, 3), (0.3005, 3.1), (0.3005, 6),
            (0.5, 5), (1, 4),
        ])
        let places = found.compactMap {
            if case .share(let share) = $0.instant { share } else { nil }
        }
        #expect(zip(places, places.dropFirst()).allSatisfy(<))
        #expect(found.allSatisfy { $0.speed.isFinite })
    }

    @Test("smooth curves have no kinks")
    func smooth() throws {
        for keyframe in keyframes(of: { 2 + sin(4 * .pi * $0) }).dropFirst().dropLast(2) {
            guard case .bezier(_, let y1, _, let y2) = keyframe.easing else {
                Issue.record("\(keyframe.easing) isn't a Bézier curve")
                continue
            }
            #expect([y1, y2] == [0, 1])
        }
    }

    @Test("many waves are thinned")
    func thinned() {
        let found = keyframes { 1.5 + sin(60 * .pi * $0) }
        #expect((3...24).contains(found.count))
        #expect([found[0].instant, found[found.count - 1].instant] == [.share(0), .share(1)])
    }

    @Test("speeds below 0 are followed over the output, with their way")
    func backwards() throws {
        let found = keyframes(isOverOutput: true) { 1 - 2 * $0 * $0 }
        let map = try TimeMap(
            warping: .seconds(10), along: .keyframes(found))
        #expect(found.map(\.speed) == [1, -1])
        // The integral of the speed over the output is 1/3 of its length.
        let travelled = map.sourceTime(at: map.outputDuration) - map.sourceTime(at: 0)
        #expect(abs(abs(travelled) / map.outputDuration - 1.0 / 3) < 1e-3)
    }
}
