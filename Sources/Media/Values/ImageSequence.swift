import CLibAV
import Foundation

/// Images whose names differ in a number alone, one for each frame of a film.
///
/// ```
/// shot/f_0997.exr  f_0998.exr  f_0999.exr  f_1000.exr     "shot", "shot/f_####.exr" or "shot/f_%04d.exr"
/// ```
public struct ImageSequence: Sendable, Codable {
    /// The path that stands for all of them.
    let path: String
    private let name: Name
    /// The number of the first image.
    let first: Int
    /// How many images there are.
    public let count: Int
    /// How many images are shown in a second.
    public let rate: FrameRate

    private static let endings: Set<String> = [
        "bmp", "dpx", "exr", "j2k", "jp2", "jpeg", "jpg", "jxl", "pam", "pbm", "pgm", "png", "ppm",
        "qoi", "sgi", "tga", "tif", "tiff", "webp",
    ]

    /// Finds the images.
    ///
    /// - Parameters:
    ///   - path: a folder with one sequence, or the images' name with `####` or `%04d` for a number of four digits or more
    ///     and `%d` for one without leading zeros.
    ///   - rate: how many of them are shown in a second.
    /// - Throws: ``MediaError`` if there are none, several sequences of them, or a number is missing.
    public init(at path: String, rate: FrameRate) throws {
        (self.path, self.rate) = (path, rate)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        {
            name = try Self.onlyName(in: path)
        } else {
            name = try Name(pattern: path)
        }
        let numbers = try Self.files(in: name.folder, path).compactMap(name.number(of:)).sorted()
        guard let first = numbers.first else {
            throw MediaError(.noInput, file: path, reason: "there is no image of such a name")
        }
        if let place = numbers.indices.first(where: { numbers[$0] != first + $0 }) {
            let missing = first + place...numbers[place] - 1
            throw MediaError(
                .noInput, file: path,
                reason: "\(name.file(missing.lowerBound)) is missing"
                    + (missing.count > 1 ? ", and \(missing.count - 1) after it" : ""),
                remedy: "Add what is missing, or give the frames before and after it apart")
        }
        (self.first, count) = (first, numbers.count)
    }

    /// Whether a path can stand for several images: it is a folder, or has a place for a number and isn't a file's own.
    public static func isNamed(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists ? isFolder.boolValue : (try? Name(pattern: path)) != nil
    }

    /// The pattern of the images' paths for libav.
    var pattern: String {
        func plain(_ text: String) -> String { text.replacingOccurrences(of: "%", with: "%%") }
        return plain(name.path(of: name.before)) + "%0\(name.digitCount)d" + plain(name.after)
    }

    /// The path of the first image.
    var firstFile: String { name.path(of: name.file(first)) }

    private static func files(in folder: String, _ path: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(
                atPath: folder.isEmpty ? "." : folder)
        } catch {
            throw MediaError(.noInput, file: path, reason: "the folder \(folder) can't be read")
        }
    }

    /// The name of the one sequence in a folder.
    private static func onlyName(in folder: String) throws -> Name {
        let images = try files(in: folder, folder).filter {
            endings.contains(($0 as NSString).pathExtension.lowercased()) && !$0.hasPrefix(".")
        }
        let numbered = images.compactMap { Name(numbered: $0, in: folder) }
        let names = Dictionary(grouping: numbered) { [$0.before, $0.after] }.values.compactMap {
            // Of 998, 999 and 1000 the shortest has as many digits as each has at least.
            $0.min { $0.digitCount < $1.digitCount }
        }
        guard let name = names.first else {
            throw MediaError(
                .noInput, file: folder, reason: "there are no images with numbers in this folder")
        }
        guard names.count == 1 else {
            let all = names.map(\.pattern).sorted().joined(separator: ", ")
            throw MediaError(
                .noInput, file: folder,
                reason: "there are several sequences in this folder: \(all)",
                remedy: "Name one of them instead of the folder")
        }
        return name
    }

    /// A file name with a place for a number, and the folder.
    private struct Name: Codable {
        let folder: String
        let before: String
        /// How many digits a number has at least.
        let digitCount: Int
        let after: String

        init(in folder: String, _ before: String, _ digitCount: Int, _ after: String) {
            (self.folder, self.before) = (folder, before)
            (self.digitCount, self.after) = (digitCount, after)
        }

        /// The name of one image, whose last digits are its number; nil if it has none.
        init?(numbered name: String, in folder: String) {
            let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
            guard let last = stem.lastIndex(where: \.isDigit) else {
                return nil
            }
            let before = stem[...last].lastIndex { !$0.isDigit }
            let start = before.map(name.index(after:)) ?? name.startIndex
            let end = name.index(after: last)
            self.init(
                in: folder, String(name[..<start]), name.distance(from: start, to: end),
                String(name[end...]))
        }

        /// Reads a pattern: `####`, `%04d` or `%d`.
        init(pattern path: String) throws {
            let slash = path.lastIndex(of: "/")
            let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
            let folder = slash.map { String(path[...$0]) } ?? ""
            guard let match = name.firstMatch(of: /#+|%(?:0?(\d))?d/) else {
                throw MediaError(
                    .noInput, file: path,
                    reason: "a sequence of images is a folder, or a name with #### for the number",
                    remedy: Name(numbered: name, in: folder)
                        .map { "Name \($0.path(of: $0.pattern)), or its folder" })
            }
            let digits = match.1.flatMap { Int($0) } ?? (match.0.hasPrefix("%") ? 1 : match.0.count)
            self.init(
                in: folder, String(name[..<match.range.lowerBound]), max(1, digits),
                String(name[match.range.upperBound...]))
        }

        var pattern: String { before + String(repeating: "#", count: digitCount) + after }

        func path(of file: String) -> String {
            folder.isEmpty || folder.hasSuffix("/") ? folder + file : folder + "/" + file
        }

        func file(_ number: Int) -> String {
            let digits = String(number)
            let zeros = String(repeating: "0", count: max(0, digitCount - digits.count))
            return before + zeros + digits + after
        }

        /// The number of a file; nil if it isn't one of these images.
        func number(of file: String) -> Int? {
            guard file.hasPrefix(before), file.hasSuffix(after),
                file.count > before.count + after.count
            else {
                return nil
            }
            let digits = file.dropFirst(before.count).dropLast(after.count)
            guard digits.count < 10, let number = Int(digits), self.file(number) == file else {
                return nil
            }
            return number
        }
    }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isNumber }
}
