import Foundation
import Media

/// A record of the studio (a clip, a curve, a render), kept in its own file.
protocol StudioRecord: Codable, Sendable {
    /// The identity, which also names the file: letters and digits.
    var id: String { get }
}

/// The records of one kind. All are in memory, and each is in a JSON file that is replaced atomically.
///
/// Only one process at a time uses them (``WorkspaceLock``). There are few: a person makes each of them.
actor RecordFolder<Record: StudioRecord> {
    private let path: String
    private var records: [String: Record] = [:]
    /// The identities of records that were changed and couldn't be written yet.
    private var unwritten: Set<String> = []
    /// The records that were set aside. They can be brought back until they are taken.
    private var aside: [Record] = []
    /// The end of the name of a file whose record was set aside. Reading passes over it.
    private static var asideEnding: String { ".aside" }

    /// Reads the records, and creates the folder if it doesn't exist.
    ///
    /// - Throws: ``MediaError`` if the folder can't be created, or a file isn't a record.
    init(at path: String) throws {
        self.path = path
        for file in try Self.files(in: path, ending: ".json") {
            let record = try Self.read(file)
            records[record.id] = record
        }
        // What can't be read isn't wanted anyway.
        aside = try Self.files(in: path, ending: Self.asideEnding).compactMap { try? Self.read($0) }
    }

    private static func files(in path: String, ending: String) throws -> [String] {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map { path + "/" + $0 }
        } catch {
            throw MediaError(
                .cannotCreate, file: path,
                reason: "the studio's records can't be stored: \(error.localizedDescription)",
                remedy: "Choose another \(.workspace)")
        }
    }

    private static func read(_ file: String) throws -> Record {
        do {
            let decoder = JSONDecoder()
            decoder.userInfo[.isRecord] = true
            return try decoder.decode(
                Record.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        } catch {
            throw MediaError(
                .damaged, file: file, reason: "this record of the studio can't be read",
                remedy: "Move the file away to continue without it, or choose another \(.workspace)"
            )
        }
    }

    /// All records, in no particular order.
    func all() -> [Record] {
        Array(records.values)
    }

    func find(_ id: String) -> Record? {
        records[id]
    }

    /// Writes a new record, or replaces the one with the same identity.
    ///
    /// - Throws: ``MediaError`` if writing fails, such as on a full disk; the earlier record is kept then.
    func save(_ record: Record) throws {
        try write(record)
        records[record.id] = record
    }

    private func write(_ record: Record) throws {
        let file = try AtomicFile(at: file(of: record.id), existing: .overwrite)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try file.write(encoder.encode(record))
        try file.publish()
        unwritten.remove(record.id)
    }

    /// Changes a record, if it exists and `change` changes it. The change counts at once: if it can't be written, such as
    /// on a full disk, ``writeLate()`` writes it later.
    ///
    /// - Parameter change: returns whether it changed anything.
    /// - Returns: the changed record; nil if it doesn't exist or wasn't changed.
    func change(_ id: String, _ change: @Sendable (inout Record) -> Bool) -> Record? {
        guard var record = records[id], change(&record) else {
            return nil
        }
        records[id] = record
        if (try? write(record)) == nil {
            unwritten.insert(id)
        }
        return record
    }

    /// Whether a record is stored as it is in memory.
    func isWritten(_ id: String) -> Bool { !unwritten.contains(id) }

    /// Tries again to write the records that couldn't be written.
    ///
    /// - Returns: those that are written now.
    func writeLate() -> [Record] {
        unwritten.compactMap { records[$0] }.filter { (try? write($0)) != nil }
    }

    /// Removes the record with an identity, if there is one.
    func remove(_ id: String) throws {
        guard records[id] != nil else {
            return
        }
        try FileManager.default.removeItem(atPath: file(of: id))
        forget(id)
    }

    private func forget(_ id: String) {
        records[id] = nil
        unwritten.remove(id)
    }

    /// Removes the record with an identity, if there is one, so that it can be brought back.
    func setAside(_ id: String) throws {
        guard let record = records[id] else {
            return
        }
        try FileManager.default.moveItem(atPath: file(of: id), toPath: asideFile(of: id))
        forget(id)
        aside.append(record)
    }

    /// Brings back a record that was set aside.
    ///
    /// - Returns: nil if there is none with that identity.
    func bringBack(_ id: String) throws -> Record? {
        guard let place = aside.firstIndex(where: { $0.id == id }) else {
            return nil
        }
        try FileManager.default.moveItem(atPath: asideFile(of: id), toPath: file(of: id))
        records[id] = aside.remove(at: place)
        return records[id]
    }

    /// Forgets the records that were set aside, and returns them.
    func takeAside() -> [Record] {
        defer { aside = [] }
        for record in aside {
            try? FileManager.default.removeItem(atPath: asideFile(of: record.id))
        }
        return aside
    }

    private func asideFile(of id: String) -> String {
        path + "/" + id + Self.asideEnding
    }

    private func file(of id: String) -> String {
        path + "/" + id + ".json"
    }
}
