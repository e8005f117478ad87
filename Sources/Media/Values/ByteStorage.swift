/// Appends numbers, little-endian.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func add(_ other: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: other)
    }

    /// Appends a count and then the numbers.
    package mutating func add(counted numbers: [some FixedWidthInteger]) {
        add(Int64(numbers.count))
        for number in numbers {
            add(number)
        }
    }

    /// Appends a count and then the bytes.
    package mutating func add(counted other: [UInt8]) {
        add(Int64(other.count))
        bytes += other
    }
}

/// Reads what ``ByteWriter`` wrote.
package struct ByteParser {
    /// The bytes that weren't read yet.
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// The next number; nil if there are too few bytes.
    package mutating func next<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type = Number.self
    ) -> Number? {
        next(byteCount: MemoryLayout<Number>.size).map { bytes in
            bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
        }
    }

    /// The next bytes; nil if there are too few.
    package mutating func next(byteCount: Int) -> ArraySlice<UInt8>? {
        guard byteCount >= 0, byteCount <= rest.count else {
            return nil
        }
        defer { rest = rest.dropFirst(byteCount) }
        return rest.prefix(byteCount)
    }

    /// The numbers that were added with their count; nil if there are too few bytes.
    package mutating func counted<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type = Number.self
    ) -> [Number]? {
        guard let count = next(Int64.self), count >= 0,
            let (byteCount, overflow) = Optional(
                Int(count).multipliedReportingOverflow(by: MemoryLayout<Number>.size)),
            !overflow, let bytes = next(byteCount: byteCount)
        else {
            return nil
        }
        return bytes.withUnsafeBytes { bytes in
            (0..<Int(count)).map {
                Number(
                    littleEndian: bytes.loadUnaligned(
                        fromByteOffset: $0 * MemoryLayout<Number>.size, as: Number.self))
            }
        }
    }
}
