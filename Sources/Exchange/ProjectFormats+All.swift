import TimeWarp

extension ProjectFormats {
    /// The formats of other programs, in the order of the guide's table.
    static let others: [any ExchangeFormat] = [
        OpenTimelineIOFormat(), FCPXMLFormat(), XMEMLFormat(), EDLFormat(), MLTFormat(),
    ]

    /// All formats: edit files and those of other programs.
    public static let all = ProjectFormats([EditFileFormat()] + others)
}
