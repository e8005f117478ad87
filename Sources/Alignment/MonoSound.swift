/// Sound mixed to one channel, read from its start to its end, as often as wanted.
public struct MonoSound: Sendable {
    /// Samples a second, 8000 to 192000.
    public let sampleRate: Double
    /// Starts a new reading and returns its source: the next block in order with each call, of any
    /// length, `nil` at the end. Full scale is ±1.
    public let open: @Sendable () throws -> (() throws -> [Float]?)

    /// Sound that `open` reads, at `sampleRate` samples a second.
    public init(
        sampleRate: Double, open: @escaping @Sendable () throws -> (() throws -> [Float]?)
    ) {
        self.sampleRate = sampleRate
        self.open = open
    }
}
