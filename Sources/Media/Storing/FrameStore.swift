import CLibAV
import TimeMaps

/// Stores decoded frames by number: the newest in memory, the others losslessly in an unlinked temporary file.
///
/// Used on one thread at a time: one thread fills it and then passes it on.
// @unchecked: the thread that fills it no longer uses it when another takes frames out.
package final class FrameStore: @unchecked Sendable {
    private struct Entry {
        let number: Int
        /// Nil after the frame was written to the disk.
        var frame: Frame?
        var form: StoredForm?
        var offset: Int64 = 0
    }
    private let memoryBytes: Int
    private let space: SpillSpace
    private var entries: [Entry] = []
    private var usedBytes = 0
    /// The entries before this index are on the disk.
    private var firstInMemory = 0
    private var file: SpillFile?
    private var lastForm: StoredForm?
    private var scratch: UnsafeMutableRawBufferPointer?

    /// - Parameter memoryBytes: how many bytes of frames may be in memory; one frame always is. The others go to
    ///   the disk.
    package init(memoryBytes: Int, space: SpillSpace) {
        self.memoryBytes = memoryBytes
        self.space = space
    }

    deinit {
        scratch?.deallocate()
    }

    /// The number of frames in the store.
    package var count: Int { entries.count }

    /// Adds a frame.
    ///
    /// - Throws: ``MediaError`` when the disk is full.
    package func add(_ frame: Frame, number: Int) throws {
        let place = place(of: number)
        // Decoders output frames in increasing order, except for damaged streams.
        guard place == entries.count else {
            return
        }
        entries.append(Entry(number: number, frame: frame))
        usedBytes += frame.byteCount
        while usedBytes > memoryBytes && firstInMemory < entries.count - 1 {
            try spill(firstInMemory)
            firstInMemory += 1
        }
    }

    /// Returns the frame with a number, or nil if there is none.
    ///
    /// - Throws: ``MediaError`` when it can't be read from the disk.
    package func frame(_ number: Int) throws -> Frame? {
        let place = place(of: number)
        guard place < entries.count, entries[place].number == number else {
            return nil
        }
        if let frame = entries[place].frame {
            return frame
        }
        guard let form = entries[place].form else {
            return nil
        }
        return try form.makeFrame { try file?.read(into: $0, from: entries[place].offset) }
    }

    private func place(of number: Int) -> Int {
        entries.indices.partitionPoint { entries[$0].number >= number }
    }

    private func spill(_ place: Int) throws {
        guard let frame = entries[place].frame else {
            return
        }
        let form = try StoredForm.of(frame, after: lastForm)
        lastForm = form
        if scratch?.count != form.byteCount {
            scratch?.deallocate()
            scratch = .allocate(byteCount: form.byteCount, alignment: 64)
        }
        let target = try file ?? SpillFile(in: space)
        file = target
        if let scratch {
            try form.copy(frame, to: scratch)
            entries[place].offset = try target.append(UnsafeRawBufferPointer(scratch))
        }
        entries[place].form = form
        entries[place].frame = nil
        usedBytes -= frame.byteCount
    }
}
