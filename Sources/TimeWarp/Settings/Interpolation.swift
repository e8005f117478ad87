/// How a value between two source samples is calculated.
public enum Interpolation: String, CaseIterable, Codable, Sendable {
    /// Windowed-sinc resampling: band-limited at every speed, without aliasing or audible loss.
    case sinc
    /// Eases between the two neighbouring samples along 3c² − 2c³, where c is the position between them, 0 to
    /// 1.
    case smooth
    /// Interpolates linearly between the two neighbouring samples.
    case linear
}
