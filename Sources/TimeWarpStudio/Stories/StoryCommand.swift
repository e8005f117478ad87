extension StoryFileOnDisk {
    /// The shell command that builds the same film.
    var command: String {
        ["timewarp", "story", "build", path, "-o", output, "--overwrite"]
            .map(ShellWord.quoted).joined(separator: " ")
    }
}
