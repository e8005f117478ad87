import Foundation
import Media
import TimeMaps

extension Curve {
    /// Reads a curve file (JSON).
    ///
    /// - Throws: ``MediaError`` if the file can't be read or isn't a curve.
    public init(contentsOfFile path: String) throws {
        let data = try SmallFile.data(at: path, kind: "a curve file")
        do {
            try self.init(json: data)
        } catch {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
    }
}
