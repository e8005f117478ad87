import TimeMaps

/// Fades the sound out where the map is frozen, and in again afterwards.
struct FreezeMute {
    private var cursor: TimeMap.Cursor
    private let hasFreeze: Bool
    private let rate: Double
    private var gain: Float = 1
    private let gainPerSample: Float

    private static let fadeSeconds = 0.01

    init(_ retiming: AudioRetiming) {
        cursor = retiming.map.cursor()
        rate = retiming.outputRate
        hasFreeze = retiming.map.pieces.contains { $0.sourceStart == $0.sourceEnd }
        gainPerSample = Float(1 / (Self.fadeSeconds * rate))
    }

    mutating func apply(to block: inout [[Float]], from first: Int64) {
        guard hasFreeze else {
            return
        }
        for index in block[0].indices {
            let speed = cursor.position(at: Double(first + Int64(index)) / rate).speed
            gain = speed == 0 ? max(0, gain - gainPerSample) : min(1, gain + gainPerSample)
            for channel in block.indices {
                block[channel][index] *= gain
            }
        }
    }
}
