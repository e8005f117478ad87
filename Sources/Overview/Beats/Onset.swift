/// The beginning of a sound.
struct Onset {
    /// The frame of ``OnsetStrength`` that the beginning is strongest in.
    let frame: Int
    /// When it is, in seconds.
    let time: Double
}
