import Foundation
import Stories
import TimeWarp

extension StoryVisits {
    /// Counts the visits in a log, which is read as a whole.
    ///
    /// - Throws: `MediaError` if the file can't be read, ``StoryFileError`` for lines that can't be read.
    public init(contentsOfFile path: String) throws {
        let data = try SmallFile.data(
            at: path, kind: "a log of visits", largest: StoryVisits.largestLog)
        do {
            try self.init(log: data)
        } catch {
            throw StoryFileError(file: path, error: error)
        }
    }
}
