/// The published schema of story files.
public enum StorySchema {
    /// The text of the schema: JSON Schema, draft 2020-12.
    public static var text: String {
        String(decoding: PackageResources.story_schema_json, as: UTF8.self)
    }
}
