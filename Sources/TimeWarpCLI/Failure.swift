import Alignment
import ArgumentParser
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

    /// Nil for the parser's own errors, which it prints itself.
    init?(_ error: any Error) {
        switch error {
        case let error as MediaError:
            exitCode = Self.exitCode(of: error.code)
            message = error.worded(\.flag)
        case is CurveError, is FormulaError, is PlotError, is AlignmentError, is CompositionError,
            is StoryError, is StoryCheckError:
            exitCode = 65
            message = String(describing: error)
        case let error as TimeError:
            exitCode = 64
            message = error.description
        case let error as Interruption.Ended:
            exitCode = error.exitCode
            message = Interruption.sentence
        case is CancellationError:
            exitCode = 130
            message = Interruption.sentence
        case is ValidationError, is ExitCode, is CleanExit:
            return nil
        default:
            // The parser gives `.failure` to every error that isn't its own.
            guard TimeWarpCommand.exitCode(for: error) == .failure else {
                return nil
            }
            exitCode = 70
            message = "internal error: \(error)"
        }
    }

    private static func exitCode(of code: MediaError.Code) -> Int32 {
        switch code {
        case .noInput: 66
        case .damaged, .unsupported, .noUsableStream: 65
        case .incompatible: 64
        case .exists, .cannotCreate: 73
        case .readFailed, .diskFailed, .writeFailed: 74
        default: 70
        }
    }
}
