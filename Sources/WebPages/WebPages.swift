import CWebPages
import Foundation

/// The files of the web pages that the program serves or writes. They are embedded in the program.
///
/// A new file must be listed in `CWebPages`; a test names the files that aren't.
package enum WebPages {
    /// The name of each page's HTML file.
    package static let first = "index.html"
    /// The name of the studio's page with nothing but a player.
    package static let playerPage = "play.html"
    /// The studio's files by name.
    package static let studio = files(web_studio_files())
    /// The files of the stories' player by name.
    package static let player = files(web_player_files())
    /// The studio's HTTP API for other programs, as an OpenAPI document in JSON.
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
