import Media
import TimeWarp
import Verification

/// A plan that is rendered, or joined from its pieces: it shows notes and progress, and writes the report.
struct PlanRun {
    let plan: RenderPlan
    let progress: ProgressStyle
    /// The path of the report; nil for none.
    let report: String?
    /// What is done about a report that exists.
    let existing: ExistingOutput

    init(
        _ plan: RenderPlan, progress: ProgressStyle, report: String?, existing: ExistingOutput
    ) {
        (self.plan, self.progress) = (plan, progress)
        (self.report, self.existing) = (report, existing)
    }

    /// Renders the plan, or joins it.
    ///
    /// - Parameter pieces: those that were rendered before; nil to render it.
    func run(joining pieces: RenderedPieces? = nil) async throws {
        for warning in plan.warnings {
            Message.note(warning)
        }
        if plan.settings.resources.jobs > 1 || plan.settings.resources.pieces != nil {
            // This makes the output reproducible: the same input and cuts give the same bytes.
            OwnProcess.handOutZeros()
        }
        var printer = ProgressPrinter(progress)
        let renderer = Renderer(secondsBetweenPreviews: nil)
        let events =
            plan.isPiped
            ? renderer.run(plan, writing: StandardOutput.pass)
            : pieces.map { renderer.run(plan, joining: $0) } ?? renderer.run(plan)
        for try await event in events {
            printer.show(event)
            if case .finished(let report) = event {
                try await finish(report)
            }
        }
        try Task.checkCancellation()
    }

    private func finish(_ report: RenderReport) async throws {
        for warning in report.warnings where !plan.warnings.contains(warning) {
            Message.note(warning)
        }
        guard let path = self.report else {
            return
        }
        let verification: VerificationReport
        do {
            verification = try await measured()
        } catch let error as CancellationError {
            Message.note(
                "\(report.output) is complete, but the report was not written")
            throw error
        }
        for fault in verification.faults {
            StandardError.print("timewarp: measured: \(fault.sentence)")
        }
        try JSONOutput.write(
            MeasuredReport(report: report, verification: verification), as: "report/1", to: path,
            existing: existing)
    }

    /// The finished file, measured against its sources.
    private func measured() async throws -> VerificationReport {
        var verifier = Verifier(plan)
        verifier.stretches = Self.stretchesMeasured
        return try await verifier.verify()
    }

    /// How many seconds of the output a report compares with the source, spread evenly. Comparing everything
    /// would take as long as the render.
    private static let stretchesMeasured = 12
}

/// The content of a report file: the render's own figures, and the measurements against the source.
private struct MeasuredReport: Encodable {
    let report: RenderReport
    let verification: VerificationReport

    private enum CodingKeys: CodingKey {
        case verification
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(verification, forKey: .verification)
    }
}
