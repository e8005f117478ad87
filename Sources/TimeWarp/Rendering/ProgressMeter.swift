import Foundation
import Synchronization

/// Turns what stages say of their advance into events, not more than ten a second.
final class ProgressMeter: Sendable {
    private struct State {
        var lastEvent = -Double.infinity
        var frames: Int64 = 0
    }
    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let duration: Double
    private let emit: @Sendable (RenderEvent) -> Void

    init(duration: Double, emit: @escaping @Sendable (RenderEvent) -> Void) {
        self.duration = duration
        self.emit = emit
    }

    /// Seconds since the render started.
    var elapsedSeconds: Double {
        (ContinuousClock.now - start) / .seconds(1)
    }

    /// Says how much of the output is done.
    func reached(_ outputSeconds: Double, frames: Int64) {
        let elapsed = elapsedSeconds
        let isDue = state.withLock { state in
            guard elapsed - state.lastEvent >= 0.1 else {
                return false
            }
            state.lastEvent = elapsed
            return true
        }
        if isDue {
            emit(.progress(progress(outputSeconds, frames: frames, elapsed: elapsed)))
        }
    }

    /// The last progress event: all of it.
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

    /// Hands out a preview.
    func show(_ preview: PreviewImage) {
        emit(.preview(preview))
    }
}
