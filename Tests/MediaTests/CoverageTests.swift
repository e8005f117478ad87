import Testing

@testable import Media

@Suite("Where a stream has something")
struct CoverageTests {
    private func gap(_ times: [Double]) -> ClosedRange<Double>? {
        var coverage = Coverage()
        for time in times {
            coverage.add(time)
        }
        return coverage.longestGap.map { $0.startSeconds...$0.endSeconds }
    }

    @Test("the longest hole is told, in whatever order times come")
    func order() throws {
        let orders: [[Double]] = [
            [0, 1, 2, 1000, 1001, 5000], [5000, 1000, 1001, 0, 2, 1], [1000, 5000, 0, 1001, 1, 2],
        ]
        for times in orders {
            let found = try #require(gap(times))
            #expect(found == 1001...5000)
        }
    }

    @Test("how much there is besides holes")
    func present() throws {
        var coverage = Coverage()
        for time in [0, 30, 1000, 1010, 20_000, 990, 50] as [Double] {
            coverage.add(time)
        }
        #expect(coverage.longestGap?.presentSeconds == 70)
    }

    @Test("short holes and no packets are none")
    func short() {
        #expect(gap([]) == nil)
        #expect(gap([7]) == nil)
        #expect(gap([0, 50, 25, 100, 159]) == nil)
    }

    @Test("a run that is filled later is no hole")
    func filled() {
        #expect(gap([0, 1000] + (1..<100).map { ten in Double(ten * 10) }) == nil)
    }

    @Test("a frame every two minutes for a month hides no hole of days")
    func sparse() throws {
        let times: [Double] = (0..<20_000).map { frame in
            let seconds = Double(frame * 120)
            return frame < 5000 ? seconds : seconds + 200_000
        }
        let found = try #require(gap(times))
        #expect(found == 599_880...800_000)
    }
}
