import Foundation
import Media
import TimeWarp

/// What of a job's video smart rendering keeps, or would keep.
struct KeepingEstimate: Codable, Sendable {
    /// In seconds of the output.
    let kept: Double
    /// In seconds of the output.
    let encoded: Double
    /// Why most of what is encoded is; nil if nothing is.
    let reason: String?
}

extension KeepingEstimate {
    /// - Throws: ``JobError``, or what planning throws.
    /// - Complexity: a pass over the clip's file.
    static func of(_ request: JobRequest, source: MediaSource) throws -> KeepingEstimate {
        var job = try request.job(of: source, to: request.name)
        job.settings.video.keepsPackets = true
        let plan = try RenderPlan(measuring: job, MediaCatalogue(holding: source))
        guard let keeping = plan.video.first?.keeping else {
            return KeepingEstimate(kept: 0, encoded: 0, reason: nil)
        }
        return KeepingEstimate(
            kept: keeping.keptSeconds, encoded: keeping.encodedSeconds,
            reason: keeping.encoded.first?.reason.replacingOccurrences(
                of: source.path + ": ", with: ""))
    }
}
