import TimeMaps

extension PlaybackTimeline {
    /// Moves playback exactly to a time, at once. It replaces a seek that hasn't landed yet.
    ///
    /// - Parameter time: media time; a time outside of the media is replaced by the nearest end.
    /// - Returns: the media time where playback is now.
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

    /// Moves playback to a time, or near it if that is cheaper: to the nearest of the timeline's ``SeekPoints``
    /// within the tolerance (the earlier one if two are equally near), otherwise exactly to the time.
    ///
    /// Playback continues unchanged until the seek lands. A seek that begins before this one has landed
    /// replaces it.
    ///
    /// - Parameters:
    ///   - time: media time; a time outside of the media is replaced by the nearest end.
    ///   - before: how much earlier than `time` it may land, 0 or more. The media's duration allows any earlier
    ///     time.
    ///   - after: how much later than `time` it may land, likewise.
    /// - Returns: where the seek landed, or that a later seek replaced it.
    /// - Throws: ``PlaybackError`` for a negative tolerance, the errors of looking up seek points, and
    ///   `CancellationError`. Playback hasn't moved then.
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

    /// Begins a seek that replaces the one before.
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
