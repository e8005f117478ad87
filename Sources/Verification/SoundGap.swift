/// A section of a window in which the output is nearly silent and the source isn't.
struct SoundGap {
    /// The length of a block in values: 25 ms at 8000 values per second.
    private static let block = 200
    /// The least number of consecutive blocks. A single one may be a note that a codec dropped as masked.
    private static let fewestBlocks = 2
    /// Changes with less power than this, -60 dB, may get lost in coding.
    static let audible = 1e-6
    /// The same, relative to the loudest block in the window.
    private static let audibleBesideLouder = 1e-3

    /// The number of values from the window's start to the gap.
    let start: Int
    /// The number of values in the gap.
    let length: Int

    /// The first gap in a window; nil if there is none.
    ///
    /// - Parameters:
    ///   - heard: the output's channels.
    ///   - wanted: the source's channels.
    ///   - places: the indices in `wanted` that may correspond to the output's first value. Because the lag that
    ///     was found may be wrong, the source must have sound at all of these places.
    init?(in heard: [[Float]], of wanted: [[Float]], from places: [Int]) {
        let count = (heard.first?.count ?? 0) / Self.block
        let powers = (0..<count).map { block in
            (
                heard: Self.power(heard, from: block * Self.block),
                wanted: places.map { Self.power(wanted, from: $0 + block * Self.block) }.min() ?? 0
            )
        }
        let loudest = powers.map(\.wanted).max() ?? 0
        let least = max(Self.audible, Self.audibleBesideLouder * loudest)
        let isSilent = powers.map {
            $0.wanted > least && $0.heard < SoundCheck.leastShare * $0.wanted
        }
        let lengths = isSilent.indices.map { isSilent[$0...].prefix { $0 }.count }
        guard let first = lengths.firstIndex(where: { $0 >= Self.fewestBlocks }) else {
            return nil
        }
        start = first * Self.block
        length = lengths[first] * Self.block
    }

    /// The power of a block in the loudest channel.
    private static func power(_ channels: [[Float]], from start: Int) -> Double {
        channels.map { values in
            values[start..<start + block].reduce(0) { $0 + Double($1) * Double($1) } / Double(block)
        }.max() ?? 0
    }
}
