import Documents
import Foundation
import Media
import TimeMaps
import TimeWarp

/// Why a job of the page can't be carried out, and what of it causes that.
struct JobError: Error {
    enum Field: String, Codable, CaseIterable, Sendable {
        case media, curve, length, match, range, video, sound, container, sample
    }

    let message: String
    var field: Field?
    /// The column in a formula, in characters counted from 1.
    var column: Int?
    /// The place on the curve, in 0…1.
    var place: Double?
}

extension JobError {
    /// The error for what the page sent, or what can't be made of it. Nobody sees its lines and columns, but those of a
    /// formula count.
    ///
    /// - Parameters:
    ///   - field: what is blamed if the path doesn't say it.
    ///   - isOfClip: whether the path is one of a clip of a job; else it is one of what was sent.
    init(_ error: DocumentError, field: Field?, isOfClip: Bool = false) {
        let (problem, curve) = (error.problem, error.underlying as? CurveError)
        let formula = error.underlying as? FormulaError
        let (found, path) =
            isOfClip || problem.path.steps.first == .key("job")
            ? Self.found(in: problem.path) : (nil, problem.path)
        let sentence =
            curve == nil && formula == nil ? problem.message.sentence : problem.message
        self.init(
            message: path.steps.isEmpty ? sentence : "\(path): \(problem.message)",
            field: curve?.position != nil || formula != nil ? .curve : found ?? field,
            column: formula?.column, place: curve?.position)
    }

    /// What of a job a path leads to, and the rest of the path.
    private static func found(in path: DocumentPath) -> (Field?, DocumentPath) {
        let fields: [String: Field] = [
            "media": .media, "warp": .curve, "thereAndBack": .curve, "range": .range,
            "duration": .length, "oneWay": .length, "scale": .length, "speed": .length,
            "longerBy": .length,
            "anchors": .match, "video": .video, "audio": .sound, "output": .container,
        ]
        for (index, step) in path.steps.enumerated() {
            guard case .key(let key) = step, let field = fields[key] else {
                continue
            }
            let rest = DocumentPath(Array(path.steps[(index + 1)...]))
            let isSample = field == .container && rest.steps.first == .key("range")
            return (isSample ? .sample : field, field == .curve ? rest : DocumentPath())
        }
        return (nil, path)
    }

    /// Runs `body`, and adds to errors what of a job causes them.
    ///
    /// - Parameters:
    ///   - field: what is blamed.
    ///   - curve: what is blamed if the error names a place on the curve.
    static func blaming<Result>(
        _ field: Field, unlessOf curve: Field? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as DocumentError {
            throw JobError(error, field: field, isOfClip: true)
        } catch let error as CurveError {
            throw JobError(
                message: error.description, field: error.position == nil ? field : curve ?? field,
                place: error.position)
        } catch let error as MediaError {
            throw JobError(message: error.sentence, field: field)
        } catch let error as CompositionError {
            throw JobError(message: error.description.sentence, field: field)
        } catch let error as TimeError {
            throw JobError(message: error.description, field: field)
        }
    }
}

extension Decodable {
    /// Reads what the page sends.
    ///
    /// - Parameter field: what errors are about; nil for nothing.
    /// - Throws: ``JobError``.
    init(
        sent json: Data, field: JobError.Field? = nil,
        unknownKeys: JSONDocument.UnknownKeys = .ignored
    ) throws {
        do {
            self = try JSONDocument(json).decode(Self.self, unknownKeys: unknownKeys)
        } catch {
            throw JobError(error, field: field)
        }
    }
}

extension SentJSON {
    init(json: Data) throws {
        try self.init(sent: json)
    }
}

extension MediaError {
    /// The reason and the remedy, without the file's path, which means nothing to the page.
    var sentence: String { (reason + (remedy.map { ". \($0)" } ?? "")).sentence }
}

extension String {
    /// The text with a capital letter and a full stop.
    var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
