/// Colours that colour-blind people can tell apart. Text has a contrast of at least 4.5:1.
enum PlotColour {
    static let paper = CanvasColour(0xffffff)
    static let panel = CanvasColour(0xf8fafc)
    static let grid = CanvasColour(0xe2e8f0)
    static let axis = CanvasColour(0x94a3b8)
    static let ink = CanvasColour(0x16202e)
    static let muted = CanvasColour(0x526074)
    static let line = CanvasColour(0x12336b)
    static let time = CanvasColour(0x0f766e)
    static let slower = CanvasColour(0x1d5fd1)
    static let faster = CanvasColour(0xb4530a)
    static let backwards = CanvasColour(0x6d28d9)

    /// The colours of a chart's lines, in order; as many as ``LineChart/mostSeries``.
    static let lines = [
        line, faster, time, CanvasColour(0x9d174d), backwards, muted,
    ]
}
