/// Sound mixed to one channel, which can be read from start to end any number of times.
public struct MonoSound: Sendable {
    /// Samples per second; ``DriftEstimator`` takes 8000 to 192000.
    public let sampleRate: Double
    /// Starts reading from the beginning and returns a function that returns the next block with each call,
    /// and nil at the end. Blocks may have any length. Full scale is ±1.
    public let open: @Sendable () throws -> (() throws -> [Float]?)

    /// Sound that `open` reads, with `sampleRate` samples per second.
    public init(
        sampleRate: Double, open: @escaping @Sendable () throws -> (() throws -> [Float]?)
    ) {
        self.sampleRate = sampleRate
        self.open = open
    }
}
