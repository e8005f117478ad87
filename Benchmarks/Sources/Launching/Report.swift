extension Launch.Usage {
    /// The figures on one line, to be read by ``init(line:)``.
    public var line: String {
        "\(wallSeconds) \(processorSeconds) \(peakBytes) \(status)"
    }

    /// The figures from such a line; nil if the line is something else.
    public init?(line: String) {
        let parts = line.split(whereSeparator: \.isWhitespace)
        guard parts.count == 4, let wall = Double(parts[0]), let processor = Double(parts[1]),
            let peak = Int(parts[2]), let status = Int32(parts[3])
        else { return nil }
        self.init()
        wallSeconds = wall
        processorSeconds = processor
        peakBytes = peak
        self.status = status
    }
}
