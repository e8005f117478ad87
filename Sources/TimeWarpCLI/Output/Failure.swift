import Alignment
import ArgumentParser
import Documents
import Foundation
import Media
import Plotting
import Stories
import StoryBuilding
import TimeMaps
import TimeWarp

/// The exit code and message for a thrown error.
struct Failure {
    let exitCode: Int32
    let message: String
    /// The file that it is about, why, and what to do, where that is known by itself.
    var file: String?
    var reason: String?
    var remedy: String?

    init(exitCode: Int32, message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// Nil for the parser's own errors, which it prints itself.
    init?(_ error: any Error) {
        switch error {
        case let error as MediaError:
            let error = Self.located(error)
            exitCode = Self.exitCode(of: error.code)
            message = error.worded(\.flag)
            (file, reason) = (error.file.isEmpty ? nil : error.file, error.reason)
            remedy = error.remedy?.worded(\.flag)
        case is CurveError, is FormulaError, is PlotError, is AlignmentError, is CompositionError,
            is DocumentError, is StoryError, is StoryCheckError, is StoryFileError:
            exitCode = 65
            message = String(describing: error)
        case let error as TimeError:
            exitCode = 64
            message = error.description
        case let error as Interruption.Ended:
            exitCode = error.exitCode
            // Other programs say nothing either when what they write isn't read.
            message = error.signal == SIGPIPE ? "" : Interruption.sentence
        case is CancellationError:
            exitCode = 130
            message = Interruption.sentence
        case is ValidationError, is ExitCode, is CleanExit:
            return nil
        default:
            // The parser gives `.failure` to every error that isn't its own.
            guard ParserErrors.exitCode(for: error) == .failure else {
                return nil
            }
            exitCode = 70
            message = "internal error: \(error)"
        }
    }

    /// The error with its file as it was named, and, if that isn't there, a nearer remedy.
    private static func located(_ error: MediaError) -> MediaError {
        let name = StandardInput.name(of: error.file)
        let isAbsent = error.remedy == MediaError.absent(name).remedy
        return MediaError(
            error.code, file: name, reason: error.reason,
            remedy: isAbsent ? whereabouts(of: name) ?? error.remedy : error.remedy)
    }

    /// Of a file that isn't there: the one beside it that is meant, or that its folder isn't there either.
    private static func whereabouts(of path: String) -> Remedy? {
        let place = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (folder, name) = (String(path[..<place]), String(path[place...]))
        guard !name.isEmpty else {
            return nil
        }
        guard
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: folder.isEmpty ? "." : folder)
        else {
            return "There is no folder \"\(folder.dropLast())\""
        }
        // Most names of one or two letters are near each other.
        let isShort = name.prefix { $0 != "." }.count < 3
        return Spelling.nearest(to: name, in: isShort ? [] : names)
            .map { "Did you mean \"\(folder)\($0)\"?" }
    }

    private static func exitCode(of code: MediaError.Code) -> Int32 {
        switch code {
        case .noInput: 66
        case .damaged, .changed, .unsupported, .noUsableStream: 65
        case .incompatible: 64
        case .exists, .cannotCreate: 73
        case .unfinished: 75
        case .readFailed, .diskFailed, .writeFailed: 74
        default: 70
        }
    }
}

extension Failure {
    /// The failure of one of many inputs, which doesn't end the others.
    ///
    /// - Throws: the error if it is a cancellation.
    init(ofOneInput error: any Error) throws {
        if error is CancellationError || error is Interruption.Ended {
            throw error
        }
        self =
            Failure(error)
            ?? Failure(
                exitCode: ParserErrors.exitCode(for: error).rawValue,
                message: ParserErrors.message(for: error))
    }
}

/// Tells the parser's own errors from others; any of its types can.
private struct ParserErrors: ParsableArguments {}
