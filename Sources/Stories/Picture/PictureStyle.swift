/// The style of a story's graph: dark text on a light background of its own, so that it is readable on any
/// page.
enum PictureStyle {
    static let ground = "#ffffff"
    static let ink = "#16202e"
    static let muted = "#526074"
    static let line = "#64748b"
    static let wrong = "#b91c1c"
    static let wrongGround = "#fee2e2"
    static let font = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"

    /// Colours that stay distinguishable with colour blindness; the role is also written out.
    static func colours(of role: StoryRole) -> (fill: String, stroke: String) {
        switch role {
        case .prologue: ("#dbeafe", "#1d5fd1")
        case .winning: ("#ccfbf1", "#0f766e")
        case .intermediate: ("#f1f5f9", "#64748b")
        case .losing: ("#ffedd5", "#b4530a")
        case .epilogue: ("#ede9fe", "#6d28d9")
        }
    }

    static let sheet = """
        text { font-family: \(font); fill: \(ink); }
        .name { font-size: 13px; font-weight: 600; }
        .role, .legend { font-size: 11px; fill: \(muted); }
        .label { font-size: 11px; }
        .title { font-size: 20px; font-weight: 600; }
        .way { fill: none; stroke: \(line); stroke-width: 1.4; }
        .default { stroke-dasharray: 6 4; }
        .wrong { stroke: \(wrong); stroke-width: 2; }
        .head { fill: \(line); stroke: none; }
        .wrong-head { fill: \(wrong); stroke: none; }
        .badge { font-size: 11px; font-weight: 700; fill: #ffffff; }
        """
}
