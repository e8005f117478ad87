import CLibAV

/// The matrix and range that turn numbers into colours.
struct ColorMatrix: Equatable {
    let matrix: CInt
    let isFull: Bool

    init(_ frame: Frame) {
        self.init(
            frame.color, frame.pixelFormat, height: frame.height)
    }

    init(_ format: VideoFormat) {
        self.init(format.color, format.pixelFormat, height: format.height)
    }

    /// If the matrix is unknown, it is BT.709 from 720 rows on and BT.601 below, as players assume.
    private init(_ color: ColorDescription, _ format: PixelFormat, height: Int) {
        guard !format.isRGB else {
            (matrix, isFull) = (SWS_CS_DEFAULT, true)
            return
        }
        let unsaid = height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
        matrix = [0, 2].contains(color.matrix) ? unsaid : CInt(color.matrix)
        isFull = color.range == UInt32(AVCOL_RANGE_JPEG.rawValue)
    }
}
