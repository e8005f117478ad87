import Foundation
import LocalServer
import Media
import Overview

/// The small frames of the clips that the page plays backwards or quickly: the latest ones are kept in memory.
actor FrameCache {
    private struct Place: Hashable {
        let file: FileVersion
        let second: Int
    }

    private var kept: [Place: Data] = [:]
    /// The places in `kept`, the latest last.
    private var order: [Place] = []
    private var byteCount = 0
    private var opened = LastRead<FrameImages>()
    private var work = SerialWork()

    /// How many bytes are kept at most.
    private static let mostBytes = 96 << 20

    /// The frames of a second of a file.
    ///
    /// - Returns: the number of frames; for each its time in seconds and the size of its image in bytes; then the
    ///   images (JPEG). Numbers are little-endian: the number and the sizes unsigned with 32 bits, the times floating
    ///   with 64.
    /// - Throws: ``StudioError`` if there are none.
    func frames(in path: String, second: Int, isBackwards: Bool) async throws -> Data {
        let place = Place(file: FileVersion(path), second: second)
        if kept[place] == nil {
            let decoding = work.run { try await self.decode(place, isBackwards) }
            try await withTaskCancellationHandler {
                try await decoding.value
            } onCancel: {
                decoding.cancel()
            }
        }
        guard let data = kept[place] else {
            throw StudioError(.notFound, "There are no frames at this place.")
        }
        touch(place)
        return data
    }

    /// The response to a request that names the second, and which way the page plays.
    func response(for request: Request, in path: String) async throws -> Response {
        guard let second = request.query["second"].flatMap(Int.init) else {
            throw StudioError(.badRequest, "The request names no second.")
        }
        let data = try await frames(
            in: path, second: second, isBackwards: request.query["way"] == "back")
        return Response(
            status: .ok,
            headers: [.contentType: "application/octet-stream", .cacheControl: "no-store"],
            body: .data(data))
    }

    private func decode(_ place: Place, _ isBackwards: Bool) async throws {
        guard kept[place] == nil, !Task.isCancelled else {
            return
        }
        do {
            let images = try await images(in: place.file)
            let found = try await runBlocking { checkCancelled in
                try images.images(
                    at: place.second, isBackwards: isBackwards, checkCancelled: checkCancelled)
            }
            for (second, images) in found where second != place.second {
                keep(images, at: Place(file: place.file, second: second))
            }
            found[place.second].map { keep($0, at: place) }
        } catch let error as MediaError {
            throw StudioError(.unsupportedMediaType, error.sentence)
        }
    }

    private func images(in file: FileVersion) async throws -> FrameImages {
        if let images = opened[file] {
            return images
        }
        let images = try await runBlocking { checkCancelled in
            try FrameImages(of: try Asset(at: file.path), checkCancelled: checkCancelled)
        }
        opened[file] = images
        return images
    }

    private func keep(_ second: FrameImages.Second, at place: Place) {
        guard kept[place] == nil else {
            return
        }
        var writer = ByteWriter(capacity: second.images.reduce(0) { $0 + $1.count + 16 })
        writer.add(UInt32(second.times.count))
        for (time, image) in zip(second.times, second.images) {
            writer.add(time.bitPattern)
            writer.add(UInt32(image.count))
        }
        for image in second.images {
            image.withUnsafeBytes { writer.add($0) }
        }
        let data = Data(writer.bytes)
        kept[place] = data
        order.append(place)
        byteCount += data.count
        while byteCount > Self.mostBytes, order.count > 1 {
            byteCount -= kept.removeValue(forKey: order.removeFirst())?.count ?? 0
        }
    }

    private func touch(_ place: Place) {
        order.removeAll { $0 == place }
        order.append(place)
    }
}
