import Alignment
import Foundation
import Media
import TimeMaps
import TimeWarp

/// A request to compare the sound of a clip with that of another recording of the same event.
struct MatchRequest: SentJSON, Sendable {
    /// What is made of the comparison.
    enum Way: String, Decodable, CaseIterable, Sendable {
        /// The clip is laid beside the other recording, in several pieces if its clock changes.
        case match
        /// The clip becomes as long as the other recording, if the difference is clock drift.
        case like
    }

    /// The clip that is stretched.
    let media: String
    /// The clip whose clock counts.
    let reference: String
    let way: Way

    init(json: Data) throws {
        try self.init(sent: json, field: .match)
    }

    /// Compares the sound, which takes some seconds for an hour of it.
    ///
    /// - Parameter name: the reference's name, for errors.
    /// - Throws: ``JobError`` if the recordings don't match, or one can't be read; `CancellationError`.
    func response(
        for asset: Asset, _ reference: Asset, named name: String
    ) async throws -> MatchResponse {
        do {
            switch way {
            case .match: return try MatchResponse(try await .of(asset, matching: reference))
            case .like: return try MatchResponse(try await .of(asset, like: reference))
            }
        } catch let error as AlignmentError {
            // The paths mean nothing to the page.
            let paths = "\(asset.path) and \(reference.path): "
            let reason = error.reason.replacing(paths, with: "", maxReplacements: 1)
            throw JobError(
                message: reason.prefix(1).uppercased() + reason.dropFirst() + ".", field: .match)
        } catch let error as MediaError {
            throw JobError(
                message: error.sentence.replacing(reference.path, with: name), field: .match)
        }
    }
}

/// How a clip is stretched to match another recording, and how well that is known.
struct MatchResponse: Codable, Sendable {
    /// How far the sound agrees.
    struct Agreement: Codable, Sendable {
        /// The windows that matched: pairs of seconds in the clip and in the reference.
        let windows: [[Double]]
        let windowCount: Int
        let windowsMatched: Int
        /// The root mean square and the largest distance of the windows from the lines, in seconds.
        let residual: Double
        let largestResidual: Double
        /// Where the clip begins in the reference, in seconds; below 0 if it begins before.
        let offset: Double
    }

    /// The duration of the output, as an exact fraction of seconds.
    let duration: String
    /// Pairs of seconds in the clip and in the output; empty if the clip is stretched evenly as a whole.
    let anchors: [[Double]]
    /// How much longer the output is than the clip, in parts per million.
    let partsPerMillion: Double
    let millisecondsPerHour: Double
    /// Nil if the sound wasn't compared.
    let agreement: Agreement?
    let notes: [String]

    init(_ stretch: Stretch) throws {
        duration = "\(stretch.duration.value)/\(stretch.duration.timescale)"
        partsPerMillion = stretch.drift.partsPerMillion
        millisecondsPerHour = stretch.drift.millisecondsPerHour
        notes = stretch.notes
        anchors = stretch.anchors.map { [$0.source.seconds, $0.output.seconds] }
        agreement = stretch.alignment.map { alignment in
            Agreement(
                windows: alignment.windows.map { [$0.time, $0.referenceTime] },
                windowCount: alignment.windowCount, windowsMatched: alignment.windowsMatched,
                residual: alignment.residualRMSSeconds,
                largestResidual: alignment.residualMaxSeconds, offset: alignment.offsetSeconds)
        }
    }
}
