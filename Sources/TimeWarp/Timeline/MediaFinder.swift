import Foundation
import Media
import TimeMaps

/// Finds the media files of a project that were moved since it was written, or that another machine wrote.
///
/// A file is where the project says it is, or beside the project, or anywhere in the folders to search, in this order. Of
/// several files with its name, the one that lasts as long as the project says is taken, and else the one whose
/// folders are called most like those in the project.
final class MediaFinder {
    private let folder: String
    private let searched: [String]
    private let playsImages: Bool
    private let isAllowed: (String) -> Bool
    private var found: [String: String?] = [:]

    /// - Parameters:
    ///   - folder: the project's folder.
    ///   - searched: folders that are searched with all that they contain.
    ///   - playsImages: whether a path may stand for a sequence of images.
    ///   - isAllowed: whether a file may be opened; others aren't found where the project doesn't say that they are.
    init(
        besides folder: String, in searched: [String], playsImages: Bool,
        isAllowed: @escaping (_ path: String) -> Bool
    ) {
        (self.folder, self.searched, self.playsImages) = (folder, searched, playsImages)
        self.isAllowed = isAllowed
    }

    /// The path of a file for the working directory; nil if it isn't found.
    ///
    /// - Parameters:
    ///   - media: the path as written in the project.
    ///   - duration: how long the file lasts, as far as the project says so.
    func path(of media: String, lasting duration: RationalTime? = nil) -> String? {
        if let known = found[media] {
            return known
        }
        let path = search(media, duration)
        found[media] = .some(path)
        return path
    }

    private func search(_ media: String, _ duration: RationalTime?) -> String? {
        let stated = MediaPath.resolve(media, in: folder)
        // URLs are returned unchanged.
        if media.contains("://") || Self.isFile(stated)
            || playsImages && ImageSequence.isNamed(stated)
        {
            return stated
        }
        if let decoded = media.removingPercentEncoding, decoded != media {
            let path = MediaPath.resolve(decoded, in: folder)
            if Self.isFile(path) {
                return path
            }
        }
        let components = media.split { $0 == "/" || $0 == "\\" }.map(String.init)
        guard let name = components.last else {
            return nil
        }
        let beside = MediaPath.resolve(name, in: folder)
        if Self.isFile(beside) {
            return beside
        }
        let besides = neighbours.files(named: name, isAllowed)
        let candidates = besides.isEmpty ? indexed.files(named: name, isAllowed) : besides
        guard candidates.count > 1 else {
            return candidates.first
        }
        if let duration {
            let fitting = candidates.filter { path in
                (try? Asset(at: path).duration).map { abs($0.seconds - duration.seconds) < 0.1 }
                    ?? false
            }
            if fitting.count == 1 {
                return fitting[0]
            }
        }
        return Self.mostAlike(candidates, components)
    }

    private lazy var neighbours = FileIndex(directlyIn: folder)
    private lazy var indexed = FileIndex(of: searched)

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    /// The path that ends with the most components of another.
    private static func mostAlike(_ paths: [String], _ components: [String]) -> String? {
        func likeness(_ path: String) -> Int {
            zip(path.split(separator: "/").reversed(), components.reversed())
                .prefix { $0.lowercased() == $1.lowercased() }.count
        }
        return paths.max { likeness($0) < likeness($1) }
    }
}

/// The files in folders and all that these contain, by their names.
private struct FileIndex {
    /// More files are not indexed: that would take too long.
    private static let most = 500_000

    private var count = 0
    private var byName: [String: [String]] = [:]
    private var byStem: [String: [String]] = [:]

    /// All files in folders, however deep.
    init(of folders: [String]) {
        for folder in folders {
            let files = FileManager.default.enumerator(atPath: folder)
            while let file = files?.nextObject() as? String, count < Self.most {
                add(file, in: folder)
            }
        }
    }

    /// The files in a folder, without those in the folders in it.
    ///
    /// - Parameter folder: an empty path for the working directory.
    init(directlyIn folder: String) {
        let place = folder.isEmpty ? "." : folder
        let files = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        for file in files.prefix(Self.most) {
            add(file, in: folder)
        }
    }

    private mutating func add(_ file: String, in folder: String) {
        let name = (file as NSString).lastPathComponent
        guard !name.hasPrefix(".") else {
            return
        }
        count += 1
        let path = MediaPath.resolve(file, in: folder)
        byName[name.lowercased(), default: []].append(path)
        let stem = (name as NSString).deletingPathExtension
        byStem[stem.lowercased(), default: []].append(path)
    }

    /// The files of a name. A name without an extension may be that of any media file.
    func files(named name: String, _ isAllowed: (String) -> Bool) -> [String] {
        let key = name.lowercased()
        if let files = byName[key] {
            return files.sorted().filter { Self.isFile($0) && isAllowed($0) }
        }
        // Lists, captions and other files that belong to a recording have its name, too.
        return (byStem[key] ?? []).sorted().filter { isAllowed($0) && (try? Asset(at: $0)) != nil }
    }

    private static func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }
}
