import Foundation
import Media

/// A page on the disk that only its user can read, and that leads to an address. It is removed with its owner.
package final class LeadingPage: Sendable {
    let path: String

    /// Nil if the page can't be written.
    init?(to address: String, in folder: URL = LeadingPage.folder) {
        path = folder.appendingPathComponent("timewarp-\(Secret.make(bytes: 8)).html").path
        let text = """
            <!doctype html><meta charset="utf-8"><title>TimeWarp</title>
            <meta http-equiv="refresh" content="0; url=\(address)">
            <p><a href="\(address)">Go on to TimeWarp</a></p>

            """
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            return nil
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard (try? file.write(contentsOf: Data(text.utf8))) != nil else {
            return nil
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Browsers that are installed from Snap can't read the folder of temporary files, but a folder of their own, which
    /// all other browsers can read as well.
    private static var folder: URL {
        let snaps = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("snap")
        let own = ["firefox", "chromium"].map { snaps.appendingPathComponent("\($0)/common") }
        return own.first { FileManager.default.isWritableFile(atPath: $0.path) }
            ?? FileManager.default.temporaryDirectory
    }
}
