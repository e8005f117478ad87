/// How a value between two source samples is found.
public enum Interpolation: String, CaseIterable, Codable, Sendable {
    /// Band-limited at every speed: nothing folds back, nothing audible is lost.
    case sinc
    /// Between the two neighbours along 3c² − 2c³.
    case smooth
    /// Between the two neighbours along a straight line.
    case linear
}
