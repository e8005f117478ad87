import Foundation
import GRDB
import Media

/// What the studio knows, kept in SQLite: it outlives the program.
struct StudioStore: Sendable {
    private let database: DatabaseQueue

    /// Opens the database of a workspace, and makes it if need be.
    ///
    /// - Throws: ``MediaError`` when it isn't one, or was made by a later version.
    init(of workspace: Workspace) throws {
        do {
            database = try DatabaseQueue(path: workspace.database)
            let migrator = Self.migrator
            guard try database.read({ try !migrator.hasBeenSuperseded($0) }) else {
                throw MediaError(
                    .unsupported, file: workspace.database,
                    reason: "it was made by a later version of this program",
                    remedy: "Use that version, or another --workspace")
            }
            try migrator.migrate(database)
        } catch let error as DatabaseError {
            throw MediaError(
                .damaged, file: workspace.database,
                reason: "the studio's database can't be used: \(error.message ?? "unknown")",
                remedy: "Move it away to begin anew, or choose another --workspace")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.create(table: MediaRecord.databaseTableName) { table in
                table.primaryKey("id", .text)
                for column in ["name", "file", "origin", "analysis", "playback"] {
                    table.column(column, .text).notNull()
                }
                table.column("bytes", .integer).notNull()
                table.column("added", .datetime).notNull()
                table.column("facts", .jsonText).notNull()
                table.column("strip", .jsonText)
            }
            try database.create(table: CurveRecord.databaseTableName) { table in
                table.primaryKey("id", .text)
                table.column("name", .text).notNull()
                table.column("curve", .jsonText).notNull()
                table.column("changed", .datetime).notNull()
            }
            try database.create(table: RenderRecord.databaseTableName) { table in
                table.primaryKey("id", .text)
                for column in ["media", "name", "file", "command", "state"] {
                    table.column(column, .text).notNull()
                }
                table.column("order", .jsonText).notNull()
                table.column("turn", .integer).notNull()
                table.column("created", .datetime).notNull()
                table.column("ended", .datetime)
                table.column("outputDuration", .double).notNull()
                table.column("bytes", .integer)
                table.column("error", .text)
                table.column("report", .jsonText)
            }
            try database.create(table: "desk") { table in
                table.primaryKey("id", .integer)
                table.column("content", .jsonText).notNull()
            }
        }
        return migrator
    }

    /// Writes a record: anew, or over the one with its identity.
    func save(_ record: some PersistableRecord & Sendable) async throws {
        try await database.write { try record.save($0) }
    }

    /// Removes the record of an identity, if there is one.
    func remove<Record: TableRecord>(_: Record.Type, _ id: String) async throws {
        try await database.write { _ = try Record.deleteOne($0, key: id) }
    }

    /// The record of an identity.
    func find<Record: FetchableRecord & TableRecord & Sendable>(
        _: Record.Type, _ id: String
    ) async throws -> Record? {
        try await database.read { try Record.fetchOne($0, key: id) }
    }

    /// All clips, the newest first.
    func media() async throws -> [MediaRecord] {
        try await database.read { try MediaRecord.order(Column("added").desc).fetchAll($0) }
    }

    /// Notes what was made of a clip: poster and the like, and a playable copy, which are made side by
    /// side.
    ///
    /// - Returns: all that is known of it; nil when it is gone.
    func change(_ id: String, to made: MediaRecord) async throws -> MediaRecord? {
        try await database.write { database in
            guard var record = try MediaRecord.fetchOne(database, key: id) else {
                return nil
            }
            if made.analysis != .waiting {
                (record.analysis, record.strip) = (made.analysis, made.strip)
            }
            if made.playback != .waiting {
                record.playback = made.playback
            }
            try record.update(database)
            return record
        }
    }

    /// All curves, by name.
    func curves() async throws -> [CurveRecord] {
        try await database.read { try CurveRecord.order(Column("name")).fetchAll($0) }
    }

    /// All renders, the newest first.
    func renders() async throws -> [RenderRecord] {
        try await database.read {
            try RenderRecord.order(Column("created").desc, Column("turn").desc).fetchAll($0)
        }
    }

    /// Takes the render whose turn is next out of the queue: nobody else gets it.
    func claimNextRender() async throws -> RenderRecord? {
        try await database.write { database in
            let next =
                try RenderRecord
                .filter(Column("state") == RenderRecord.State.queued.rawValue)
                .order(Column("turn")).fetchOne(database)
            guard var record = next else {
                return nil
            }
            record.state = .running
            try record.update(database)
            return record
        }
    }

    /// Changes a render that is in a state.
    ///
    /// - Returns: what it is now; nil when it is gone, or in another state.
    func change(
        _ id: String, from state: RenderRecord.State,
        _ change: @escaping @Sendable (inout RenderRecord) -> Void
    ) async throws -> RenderRecord? {
        try await database.write { database in
            guard var record = try RenderRecord.fetchOne(database, key: id), record.state == state
            else {
                return nil
            }
            change(&record)
            try record.update(database)
            return record
        }
    }

    /// What the page left here, as JSON.
    func desk() async throws -> String? {
        try await database.read { try String.fetchOne($0, sql: "SELECT content FROM desk") }
    }

    func keep(desk: String) async throws {
        try await database.write {
            try $0.execute(
                sql: "INSERT OR REPLACE INTO desk (id, content) VALUES (1, ?)", arguments: [desk])
        }
    }
}
