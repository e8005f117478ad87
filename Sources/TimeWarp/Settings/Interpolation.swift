/// How a value between two samples is computed.
public enum Interpolation: String, CaseIterable, Codable, Sendable {
    /// By a windowed sinc, band-limited at every speed: there is no aliasing, and nothing audible is lost.
    case sinc
    /// Along 3c² − 2c³ between the two neighbours.
    case smooth
    /// Along a straight line between the two neighbours.
    case linear
}
