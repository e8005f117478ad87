import Foundation
import Media
import TimeMaps

extension Curve {
    /// Reads a curve file.
    ///
    /// - Throws: ``MediaError`` when it can't be read, ``CurveError`` when it is no curve.
    public init(contentsOfFile path: String) throws {
        let data = try SmallFile.data(at: path, kind: "a curve file")
        do {
            try self.init(json: data)
        } catch {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
    }
}
