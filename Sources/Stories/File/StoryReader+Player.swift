import Documents

// Readers for what concerns the player's page.
extension StoryReader {
    mutating func readControls(_ value: JSONValue?, _ path: DocumentPath) -> StoryControls {
        var controls = StoryControls()
        guard let value, let object = object(value, path, known: ControlsKey.self) else {
            return controls
        }
        controls.showsProgress =
            truth(object["progress"], path.key("progress")) ?? controls.showsProgress
        controls.showsMap = truth(object["map"], path.key("map")) ?? controls.showsMap
        return controls
    }

    mutating func readAnalytics(_ value: JSONValue?, _ path: DocumentPath) -> String? {
        guard let value, let text = string(value, path) else {
            return nil
        }
        guard VisitAddress(text) != nil else {
            note(
                "it must be an address such as https://example.org/visits, in ASCII, without a "
                    + "user name or #", path, value)
            return nil
        }
        return text
    }
}
