import Exchange
import Foundation
import Media
import TimeWarp

extension MediaLibrary {
    /// Has a copy made that every browser plays, because one couldn't play the clip as it is.
    ///
    /// - Throws: ``StudioError`` if there is no clip with that identity.
    func wantProxy(_ id: String) async throws -> MediaRecord {
        let changed = await store.media.change(id) { record in
            guard record.playback == .direct else {
                return false
            }
            record.playback = .waiting
            return true
        }
        guard let changed else {
            return try await record(id)
        }
        look(at: changed)
        events.send(.media, MediaResponse(changed))
        return changed
    }

    /// Makes posters, film strips, waveforms and playable copies, one clip after another, until the task is
    /// cancelled.
    func makePictures() async {
        async let overviews: Void = work(through: self.overviews.stream) { record in
            record.analysis == .waiting ? try await self.makeOverview(of: record) : nil
        }
        async let proxies: Void = work(through: self.proxies.stream) { record in
            record.playback == .waiting ? try await self.makeProxy(of: record) : nil
        }
        _ = await (overviews, proxies)
    }

    /// Stores what was made of a clip. Posters and copies are made concurrently, and a clip changes meanwhile, so each
    /// changes only its own fields of the record as it is then.
    private typealias Made = @Sendable (inout MediaRecord) -> Void

    /// - Parameter make: returns nil if nothing had to be made.
    private func work(
        through clips: AsyncStream<String>,
        _ make: @escaping @Sendable (MediaRecord) async throws -> Made?
    ) async {
        for await id in clips {
            let task = Task { await self.make(id, make) }
            making[id, default: []].append(task)
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            making[id]?.removeAll { $0 == task }
        }
    }

    private func make(
        _ id: String, _ make: @Sendable (MediaRecord) async throws -> Made?
    ) async {
        // The clip may have been removed meanwhile. Cancelled work is done again at the next start.
        guard let record = await store.media.find(id),
            let made = try? await make(record), !Task.isCancelled
        else {
            return
        }
        // A clip that was changed meanwhile has been queued again.
        let kept = await store.media.change(id) { [stamp = record.stamp] record in
            guard record.stamp == stamp else {
                return false
            }
            made(&record)
            return true
        }
        guard let kept else {
            return
        }
        events.send(.media, MediaResponse(kept))
        if ProjectFormats.all.includes(kept.file) {
            look(at: kept)
        }
    }

    private func makeOverview(of record: MediaRecord) async throws -> Made {
        do {
            let strip = try await MediaPictures.make(
                of: try await shownAsset(of: record), in: try folder(for: record.id))
            return { ($0.analysis, $0.strip) = (.ready, strip) }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return { $0.analysis = .failed }
        }
    }

    /// The file that the page shows: a composition's playable copy, else the clip itself.
    func shownAsset(of record: MediaRecord) async throws -> Asset {
        if let asset = try await open(record.id).source.asset {
            return asset
        }
        let path = path(of: .proxy, record.id)
        return try await runBlocking { _ in try Asset(at: path) }
    }

    /// The path of the file that the page plays: the clip itself, or its playable copy.
    ///
    /// - Throws: ``StudioError`` if the clip no longer exists, or isn't ready to be played.
    func playedFile(_ id: String) async throws -> String {
        let record = try await record(id)
        switch record.playback {
        case .direct: return path(of: record)
        case .proxy: return path(of: .proxy, id)
        case .waiting, .failed:
            throw StudioError(.notFound, "This clip can't be played yet.")
        }
    }

    private func makeProxy(of record: MediaRecord) async throws -> Made {
        do {
            _ = try folder(for: record.id)
            try await MediaPictures.makeProxy(
                of: try await open(record.id).source, at: path(of: .proxy, record.id), threads: 1)
            return { $0.playback = .proxy }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return { record in
                record.playback = .failed
                if ProjectFormats.all.includes(record.file) {
                    record.analysis = .failed
                }
            }
        }
    }

    func folder(for id: String) throws -> String {
        let path = workspace.path(to: cacheFolder(of: id))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
