import Foundation
import Media

/// The studio's persistent records.
///
/// ```
///  WORKSPACE/studio/
///    format.json                       the version of the records
///    media/ curves/ renders/ edits/ desk/   one file per record
/// ```
struct StudioStore: Sendable {
    let media: RecordFolder<MediaRecord>
    let curves: RecordFolder<CurveRecord>
    let renders: RecordFolder<RenderRecord>
    let edits: RecordFolder<EditRecord>
    /// Holds one record: the page's own state.
    private let sessions: RecordFolder<SessionRecord>

    /// Reads the records of a workspace, and creates missing folders.
    ///
    /// - Throws: ``MediaError`` if a record is damaged, or a later version made the folder.
    init(of workspace: Workspace) throws {
        let folder = workspace.records
        try StoreFormat.require(in: folder)
        media = try RecordFolder(at: folder + "/media")
        curves = try RecordFolder(at: folder + "/curves")
        renders = try RecordFolder(at: folder + "/renders")
        edits = try RecordFolder(at: folder + "/edits")
        sessions = try RecordFolder(at: folder + "/desk")
    }

    /// The page's own state as JSON; nil if the page has stored none.
    func session() async -> String? {
        await sessions.find(SessionRecord.only)?.content
    }

    func keep(session: String) async throws {
        try await sessions.save(SessionRecord(content: session))
    }
}

/// The version of the records, so that an older program doesn't change the records of a newer one.
struct StoreFormat: Codable {
    private static let current = "studio/1"
    let timewarp: String

    /// - Throws: ``MediaError`` if a later version made the folder, or it can't be written to.
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
