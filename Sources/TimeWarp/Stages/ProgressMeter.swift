import Foundation
import Synchronization

/// Makes progress events of what the stages report, at most ten per second.
final class ProgressMeter: Sendable {
    private struct State {
        var lastEvent = -Double.infinity
        var frames: Int64 = 0
        var reached = 0.0
        /// Nil if frames are decoded while they are shown.
        var prepared: Double?

        /// The output seconds that are done. Decoding counts as a quarter of the work.
        var done: Double {
            prepared.map { $0 / 4 + reached * 3 / 4 } ?? reached
        }
    }
    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let duration: Double
    /// The time between previews; nil for none.
    let secondsBetweenPreviews: Double?
    private let emit: @Sendable (RenderEvent) -> Void

    init(
        duration: Double, secondsBetweenPreviews: Double? = nil,
        emit: @escaping @Sendable (RenderEvent) -> Void
    ) {
        self.duration = duration
        self.secondsBetweenPreviews = secondsBetweenPreviews
        self.emit = emit
    }

    /// The time since the render started, in seconds.
    var elapsedSeconds: Double {
        (ContinuousClock.now - start) / .seconds(1)
    }

    /// Reports how much of the output is done.
    func reached(_ outputSeconds: Double, frames: Int64) {
        advance { state in
            state.reached = outputSeconds
            state.frames = frames
        }
    }

    /// Reports how much has been decoded, where decoding is long before showing.
    func prepared(_ outputSeconds: Double) {
        advance { $0.prepared = max($0.prepared ?? 0, outputSeconds) }
    }

    /// The same for a run of presentations of which a share has been decoded.
    func prepared(_ run: [Presentation], share: Double) {
        guard let first = run.first, let last = run.last else {
            return
        }
        prepared(first.start.seconds + (last.end.seconds - first.start.seconds) * share)
    }

    private func advance(_ change: (inout State) -> Void) {
        let elapsed = elapsedSeconds
        let due = state.withLock { state -> (seconds: Double, frames: Int64)? in
            change(&state)
            guard elapsed - state.lastEvent >= 0.1 else {
                return nil
            }
            state.lastEvent = elapsed
            return (state.done, state.frames)
        }
        if let due {
            emit(.progress(progress(due.seconds, frames: due.frames, elapsed: elapsed)))
        }
    }

    /// The last progress event: everything is done.
    func finish(frames: Int64) {
        emit(.progress(progress(duration, frames: frames, elapsed: elapsedSeconds)))
    }

    private func progress(
        _ outputSeconds: Double, frames: Int64, elapsed: Double
    ) -> RenderProgress {
        let fraction = duration > 0 ? min(max(outputSeconds / duration, 0), 1) : 1
        return RenderProgress(
            fraction: fraction, frames: frames,
            framesPerSecond: elapsed > 0 ? Double(frames) / elapsed : 0, elapsedSeconds: elapsed,
            remainingSeconds: fraction > 0.01 ? elapsed * (1 - fraction) / fraction : nil)
    }

    /// Sends a preview.
    func show(_ preview: PreviewImage) {
        emit(.preview(preview))
    }
}
