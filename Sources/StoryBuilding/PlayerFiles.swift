/// The files of the player, which are part of the program.
enum PlayerFiles {
    static let page = "index.html"

    /// Names and contents.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("captions.js", PackageResources.captions_js),
        ("cards.js", PackageResources.cards_js),
        ("choices.js", PackageResources.choices_js),
        ("controls.js", PackageResources.controls_js),
        ("formula.js", PackageResources.formula_js),
        ("fragments.js", PackageResources.fragments_js),
        ("frames.js", PackageResources.frames_js),
        (page, PackageResources.index_html),
        ("manifest.js", PackageResources.manifest_js),
        ("media-source.js", PackageResources.media_source_js),
        ("playback.js", PackageResources.playback_js),
        ("player.css", PackageResources.player_css),
        ("player.js", PackageResources.player_js),
        ("runtime.js", PackageResources.runtime_js),
        ("saves.js", PackageResources.saves_js),
        ("segment-store.js", PackageResources.segment_store_js),
        ("single-file.js", PackageResources.single_file_js),
        ("statements.js", PackageResources.statements_js),
        ("words.js", PackageResources.words_js),
    ]

    /// The content of a file.
    static func file(_ name: String) -> [UInt8] {
        guard let file = all.first(where: { $0.name == name }) else {
            preconditionFailure("the player has no \(name)")
        }
        return file.bytes
    }
}
