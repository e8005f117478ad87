import Foundation
import Media

/// What the studio keeps of one thing, in a file of its own.
protocol StudioRecord: Codable, Sendable {
    /// Names the file: letters and digits.
    var id: String { get }
}

/// Records of one kind: all in memory, each in a JSON file that is replaced as a whole or not at all.
///
/// One process at a time has them (``WorkspaceLock``), and there are as many as a person makes.
actor RecordFolder<Record: StudioRecord> {
    private let path: String
    private var records: [String: Record] = [:]

    /// Reads them, and makes the folder if need be.
    ///
    /// - Throws: ``MediaError`` when the folder can't be made, or a file isn't a record.
    init(at path: String) throws {
        self.path = path
        for file in try Self.files(in: path) {
            let record = try Self.read(file)
            records[record.id] = record
        }
    }

    private static func files(in path: String) throws -> [String] {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { path + "/" + $0 }
        } catch {
            throw MediaError(
                .cannotCreate, file: path,
                reason: "the studio's records can't be kept: \(error.localizedDescription)",
                remedy: "Choose another \(.workspace)")
        }
    }

    private static func read(_ file: String) throws -> Record {
        do {
            return try JSONDecoder().decode(
                Record.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
        } catch {
            throw MediaError(
                .damaged, file: file, reason: "this record of the studio's can't be read",
                remedy: "Move it away to go on without it, or choose another \(.workspace)")
        }
    }

    /// All of them, in no order.
    func all() -> [Record] {
        Array(records.values)
    }

    func find(_ id: String) -> Record? {
        records[id]
    }

    /// Writes a record: anew, or over the one with its identity.
    ///
    /// - Throws: ``MediaError`` when the disk is full; what was there before is there then.
    func save(_ record: Record) throws {
        let file = try AtomicFile(at: file(of: record.id), existing: .overwrite)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try file.write(encoder.encode(record))
        try file.publish()
        records[record.id] = record
    }

    /// Changes a record, if it is there and the change wants to.
    ///
    /// - Parameter change: returns whether it changed anything.
    /// - Returns: what it is now; nil when it is gone, or wasn't changed.
    func change(_ id: String, _ change: @Sendable (inout Record) -> Bool) throws -> Record? {
        guard var record = records[id], change(&record) else {
            return nil
        }
        try save(record)
        return record
    }

    /// Removes the record of an identity, if there is one.
    func remove(_ id: String) throws {
        guard records[id] != nil else {
            return
        }
        try FileManager.default.removeItem(atPath: file(of: id))
        records[id] = nil
    }

    private func file(of id: String) -> String {
        path + "/" + id + ".json"
    }
}
