import DequeModule
import Synchronization

/// Decoded frames, those that were shown last: who comes back to them needn't decode from a keyframe on again.
package final class FrameCache: Sendable {
    /// What a frame is one of: a stream of a file as it is now, in a size.
    struct Source: Hashable {
        let path: String
        let stamp: FileStamp?
        let stream: Int
        let shortSide: Int?
    }

    private struct Place: Hashable {
        let source: Source
        let number: Int
    }

    private struct State {
        var frames: [Place: (frame: Frame, use: Int)] = [:]
        /// All uses, the latest at the end. Only the last one of a frame counts.
        var uses: Deque<(place: Place, use: Int)> = []
        var useCount = 0
        var byteCount = 0
        /// That of the frame that was kept last.
        var form: StoredForm?
    }

    private let most: Int
    private let state = Mutex(State())

    /// - Parameter bytes: how much the frames may take.
    package init(bytes: Int) {
        most = bytes
    }

    /// A frame by its number, if it is here.
    subscript(source: Source, number: Int) -> Frame? {
        state.withLock { state in
            let place = Place(source: source, number: number)
            guard let found = state.frames[place] else {
                return nil
            }
            use(found.frame, at: place, &state)
            return found.frame
        }
    }

    /// Whether no frame is here.
    package var isEmpty: Bool { state.withLock(\.frames.isEmpty) }

    /// Gives all memory back.
    package func removeAll() {
        state.withLock { $0 = State() }
    }

    /// Keeps a copy of a frame, in place of those that weren't used for longest. Without memory for it nothing is kept.
    func keep(_ frame: Frame, of source: Source, number: Int) {
        state.withLock { state in
            let place = Place(source: source, number: number)
            if let kept = state.frames[place]?.frame {
                use(kept, at: place, &state)
                return
            }
            guard let form = try? StoredForm.of(frame, after: state.form),
                let copy = try? form.copy(of: frame)
            else {
                return
            }
            state.form = form
            state.byteCount += copy.byteCount
            use(copy, at: place, &state)
            while state.byteCount > most, let oldest = state.uses.popFirst() {
                guard let old = state.frames[oldest.place], old.use == oldest.use else {
                    continue
                }
                state.frames[oldest.place] = nil
                state.byteCount -= old.frame.byteCount
            }
        }
    }

    private func use(_ frame: Frame, at place: Place, _ state: inout State) {
        state.useCount += 1
        state.frames[place] = (frame, state.useCount)
        state.uses.append((place, state.useCount))
        // Forgotten uses don't pile up where few frames are used again and again.
        if state.uses.count > 2 * state.frames.count + 64 {
            let frames = state.frames
            state.uses.removeAll { frames[$0.place]?.use != $0.use }
        }
    }
}
