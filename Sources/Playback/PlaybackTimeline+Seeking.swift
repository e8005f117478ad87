import TimeMaps

extension PlaybackTimeline {
    /// Goes exactly to a time, at once. It overtakes a seek that hasn't landed.
    ///
    /// - Parameter time: outside of the media it stands for the nearest end.
    /// - Returns: where it landed.
    @discardableResult
    public func seek(to time: RationalTime) -> RationalTime {
        let landing = min(max(time, .zero), duration)
        let stale = perform { state, host in
            _ = state.machine.beginSeek()
            state.machine.jump(to: landing, at: host)
            defer { state.lookup = nil }
            return state.lookup?.task
        }
        stale?.cancel()
        return landing
    }

    /// Goes to a time, or near it where that is cheaper: to the nearest of the timeline's
    /// ``SeekPoints`` inside of the tolerance, the earlier one of two as near, else exactly to the
    /// time.
    ///
    /// Playback goes on as before until it lands. A seek that begins before this one has landed
    /// overtakes it.
    ///
    /// - Parameters:
    ///   - time: outside of the media it stands for the nearest end.
    ///   - before: how much earlier it may land; 0 or more, and the media's duration for anywhere.
    ///   - after: how much later it may land, likewise.
    /// - Returns: where it landed, or that it was overtaken.
    /// - Throws: ``PlaybackError`` for a negative tolerance, what looking for neighbours throws,
    ///   and `CancellationError`; nothing has moved then.
    @discardableResult
    public func seek(
        to time: RationalTime, toleranceBefore before: RationalTime,
        toleranceAfter after: RationalTime
    ) async throws -> SeekOutcome {
        let window = try SeekWindow(
            target: time, before: before, after: after, duration: duration)
        let lookup = beginLookup(window)
        let neighbours = await withTaskCancellationHandler {
            await lookup.task.result
        } onCancel: {
            lookup.task.cancel()
        }
        let isCancelled = Task.isCancelled
        return try perform { state, host throws(any Error) in
            guard !state.machine.isOvertaken(lookup.seek) else {
                return .overtaken
            }
            state.lookup = nil
            let landing = window.landing(try neighbours.get())
            guard !isCancelled else {
                throw CancellationError()
            }
            return state.machine.finishSeek(lookup.seek, at: landing, host: host)
        }
    }

    /// Begins a seek in place of the one before.
    private func beginLookup(_ window: SeekWindow) -> PlaybackState.Lookup {
        let points = window.isExact ? .anywhere : seekPoints
        let (lookup, stale) = perform { state, _ in
            let stale = state.lookup?.task
            let lookup = PlaybackState.Lookup(
                seek: state.machine.beginSeek(),
                task: Task { try await points.neighbours(window.target) })
            state.lookup = lookup
            return (lookup, stale)
        }
        stale?.cancel()
        return lookup
    }
}
