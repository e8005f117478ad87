/// How a render is made, apart from what it shows: where it goes, its video, its audio, and what it may use.
///
/// The defaults suit most people: the source's frame rate, repeated frames, sound whose pitch follows the speed, and the
/// container's usual codecs.
public struct RenderSettings: Hashable, Sendable {
    /// The file that is written.
    public var output = Output()
    /// How video tracks are made.
    public var video = Video()
    /// How audio tracks are made.
    public var audio = Audio()
    /// What the render may use of the machine.
    public var resources = Resources()

    /// The default settings.
    public init() {}

    /// Settings that differ from others, or from the defaults, by some changes.
    public init(
        _ base: RenderSettings = RenderSettings(), _ change: (inout RenderSettings) -> Void
    ) {
        self = base
        change(&self)
    }
}
