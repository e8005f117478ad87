import Media
import Testing
import TimeMaps

@testable import Verification

@Suite("What frames an output should have")
struct FrameTimetableTests {
    @Test("a sample's seconds lie evenly, and the last of them ends with the last frame")
    func sampledSeconds() {
        let starts = (0...100).map { RationalTime(Int64($0), over: 10) }
        let table = FrameTimetable(
            FrameTimes(starts: starts, end: RationalTime(101, over: 10)),
            starts: starts.map(\.seconds), end: .infinity)
        for (start, seconds) in [(0.0, [0.0, 4.5, 9]), (2, [2, 5.5, 9])] {
            let found = table.sampled(3, from: start).map(\.seconds)
            let expected = starts.map(\.seconds).filter { time in
                seconds.contains { $0 <= time && time < $0 + 1 }
            }
            #expect(found.filter { $0 >= start && $0 < 10 } == expected)
        }
        #expect(table.sampled(nil, from: 0).count == 101)
    }
}
