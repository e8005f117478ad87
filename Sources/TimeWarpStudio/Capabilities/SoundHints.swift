import TimeWarp

extension RenderSettings.AudioMode {
    /// What the mode does to the sound of a task; nil if it can't be chosen there.
    func hint(for task: JobRequest.Task) -> String? {
        switch (self, task) {
        case (.varispeed, .warp), (.varispeed, .scale):
            "Pitch follows speed, as on a tape: at half speed a voice is an octave lower."
        case (.varispeed, .reverse):
            "Sound plays backwards: an echo comes before its call."
        case (.varispeed, .stretch):
            "Pitch changes with the length, as with a slow clock: 1 % longer is a sixth of a semitone lower."
        case (.keepPitch, .warp), (.keepPitch, .scale):
            "Pitch doesn't change: at half speed a voice talks slowly with its own tone."
        case (.keepPitch, .stretch):
            "Pitch doesn't change: a concert stays in tune, however much longer it gets."
        case (.keep, .warp), (.keep, .scale):
            "Sound keeps its original speed: music plays on while the picture slows down."
        case (.keep, .reverse):
            "Sound plays forwards: a voice stays clear while the picture goes back."
        case (.mute, .warp), (.mute, .scale), (.mute, .reverse):
            "No sound, for a clip that gets other music."
        case (.keepPitch, .reverse), (.keep, .stretch), (.mute, .stretch): nil
        }
    }
}
