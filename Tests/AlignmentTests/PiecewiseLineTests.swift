import Foundation
import TestSupport
import Testing
import TimeMaps

@testable import Alignment

@Suite("A line of as few pieces as the places ask for")
struct PiecewiseLineTests {
    private func pairs(
        _ count: Int, seed: UInt64, noise: Double, lag: (Double) -> Double
    ) -> [TimePair] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let time = 2 * Double(index)
            return TimePair(time: time, lag: lag(time) + noise * Double(generator.bell()))
        }
    }

    @Test("noise alone never breaks a line")
    func noiseAlone() throws {
        for seed in UInt64(1)...20 {
            let places = pairs(100, seed: seed, noise: 40e-6) { 1 + 120e-6 * $0 }
            let line = try #require(PiecewiseLine(places, noise: 10e-6, mostPieces: 16))
            #expect(line.knots.count == 2, "seed \(seed)")
            // Five standard errors of a slope through 100 points 2 s apart.
            #expect(abs(line.overallSlope - 120e-6) < 3.5e-6, "seed \(seed)")
        }
    }

    @Test("a break is found to a part of the spacing")
    func breaks() throws {
        for seed in UInt64(1)...20 {
            let places = pairs(120, seed: seed, noise: 10e-6) {
                $0 < 101.3 ? 145e-6 * $0 : 145e-6 * 101.3 - 80e-6 * ($0 - 101.3)
            }
            let line = try #require(PiecewiseLine(places, noise: 10e-6, mostPieces: 16))
            try #require(line.knots.count == 3, "seed \(seed)")
            // Each line is known to about 3 µs there, and the lines diverge by 225 µs a second.
            #expect(abs(line.knots[1].time - 101.3) < 0.15, "seed \(seed)")
        }
    }

    @Test("four places between two jumps are no outliers")
    func shortPiece() throws {
        for jump in [0.25, -0.25] {
            let places = pairs(60, seed: 5, noise: 10e-6) { (60..<68).contains($0) ? jump : 0 }
            let line = try #require(PiecewiseLine(places, noise: 10e-6, mostPieces: 16))
            #expect(abs(line.lag(at: 63) - jump) < 1e-3)
            #expect(abs(line.lag(at: 30)) < 1e-3)
        }
    }

    @Test("outliers are left out, even a third of all")
    func outliers() throws {
        for seed in UInt64(1)...20 {
            var generator = SplitMix64(seed: seed + 100)
            var places = pairs(90, seed: seed, noise: 10e-6) { 3 - 50e-6 * $0 }
            for index in places.indices where generator.unit() < 0.3 {
                let stray = Double(generator.unit()) - 0.5
                places[index] = TimePair(time: places[index].time, lag: 3 + stray)
            }
            let line = try #require(PiecewiseLine(places, noise: 10e-6, mostPieces: 16))
            #expect(line.knots.count == 2, "seed \(seed)")
            #expect(abs(line.lag(at: 90) - (3 - 50e-6 * 90)) < 20e-6, "seed \(seed)")
        }
    }

    @Test("never more pieces than allowed")
    func mostPieces() throws {
        let places = pairs(200, seed: 4, noise: 1e-6) { 0.01 * sin($0 / 9) }
        let line = try #require(PiecewiseLine(places, noise: 10e-6, mostPieces: 5))
        #expect(line.knots.count <= 6)
        #expect(zip(line.knots, line.knots.dropFirst()).allSatisfy { $0.time < $1.time })
    }
}
