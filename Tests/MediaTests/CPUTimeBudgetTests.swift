import Foundation
import Media
import Testing

@Suite("Bounds of computing")
struct ComputingBoundTests {
    /// The wait is what is tested: a thread that sleeps computes nothing, however long it sleeps.
    private func waitForTwiceAsLong() {
        Thread.sleep(forTimeInterval: 0.1)
    }

    @Test("who computes for too long is told so meanwhile and afterwards, and waiting is free")
    func hold() {
        let bound = CPUTimeBudget()
        let (rounds, excess) = bound.hold(to: 0.05) {
            var rounds = 0
            while !bound.isExceeded && rounds < 100_000_000 {
                rounds += 1
            }
            return rounds
        }
        #expect(rounds < 100_000_000)
        #expect((excess ?? 0) > 0.05)
        // Work after that isn't limited.
        #expect(!bound.isExceeded)
        #expect(bound.hold(to: 0.05, waitForTwiceAsLong).excess == nil)
    }
}
