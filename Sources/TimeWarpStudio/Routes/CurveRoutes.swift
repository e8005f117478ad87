import Foundation
import LocalServer
import TimeMaps
import TimeWarp

/// The routes of curves: evaluate a job, list the built-in curves, and store named curves.
struct CurveRoutes {
    let store: StudioStore
    let library: MediaLibrary
    let events: StudioEvents

    func add(to router: inout Router) {
        router.post("api/evaluate") { request in
            let job = try JobRequest(json: try await request.json())
            let (record, source) = try await library.open(job.clip.media)
            let reference = await library.name(of: job.reference)
            let detail = try request.detail
            // Formulas may take a while, and other requests must be handled meanwhile.
            let evaluation = try await runBlocking { _ in
                try JobEvaluation.of(
                    job, source: source, name: record.name, reference: reference,
                    detail: detail)
            }
            return try Response.json(evaluation)
        }
        router.post("api/hit") { request in
            let hit = try HitRequest(json: try await request.json())
            let (_, source) = try await library.open(hit.request.clip.media)
            return try Response.json(
                try await runBlocking { try hit.response(for: source, checkCancelled: $0) })
        }
        router.post("api/match") { request in
            let match = try MatchRequest(json: try await request.json())
            let (record, source) = try await library.open(match.media)
            guard let asset = source.asset else {
                throw StudioError(
                    .unprocessableContent,
                    "Sound is compared in recordings, and \(record.name) is an edit.")
            }
            let reference = try await library.record(match.reference)
            return try Response.json(
                try await match.response(
                    for: asset, library.shownAsset(of: reference), named: reference.name))
        }
        router.post("api/export") { request in
            let export = try ExportRequest(json: try await request.json())
            let (record, source) = try await library.open(export.request.clip.media)
            return try Response.json(
                try await runBlocking { _ in
                    try export.request.editorFile(
                        of: source, name: record.name, format: export.format)
                })
        }
        router.get("api/curve-kinds") { _ in
            try Response.json(CurveKinds())
        }
        router.get("api/curves") { _ in
            let records = await store.curves.list()
            let curves = try await runBlocking { _ in records.compactMap { try? CurveResponse($0) }
            }
            return try Response.json(["curves": curves])
        }
        router.post("api/curves") { request in
            let record = try NamedCurve(json: try await request.json())
                .record(Secret.make(bytes: 8))
            return try await keep(record, status: .created)
        }
        router.put("api/curves/:id") { request in
            let id = try await known(request.identity).id
            let record = try NamedCurve(json: try await request.json()).record(id)
            return try await keep(record, status: .ok)
        }
        router.delete("api/curves/:id") { request in
            try await store.curves.remove(known(request.identity).id)
            events.send("curves", NoContent())
            return Response.done
        }
        router.get("api/curves/:id/file") { request in
            let record = try await known(request.identity)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/json",
                    .contentDisposition: FileResponse.disposition(record.name + ".json"),
                ],
                body: .data(Data(record.curve.utf8)))
        }
    }

    private func known(_ id: String) async throws -> CurveRecord {
        guard let record = await store.curves.find(id) else {
            throw StudioError(.notFound, "This curve no longer exists.")
        }
        return record
    }

    private func keep(_ record: CurveRecord, status: Response.Status) async throws -> Response {
        // Making the response reads the curve, so an unreadable curve throws here and isn't stored.
        let answer = try await runBlocking { _ in try CurveResponse(record) }
        try await store.curves.save(record)
        events.send("curves", NoContent())
        return try Response.json(answer, status: status)
    }
}

/// A curve and its name, as the page sends them.
private struct NamedCurve: Decodable {
    let name: String
    let curve: Curve

    init(json: Data) throws {
        try self.init(sent: json, field: .curve)
    }

    func record(_ id: String) throws -> CurveRecord {
        let name = String(name.trimmingCharacters(in: .whitespacesAndNewlines).prefix(100))
        guard !name.isEmpty else {
            throw StudioError(.badRequest, "Give the curve a name.")
        }
        let file = String(decoding: try curve.json(), as: UTF8.self)
        return CurveRecord(id: id, name: name, curve: file, changed: Date())
    }
}

private struct CurveResponse: Encodable {
    let id: String
    let name: String
    let curve: CurveFileContent
    let changed: Date
    /// Nil if the curve is one of keyframes, which the page draws itself, or if it can't be evaluated.
    let samples: CurveSamples?

    init(_ record: CurveRecord) throws {
        id = record.id
        name = record.name
        do {
            let curve = try Curve(json: Data(record.curve.utf8))
            self.curve = CurveFileContent(curve: curve)
            samples = CurveSamples(curve)
        } catch {
            throw JobError(error, field: .curve)
        }
        changed = record.changed
    }
}

/// The built-in curves, with samples from which the page draws small pictures.
private struct CurveKinds: Encodable {
    struct Kind: Encodable {
        let name: String
        let usesModifier: Bool
        let samples: CurveSamples
    }
    let kinds: [Kind]
    let `default` = BuiltInCurve.defaultCurve.rawValue

    init() throws {
        kinds = try BuiltInCurve.allCases.map { curve in
            Kind(
                name: curve.rawValue, usesModifier: curve.usesModifier,
                samples: CurveSamples(try curve.timeScale(factor: 2, modifier: 0.5)))
        }
    }
}

/// The time scale at evenly spaced places on [0,1].
private struct CurveSamples: Encodable {
    let u: [Double]
    let scale: [Double]

    private static let count = 65

    init(_ timeScale: any TimeScale) {
        u = (0..<Self.count).map { Double($0) / Double(Self.count - 1) }
        scale = u.map(timeScale.value)
    }

    init?(_ curve: Curve) {
        if case .keyframes = curve.shape {
            return nil
        }
        // How long the clip lasts matters only to keyframes in seconds, within components.
        guard let timeScale = try? curve.timeScale(duration: RationalTime(10, over: 1)) else {
            return nil
        }
        self.init(timeScale)
        guard scale.allSatisfy(\.isFinite) else {
            return nil
        }
    }
}

extension Request {
    /// The part of the curve that is looked at closely: `from` and `to` in the query, on [0,1].
    fileprivate var detail: ClosedRange<Double>? {
        get throws {
            guard let from = query["from"], let to = query["to"] else {
                return nil
            }
            guard let from = Double(from), let to = Double(to), 0 <= from, from < to, to <= 1 else {
                throw StudioError(.badRequest, "A part of the curve rises and lies within 0 to 1.")
            }
            return from...to
        }
    }

    /// The largest size of a JSON body, in bytes.
    static let largestJSON = 256 << 10

    /// The body of a request with JSON.
    ///
    /// - Throws: ``StudioError`` if it is larger than ``largestJSON``.
    func json() async throws -> Data {
        do {
            return try await body.data(most: Self.largestJSON)
        } catch is RequestBody.TooLarge {
            throw StudioError(.contentTooLarge, "The request is larger than 256 KiB.")
        }
    }
}
