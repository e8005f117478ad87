import CLibAV

/// The matrix and range that turn numbers into colours.
struct ColorMatrix: Equatable {
    let matrix: CInt
    let isFull: Bool

    init(_ frame: Frame) {
        self.init(frame.color, frame.pixelFormat, height: frame.height)
    }

    init(_ format: VideoFormat) {
        self.init(format.color, format.pixelFormat, height: format.height)
    }

    private init(_ color: ColorDescription, _ format: PixelFormat, height: Int) {
        guard !format.isRGB else {
            (matrix, isFull) = (SWS_CS_DEFAULT, true)
            return
        }
        // libswscale has the matrices' numbers of H.273.
        let isUnsaid = [0, 2].contains(color.matrix)
        matrix = CInt(isUnsaid ? ColorDescription.usualMatrix(height: height) : color.matrix)
        isFull = color.isFullRange
    }
}
