import TimeWarp

extension ProjectFormats {
    /// The formats of other programs, in the order of menus.
    static let others: [any ExchangeFormat] = [
        FCPXMLFormat(), XMEMLFormat(), OpenTimelineIOFormat(), EDLFormat(), MLTFormat(),
    ]

    /// All formats: edit files and those of other programs.
    public static let all = ProjectFormats(others + [EditFileFormat()])
}
