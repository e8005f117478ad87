import CWebPages
import Foundation

/// The files of the pages that the program serves or writes, which are parts of the program.
///
/// A new file needs its lines in `CWebPages`; a test names those that lack them.
package enum WebPages {
    /// What is shown first of each page.
    package static let first = "index.html"
    /// The studio's files by name.
    package static let studio = files(web_studio_files())
    /// The files of the stories' player by name.
    package static let player = files(web_player_files())
    /// What programs may ask of the studio, as an OpenAPI document.
    package static let studioAPI = data(web_studio_openapi())

    private static func files(_ list: UnsafePointer<web_file>?) -> [String: Data] {
        var files: [String: Data] = [:]
        var next = list
        while let file = next?.pointee, let name = file.name {
            files[String(cString: name)] = data(file.text)
            next = next?.advanced(by: 1)
        }
        return files
    }

    private static func data(_ text: UnsafePointer<CChar>?) -> Data {
        text.map { Data(bytes: $0, count: strlen($0)) } ?? Data()
    }
}
