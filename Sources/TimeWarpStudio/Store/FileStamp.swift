import Foundation

/// How large a file is, and when it was changed: what tells that it isn't what it was.
struct FileStamp: Equatable {
    let bytes: Int64
    let changed: Date

    /// Nil when there is no such file.
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
