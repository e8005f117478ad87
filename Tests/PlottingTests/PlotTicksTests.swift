import Testing

@testable import Plotting

@Suite("Plot ticks")
struct PlotTicksTests {
    @Test(
        "steps are 1, 2 or 5 times a power of ten, and no smaller than asked",
        arguments: [
            (0.3, 5.0, -1), (1.0, 1.0, 0), (1.01, 2.0, 0), (7.0, 1.0, 1), (0.000_2, 2.0, -4),
            (0.1 + 0.2, 5.0, -1), (45_000.0, 5.0, 4),
        ])
    func niceSteps(step: Double, mantissa: Double, exponent: Int) {
        let nice = PlotTicks.niceStep(step)
        #expect(nice.mantissa == mantissa)
        #expect(nice.exponent == exponent)
    }

    @Test("ticks are exact, inside, and share their decimals")
    func linear() {
        let ticks = PlotTicks.linear(from: -0.05, to: 0.72, count: 8).ticks
        #expect(ticks.map(\.value) == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
        #expect(ticks.map(\.label) == ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"])
    }

    @Test("a tiny range far from zero has labels that differ")
    func tinyRange() {
        let labels = PlotTicks.linear(from: 1, to: 1.000_003, count: 6).ticks.map(\.label)
        #expect(labels.count >= 3)
        #expect(Set(labels).count == labels.count)
    }

    @Test("about as many ticks as there is room for, over any range")
    func counts() {
        for exponent in -12...12 {
            for mantissa in stride(from: 1.0, to: 10, by: 0.37) {
                var top = mantissa
                for _ in 0..<abs(exponent) { top *= exponent > 0 ? 10 : 0.1 }
                let count = PlotTicks.linear(from: 0, to: top, count: 7).ticks.count
                #expect((3...8).contains(count), "0 to \(top)")
            }
        }
    }

    @Test("long clips have ticks of a clock")
    func clock() {
        let minutes = PlotTicks.seconds(from: 0, to: 200, count: 6).ticks
        #expect(minutes.map(\.label) == ["0:00", "1:00", "2:00", "3:00"])
        let hours = PlotTicks.seconds(from: 0, to: 7200, count: 5).ticks
        #expect(hours.map(\.label) == ["0:00", "30:00", "1:00:00", "1:30:00", "2:00:00"])
        let short = PlotTicks.seconds(from: 0, to: 10, count: 5).ticks
        #expect(short.map(\.label) == ["0", "2", "4", "6", "8", "10"])
        let days = PlotTicks.seconds(from: 0, to: 1e9, count: 5).ticks
        #expect((2...6).contains(days.count))
    }

    @Test("a logarithmic axis has powers of ten, and more where there is room")
    func logarithmic() {
        let wide = PlotTicks.logarithmic(from: 0.008, to: 120, count: 6).ticks
        #expect(wide.map(\.label) == ["0.01", "0.1", "1", "10", "100"])
        let narrow = PlotTicks.logarithmic(from: 0.9, to: 110, count: 9).ticks
        #expect(narrow.map(\.label) == ["1", "2", "5", "10", "20", "50", "100"])
    }

    @Test("normal speed is on every axis")
    func normalSpeedIsShown() {
        let ranges: [(Double, Double)] = [
            (1, 1.5), (1, 1), (0.25, 0.5), (2, 2), (0, 2), (-0.2, 3), (0.01, 100),
        ]
        for (low, high) in ranges {
            let axis = PlotScale.timeScale(minimum: low, maximum: high)
            #expect(axis.lower <= min(low, 1) && axis.upper >= max(high, 1), "\(low)...\(high)")
        }
    }

    @Test("an axis is logarithmic for a huge range, but not for one that touches zero")
    func logarithmicRange() {
        #expect(PlotScale.timeScale(minimum: 0.01, maximum: 100).kind == .logarithmic)
        #expect(PlotScale.timeScale(minimum: 1e-17, maximum: 2).kind == .linear)
        #expect(PlotScale.timeScale(minimum: 0.5, maximum: 4).kind == .linear)
    }

    @Test("positions run from one end of the axis to the other")
    func positions() {
        let linear = PlotScale(from: 1, to: 3, start: 200, end: 100)
        #expect(linear.position(of: 1) == 200)
        #expect(linear.position(of: 2) == 150)
        #expect(linear.position(of: 3) == 100)
        let logarithmic = PlotScale(.logarithmic, from: 0.1, to: 10, start: 0, end: 100)
        // One rounding in each of three logarithms.
        #expect(abs(logarithmic.position(of: 1) - 50) < 1e-9)
    }
}

@Suite("Plot words")
struct PlotTextTests {
    @Test(
        "numbers are short, and longer close to 1",
        arguments: [
            (1.5, "1.5"), (2.0 / 3, "0.6667"), (1.000_277_8, "1.00028"), (100, "100"),
            (12_345.6, "12346"), (-0.25, "−0.25"), (0, "0"), (1.23e-7, "1.23e−7"), (4e8, "4e8"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) {
        #expect(PlotText.number(value) == text)
    }

    @Test(
        "durations are seconds up to two minutes, then a clock",
        arguments: [
            (12.5, "12.5 s"), (0.0416, "0.0416 s"), (125.5, "2:05.5"), (3601, "1:00:01"),
            (3599.9999, "1:00:00"), (7384.25, "2:03:04.25"),
        ] as [(Double, String)])
    func durations(seconds: Double, text: String) {
        #expect(PlotText.duration(seconds) == text)
    }

    @Test("a title is one line of printable characters")
    func oneLine() {
        #expect(PlotText.oneLine("a\u{0}b\n\tc\u{1b}[0m  d") == "a b c [0m d")
        #expect(PlotText.oneLine("naïve 時間 👩‍👩‍👧") == "naïve 時間 👩‍👩‍👧")
        #expect(PlotText.oneLine("\u{ffff}\u{0}") == "")
    }

    @Test("a text that is too long ends in an ellipsis and fits")
    func ellipsis() {
        let width: (String) -> Double = { Double($0.count) }
        #expect(PlotText.ellipsised("four", to: 4, measuredBy: width) == "four")
        #expect(PlotText.ellipsised("five!", to: 4, measuredBy: width) == "fiv…")
        #expect(PlotText.ellipsised("to be or", to: 7, measuredBy: width) == "to be…")
        let novel = String(repeating: "x", count: 1_000_000)
        #expect(PlotText.ellipsised(novel, to: 10, measuredBy: width).count == 10)
    }
}
