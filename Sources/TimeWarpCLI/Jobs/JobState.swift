import Foundation
import Media
import TimeWarp

/// What is there of a job.
struct JobState: Encodable {
    enum PieceState: String, Codable {
        case done, missing, running, damaged
    }
    struct Piece: Encodable {
        let index: Int
        let state: PieceState
        let sound: Bool
        /// Its share of the work for video, from 0 to 1.
        let share: Double
        /// Who renders it; nil if nobody does.
        let worker: String?
        /// How much is rendered, from 0 to 1.
        let progress: Double
        /// What is wrong with a damaged piece.
        let fault: String?
    }
    let timewarp = "job-state/1"
    /// The absolute path.
    let output: String
    let pieces: [Piece]
    let notes: [String]

    /// How closely finished pieces are looked at.
    enum Look {
        /// Whether they are there.
        case presence
        /// They are read from start to end, to find damage.
        case content
    }

    /// Looks at every piece.
    ///
    /// - Parameter age: see ``PieceLock/taken(_:age:)``.
    /// - Throws: ``MediaError`` if a piece can't be read; `CancellationError`.
    init(of folder: JobFolder, _ plan: JobPlan, age: Double, _ look: Look) throws {
        let identity = try plan.identity()
        output = folder.here(plan.work.output)
        notes = plan.notes
        pieces = try plan.pieces.map { piece in
            try Task.checkCancellation()
            let holder = try PieceLock.holder(folder.lockFile(piece.index), age: age)
            let fault = try Self.fault(of: piece.index, in: folder, identity, look)
            let state = fault.state(isHeld: holder != nil)
            return Piece(
                index: piece.index, state: state, sound: piece.sound, share: piece.share,
                worker: state == .running ? holder?.worker : nil,
                progress: state == .done ? 1 : state == .running ? holder?.done ?? 0 : 0,
                fault: state == .damaged ? fault.sentence : nil)
        }
    }

    /// Whether a piece is there, and what is wrong with it.
    enum Finding {
        case sound, absent
        case damaged(String)

        var sentence: String? {
            if case .damaged(let sentence) = self { sentence } else { nil }
        }

        var isSound: Bool {
            if case .sound = self { true } else { false }
        }

        func state(isHeld: Bool) -> PieceState {
            switch self {
            case .sound: .done
            case .absent: isHeld ? .running : .missing
            case .damaged: isHeld ? .running : .damaged
            }
        }
    }

    static func fault(
        of index: Int, in folder: JobFolder, _ identity: String, _ look: Look
    ) throws -> Finding {
        let path = folder.pieceFile(index)
        guard try FileStamp(of: path) != nil else {
            return .absent
        }
        guard look == .content else {
            return .sound
        }
        do {
            try RenderedPieces.check(index, at: path, identity: identity)
            return .sound
        } catch let error as MediaError where error.code == .noInput {
            return .absent
        } catch let error as MediaError where error.code == .damaged {
            return .damaged(error.worded(\.flag))
        }
    }

    func indices(_ state: PieceState) -> [Int] {
        pieces.filter { $0.state == state }.map(\.index)
    }
}

/// Numbers for people: `0-3, 7`.
enum NumberList {
    static func text(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }
}
