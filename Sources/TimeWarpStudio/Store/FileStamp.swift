import Foundation

/// The size of a file and the time of its last change, which tell whether the file was changed.
struct FileStamp: Hashable, Sendable {
    let bytes: Int64
    let changed: Date

    /// Nil if there is no such file.
    init?(_ path: String) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let bytes = (attributes?[.size] as? NSNumber)?.int64Value,
            let changed = attributes?[.modificationDate] as? Date
        else {
            return nil
        }
        self.bytes = bytes
        self.changed = changed
    }
}
