import Foundation
import Media

/// What the studio knows: it outlives the program.
///
/// ```
///  WORKSPACE/studio/
///    format.json     what kind of folder this is
///    media/ curves/ renders/ desk/     a file for each record
/// ```
struct StudioStore: Sendable {
    let media: RecordFolder<MediaRecord>
    let curves: RecordFolder<CurveRecord>
    let renders: RecordFolder<RenderRecord>
    /// One record: what the page left here.
    private let desks: RecordFolder<DeskRecord>

    /// Reads what a workspace has, and makes what it lacks.
    ///
    /// - Throws: ``MediaError`` when it is damaged, or was made by a later version.
    init(of workspace: Workspace) throws {
        let folder = workspace.records
        try StoreFormat.require(in: folder)
        media = try RecordFolder(at: folder + "/media")
        curves = try RecordFolder(at: folder + "/curves")
        renders = try RecordFolder(at: folder + "/renders")
        desks = try RecordFolder(at: folder + "/desk")
    }

    /// What the page left here, as JSON.
    func desk() async -> String? {
        await desks.find(DeskRecord.only)?.content
    }

    func keep(desk: String) async throws {
        try await desks.save(DeskRecord(content: desk))
    }
}

/// What kind of folder the records lie in, so that an older program leaves a newer one's alone.
struct StoreFormat: Codable {
    private static let current = "studio/1"
    let timewarp: String

    /// - Throws: ``MediaError`` when a later version made the folder, or it can't be written to.
    static func require(in folder: String) throws {
        let path = folder + "/format.json"
        guard let data = FileManager.default.contents(atPath: path) else {
            let file = try AtomicFile(at: path, existing: .overwrite)
            try file.write(JSONEncoder().encode(StoreFormat(timewarp: current)))
            try file.publish()
            return
        }
        guard (try? JSONDecoder().decode(Self.self, from: data))?.timewarp == current else {
            throw MediaError(
                .unsupported, file: path, reason: "it was made by a later version of this program",
                remedy: "Use that version, or another \(.workspace)")
        }
    }
}
