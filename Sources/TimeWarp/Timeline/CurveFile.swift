import Foundation
import Media
import TimeMaps

extension Curve {
    /// Reads a curve file.
    ///
    /// - Throws: ``MediaError`` when it can't be read, ``CurveError`` when it is no curve.
    public init(contentsOfFile path: String) throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes?[.size] as? Int else {
            throw MediaError(.noInput, file: path, reason: "there is no such file")
        }
        // Refused before it is read: it may be a film, named by mistake.
        guard size <= Self.largestFile else {
            throw MediaError(
                .damaged, file: path,
                reason: "a curve file has 1 MiB at the most, not \(size) bytes")
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw MediaError(.noInput, file: path, reason: error.localizedDescription)
        }
        do {
            try self.init(json: data)
        } catch {
            throw MediaError(.damaged, file: path, reason: error.description)
        }
    }
}
