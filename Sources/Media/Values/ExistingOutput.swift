/// What to do if the output exists already.
public enum ExistingOutput: String, Hashable, Sendable, Codable, CaseIterable {
    /// Throw an error and leave the existing file unchanged.
    case refuse
    /// Replace the existing file when the new one is complete.
    case overwrite
}
