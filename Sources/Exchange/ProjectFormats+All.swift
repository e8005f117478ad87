import TimeWarp

extension ProjectFormats {
    /// All formats: edit files and those of other programs.
    public static let all = ProjectFormats([EditFileFormat(), OpenTimelineIOFormat()])
}
