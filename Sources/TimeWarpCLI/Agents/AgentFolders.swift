import Foundation
import Media
import TimeWarp

/// The folders that an agent may read and write in.
struct AgentFolders: Sendable {
    /// Their places without links. Relative paths start at the first.
    let places: [String]

    /// - Throws: ``MediaError`` if one is no folder.
    init(_ folders: [String]) throws {
        places = try (folders.isEmpty ? ["."] : folders).map { folder in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
            guard exists, isFolder.boolValue, let place = Self.place(of: folder) else {
                throw MediaError(.noInput, file: folder, reason: "there is no such folder")
            }
            return place
        }
    }

    /// The path of a file that is named by an agent.
    ///
    /// - Throws: what ``require(_:)`` throws.
    func path(of name: String) throws -> String {
        let path = name.hasPrefix("/") ? name : places[0] + "/" + name
        try require(path)
        return path
    }

    /// Throws if a file, which may be one that is to be written, isn't in one of the folders. A link belongs to where it leads.
    ///
    /// - Throws: ``MediaError`` with the code ``MediaError/Code/noInput``.
    func require(_ path: String) throws {
        guard !path.contains("://") else {
            throw MediaError(
                .noInput, file: path, reason: "it is an address, and only files are opened")
        }
        // A folder of many files may have links in it.
        guard (path as NSString).pathExtension.lowercased() != "fcpxmld" else {
            throw MediaError(.noInput, file: path, reason: "packages of files aren't opened here")
        }
        guard let place = Self.place(of: path) ?? Self.placeToBe(of: path) else {
            throw MediaError(.noInput, file: path, reason: "there is no such folder")
        }
        // Texts are equal where letters are; names of files where bytes are.
        let isInside = places.contains {
            (place + "/").utf8.starts(with: ($0 == "/" ? $0 : $0 + "/").utf8)
        }
        guard isInside else {
            throw MediaError(
                .noInput, file: path,
                reason: "it is outside of what this server may use: "
                    + places.joined(separator: ", "))
        }
    }

    /// Throws if a job reads or writes elsewhere.
    func require(_ job: RenderJob) throws {
        guard job.settings.resources.sequenceRate == nil else {
            throw MediaError(
                .noInput, file: job.destination,
                reason: "sequences of images aren't opened here")
        }
        var paths: [String] = []
        _ = try job.replacingPaths {
            paths.append($0)
            return $0
        }
        try paths.forEach(require)
        guard job.destination != RenderSettings.Output.pipe else {
            throw MediaError(
                .cannotCreate, file: "-", reason: "the output needs the name of a file")
        }
    }

    /// Where a file is that exists.
    private static func place(of path: String) -> String? {
        realpath(path, nil).map { place in
            defer { free(place) }
            return String(cString: place)
        }
    }

    /// Where a file will be that doesn't exist yet, and is no link that leads nowhere.
    private static func placeToBe(of path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            return nil
        }
        let folder = (path as NSString).deletingLastPathComponent
        return place(of: folder.isEmpty ? "." : folder).map {
            $0 + "/" + (path as NSString).lastPathComponent
        }
    }
}
