import Testing

@testable import TimeMaps

@Suite("Exact time")
struct RationalTimeTests {
    @Test("equal instants are equal, and hash alike, whatever their ticks")
    func equality() {
        #expect(RationalTime(1, over: 2) == RationalTime(2, over: 4))
        #expect(Set([RationalTime(1, over: 2), RationalTime(24_000, over: 48_000)]).count == 1)
        #expect(RationalTime(.max, over: 7) != RationalTime(.max, over: 8))
        #expect(RationalTime(1001, over: 30_000) > RationalTime(1, over: 30))
    }

    @Test("sums are exact or refused, never wrapped")
    func sums() throws {
        let third = RationalTime(1, over: 3)
        #expect(try third + third + third == RationalTime(1, over: 1))
        #expect(
            try RationalTime(1, over: 30) - RationalTime(1, over: 25) == RationalTime(-1, over: 150)
        )
        #expect(throws: TimeError.self) {
            try RationalTime(.max, over: 1) + RationalTime(1, over: 1)
        }
        #expect(throws: TimeError.self) {
            try RationalTime(1, over: 2_147_483_647) + RationalTime(1, over: 2_147_483_629)
        }
        #expect(throws: TimeError.self) { try RationalTime.zero - RationalTime(.min, over: 1) }
    }

    @Test("conversion rounds as it is told")
    func conversion() throws {
        let time = RationalTime(5, over: 2)
        #expect(try time.converted(to: 1, rounding: .down).value == 2)
        #expect(try time.converted(to: 1, rounding: .up).value == 3)
        #expect(try time.converted(to: 1, rounding: .nearest).value == 3)
        let negative = RationalTime(-5, over: 2)
        #expect(try negative.converted(to: 1, rounding: .down).value == -3)
        #expect(try negative.converted(to: 1, rounding: .up).value == -2)
        #expect(try negative.converted(to: 1, rounding: .nearest).value == -3)
        #expect(throws: TimeError.self) {
            try RationalTime(.max, over: 1).converted(to: 48_000, rounding: .down)
        }
        #expect(throws: TimeError.self) { try RationalTime(seconds: .nan, timescale: 1) }
        #expect(throws: TimeError.self) { try RationalTime(seconds: 1e300, timescale: 1) }
    }

    @Test("multiplying by a fraction is exact where it fits")
    func multiplication() throws {
        let time = RationalTime(7617, over: 600)
        #expect(try time.multiplied(by: 3, over: 10) == RationalTime(22_851, over: 6000))
        let fine = try RationalTime(1, over: 2_147_483_647).multiplied(by: 1_000_003, over: 7)
        #expect(abs(fine.seconds - 1_000_003.0 / 7 / 2_147_483_647) < 1e-9)
        #expect(throws: TimeError.self) { try time.multiplied(by: 1, over: 0) }
        #expect(throws: TimeError.self) {
            try RationalTime(.max, over: 1).multiplied(by: 2, over: 1)
        }
    }

    @Test(
        "durations are read exactly",
        arguments: [
            ("90", 90, 1), ("90s", 90, 1), ("1:30", 90, 1), ("00:01:30.250", 90_250, 1000),
            ("1500ms", 3, 2), ("2700/25", 108, 1), ("0.1", 1, 10), ("12:00:00", 43_200, 1),
            ("33.333333333s", 33_333_333_333, 1_000_000_000),
        ] as [(String, Int64, Int32)])
    func durations(text: String, value: Int64, timescale: Int32) throws {
        #expect(try RationalTime(parsing: text) == RationalTime(value, over: timescale))
    }

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "s", "-1", "1:2:3:4", "1:75", "1/0", "abc", "1.", "1e5", "９", "1:-2", "1//2",
        ])
    func malformed(text: String) {
        #expect(throws: TimeError.self) { try RationalTime(parsing: text) }
    }

    @Test("a signed duration keeps its sign")
    func signed() throws {
        #expect(try RationalTime(parsingSigned: "+1s") == RationalTime(1, over: 1))
        #expect(try RationalTime(parsingSigned: "-250ms") == RationalTime(-1, over: 4))
    }

    @Test("durations of clocks come and go")
    func durations() throws {
        #expect(try RationalTime(.milliseconds(1500)) == RationalTime(3, over: 2))
        #expect(try RationalTime(.nanoseconds(-1)) == RationalTime(-1, over: 1_000_000_000))
        #expect(
            Duration(RationalTime(1, over: 3)).components.attoseconds == 333_333_333_333_333_333)
        #expect(Duration(RationalTime(-7, over: 2)) == .milliseconds(-3500))
        #expect(Duration(RationalTime(.max, over: 1)).components.seconds == .max)
        #expect(throws: TimeError.self) { try RationalTime(.seconds(Int64.max) + .nanoseconds(1)) }
        let error: any Error = TimeError.malformed("no time")
        #expect(error.localizedDescription == "no time")
    }

    @Test("ranges are half-open and can't run backwards")
    func ranges() throws {
        let range = try TimeRange(start: RationalTime(1, over: 1), end: RationalTime(3, over: 1))
        #expect(range.contains(RationalTime(1, over: 1)))
        #expect(!range.contains(RationalTime(3, over: 1)))
        let other = try TimeRange(
            start: RationalTime(2, over: 1), duration: RationalTime(5, over: 1))
        #expect(range.intersection(other)?.duration == RationalTime(1, over: 1))
        let far = try TimeRange(start: RationalTime(3, over: 1), duration: RationalTime(5, over: 1))
        #expect(range.intersection(far) == nil)
        #expect(throws: TimeError.self) {
            try TimeRange(start: RationalTime(1, over: 1), end: .zero)
        }
    }
}
