import Exchange
import Foundation
import Media
import TimeWarp

extension MediaLibrary {
    /// Makes posters, film strips and waveforms, one clip after another, until the task is cancelled. Those of files needn't
    /// wait for those of compositions.
    func makePictures() async {
        async let files: Void = work(through: self.files.stream)
        async let compositions: Void = work(through: self.compositions.stream)
        _ = await (files, compositions)
    }

    /// Stores what was made of a clip, which may have changed meanwhile, in its record as it is then.
    private typealias Made = @Sendable (inout MediaRecord) -> Void

    private func work(through clips: AsyncStream<String>) async {
        for await id in clips {
            let task = Task { await self.make(id) }
            making[id, default: []].append(task)
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            making[id]?.removeAll { $0 == task }
        }
    }

    private func make(_ id: String) async {
        // The clip may have been removed meanwhile. Cancelled work is done again at the next start.
        guard let record = await store.media.find(id), record.analysis == .waiting,
            let made = try? await makeOverview(of: record), !Task.isCancelled
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
    }

    private func makeOverview(of record: MediaRecord) async throws -> Made {
        defer { FreedMemory.giveBack() }
        do {
            let folder = try folder(for: record.id)
            if record.isComposition {
                try await MediaPictures.makeCopy(
                    of: try await open(record.id).source, at: path(of: .copy, record.id))
            }
            let strip = try await MediaPictures.make(
                of: try await shownAsset(of: record), in: folder)
            return { ($0.analysis, $0.strip) = (.ready, strip) }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return { $0.analysis = .failed }
        }
    }

    /// The file that the page shows: a composition's copy, else the clip itself.
    func shownAsset(of record: MediaRecord) async throws -> Asset {
        if let asset = try await open(record.id).source.asset {
            return asset
        }
        let path = path(of: .copy, record.id)
        return try await runBlocking { _ in try Asset(at: path) }
    }

    func folder(for id: String) throws -> String {
        let path = workspace.path(to: cacheFolder(of: id))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
