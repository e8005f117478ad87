/// The published schema of story files.
public enum StorySchema {
    /// JSON Schema, draft 2020-12.
    public static var text: String {
        String(decoding: PackageResources.story_schema_json, as: UTF8.self)
    }
}
