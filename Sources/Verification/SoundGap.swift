/// Looks for stretches of a window in which there is nearly nothing where the source has sound.
struct SoundGap {
    /// 25 ms of 8000 values a second.
    private static let block = 200
    /// One block alone may be a note that a codec held for masked.
    private static let fewestBlocks = 2
    /// Less power than that gets lost in coding: -60 dB, of what changes.
    static let audible = 1e-6
    /// The same beside what is louder in the window.
    private static let audibleBesideLouder = 1e-3

    /// Values from the window's start to the gap, and how long it is.
    let start: Int
    let length: Int

    /// The first of a window.
    ///
    /// - Parameters:
    ///   - heard: the output's channels.
    ///   - wanted: the source's.
    ///   - places: which of its values may belong to the output's first, where the place that was found isn't
    ///     sure: there must be sound at each.
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

    /// Of the loudest channel.
    private static func power(_ channels: [[Float]], from start: Int) -> Double {
        channels.map { values in
            values[start..<start + block].reduce(0) { $0 + Double($1) * Double($1) } / Double(block)
        }.max() ?? 0
    }
}
