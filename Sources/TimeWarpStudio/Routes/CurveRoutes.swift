import Foundation
import LocalServer
import TimeMaps
import TimeWarp

/// The part of the API about curves: evaluate a job, say what can be done, and store named curves.
struct CurveRoutes {
    let store: StudioStore
    let library: MediaLibrary
    let events: StudioEvents

    func add(to api: inout API) {
        api.get(
            "api/capabilities", "What the program can do: codecs, curves, formats and the like."
        ) {
            _ in try Capabilities.current.get()
        }
        api.send(
            "api/evaluate", "Evaluate a job: its time map, sampled curve and figures.",
            queries: [.number("from"), .number("to")]
        ) { (request, job: JobRequest) in
            let (record, source) = try await library.open(job.clip.media)
            let reference = await library.name(of: job.reference)
            let detail = try request.detail
            // Formulas may take a while, and other requests must be handled meanwhile.
            return try await runBlocking { _ in
                try JobEvaluation.of(
                    job, source: source, name: record.name, reference: reference,
                    detail: detail)
            }
        }
        api.send(
            "api/keeping", "Say what of a job's video smart rendering keeps, or would keep."
        ) { (_, job: JobRequest) in
            let (_, source) = try await library.open(job.clip.media)
            return try await runBlocking { _ in
                try KeepingEstimate.of(job, source: source)
            }
        }
        api.send("api/keyframes", "Find keyframes that follow the curve of a job.") {
            (_, job: JobRequest) in
            let (record, source) = try await library.open(job.clip.media)
            return try await runBlocking { _ in
                KeyframeList(
                    following: try JobEvaluation.of(
                        job, source: source, name: record.name, sampleCount: 2049
                    ).curve)
            }
        }
        api.send(
            "api/hit",
            "Find how a keyframe comes to an instant of the output, such as a beat of music."
        ) { (_, hit: HitRequest) in
            let (_, source) = try await library.open(hit.request.clip.media)
            return try await runBlocking { try hit.response(for: source, checkCancelled: $0) }
        }
        api.send(
            "api/match", "Compare the sound of a clip with that of another recording."
        ) { (_, match: MatchRequest) in
            let (record, source) = try await library.open(match.media)
            guard let asset = source.asset else {
                throw StudioError(
                    .unprocessableContent,
                    "Sound is compared in recordings, and \(record.name) is an edit.")
            }
            let reference = try await library.record(match.reference)
            return try await match.response(
                for: asset, library.shownAsset(of: reference), named: reference.name)
        }
        api.send(
            "api/export", "Make a project for an editor of a job."
        ) { (_, export: ExportRequest) in
            let (record, source) = try await library.open(export.request.clip.media)
            return try await runBlocking { _ in
                try export.request.editorFile(
                    of: source, name: record.name, format: export.format)
            }
        }
        addStored(to: &api)
    }

    private func addStored(to api: inout API) {
        api.get("api/curves", "List the named curves.") { _ in
            let records = await store.curves.list()
            return try await runBlocking { _ in
                CurveList(curves: records.compactMap { try? CurveResponse($0) })
            }
        }
        api.send("api/curves", "Store a curve under a name.", status: .created) {
            (_, curve: NamedCurve) in
            try await keep(curve.record(Secret.make(bytes: 8)))
        }
        api.send("api/curves/:id", "Change a named curve.", by: .put) {
            (request, curve: NamedCurve) in
            try await keep(curve.record(known(request.identity).id))
        }
        api.act(.delete, "api/curves/:id", "Remove a named curve.") { request in
            try await store.curves.remove(known(request.identity).id)
            events.send(.curves, NoContent())
        }
        api.get(
            "api/curves/:id/file", "Get a named curve as a curve file.",
            gives: .other("application/json")
        ) { request in
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

    private func keep(_ record: CurveRecord) async throws -> CurveResponse {
        // Making the response reads the curve, so an unreadable curve throws here and isn't stored.
        let answer = try await runBlocking { _ in try CurveResponse(record) }
        try await store.curves.save(record)
        events.send(.curves, NoContent())
        return answer
    }
}

/// A curve and its name, as the page sends them.
private struct NamedCurve: SentJSON {
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

private struct CurveList: Codable {
    let curves: [CurveResponse]
}

private struct CurveResponse: Codable, SchemaNamed {
    static let schemaName = "KeptCurve"

    let id: String
    let name: String
    let curve: CurveFileContent
    let changed: Date
    /// Nil if it can't be drawn, such as a formula that isn't finite everywhere.
    let picture: CurvePicture?

    init(_ record: CurveRecord) throws {
        id = record.id
        name = record.name
        do {
            let curve = try Curve(json: Data(record.curve.utf8))
            self.curve = CurveFileContent(curve: curve)
            picture = try? CurvePicture(of: curve)
        } catch {
            throw JobError(error, field: .curve)
        }
        changed = record.changed
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
