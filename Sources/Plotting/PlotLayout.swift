/// The positions of a plot's parts. All sizes are proportional to the letters, and the letters to the image, but
/// they never become too small to read.
struct PlotLayout: Hashable {
    static let smallestWidth = 320
    static let smallestHeight = 240

    let width: Double
    let height: Double
    /// The size of ordinary letters in pixels.
    let letter: Double
    /// The panel of the time scale.
    let scalePanel: CanvasBox
    /// The panel of output time over source time.
    let timePanel: CanvasBox
    /// The area of the captions, beneath the title.
    let captions: CanvasBox
    /// Whether there is room for the captions' notes.
    let showsNotes: Bool

    /// - Parameter labelLength: The number of letters in the longest label of a vertical axis.
    /// - Throws: `PlotError` with `.invalidSize` when the size is below 320x240 or above 16384 pixels a side.
    init(width: Int, height: Int, labelLength: Int = 4) throws {
        letter = try Self.letter(width: width, height: height)
        self.width = Double(width)
        self.height = Double(height)
        showsNotes = self.height / letter > 36 && self.width / letter > 66
        captions = CanvasBox(
            x: 1.4 * letter, y: 3.3 * letter, width: self.width - 2.8 * letter,
            height: (showsNotes ? 3.9 : 2.6) * letter)

        let left = (3.2 + 0.62 * Double(max(labelLength, 3))) * letter
        let right = self.width - 2.6 * letter
        let top = captions.maxY + (showsNotes ? 1.4 : 0.7) * letter
        let gap = 1.3 * letter
        let room = self.height - 3.8 * letter - top - gap
        scalePanel = CanvasBox(x: left, y: top, width: right - left, height: room * 0.63)
        timePanel = CanvasBox(
            x: left, y: scalePanel.maxY + gap, width: right - left, height: room * 0.37)
    }

    /// The size of ordinary letters, in pixels, for an image of this size.
    ///
    /// - Throws: `PlotError` with `.invalidSize` when the size is below 320x240 or above 16384 pixels a side.
    static func letter(width: Int, height: Int) throws -> Double {
        let largest = CairoSurface.largestSide
        guard (Self.smallestWidth...largest).contains(width),
            (Self.smallestHeight...largest).contains(height)
        else {
            throw PlotError(
                .invalidSize,
                "A plot must be at least \(Self.smallestWidth)x\(Self.smallestHeight) and at most "
                    + "\(largest)x\(largest) pixels, not \(width)x\(height).")
        }
        return max(10, min(Double(width) / 80, Double(height) / 48))
    }

    /// How many ticks fit below each other.
    func rows(in panel: CanvasBox) -> Int { panel.rows(letter: letter) }
    /// How many ticks fit beside each other.
    func columns(in panel: CanvasBox) -> Int { panel.columns(letter: letter) }
}

extension CanvasBox {
    /// How many ticks fit below each other.
    func rows(letter: Double) -> Int { max(2, Int(height / (2.4 * letter))) }
    /// How many ticks fit beside each other.
    func columns(letter: Double) -> Int { max(2, Int(width / (6 * letter))) }
}
