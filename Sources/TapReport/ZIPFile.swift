import TapWire

/// A ZIP file of uncompressed entries, without ZIP64.
///
/// The same entries give the same bytes: all have the first day that the format can express as their date.
/// Source: PKWARE's APPNOTE 6.3, sections 4.3 and 4.4.
package struct ZIPFile {
    /// The entries need numbers that are larger than those of the format.
    package struct TooLarge: Error {}

    private static let entrySignature: [UInt8] = [0x50, 0x4B, 3, 4]
    private static let directorySignature: [UInt8] = [0x50, 0x4B, 1, 2]
    private static let endSignature: [UInt8] = [0x50, 0x4B, 5, 6]
    /// The version of the format that a reader must know, 1.0, with the flag of names in UTF-8, and no compression.
    private static let head: [UInt8] = [10, 0, 0, 0x08, 0, 0]
    /// 1980-01-01, 00:00.
    private static let date: [UInt8] = [0, 0, 0x21, 0]
    private static let nameOffset = 30

    private var entries: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0

    package init() {}

    /// - Parameter name: A relative path with slashes.
    package mutating func add(_ name: String, _ content: [UInt8]) throws(TooLarge) {
        let name = Array(name.utf8)
        let size = entries.count + directory.count + content.count + 2 * (name.count + Self.nameOffset + 16)
        guard count < UInt16.max, name.count < UInt16.max, size < UInt32.max else { throw TooLarge() }
        let length = UInt32(content.count).littleEndianBytes
        let sizes = CRC32.of(content).littleEndianBytes + length + length
        let common = Self.head + Self.date + sizes + UInt16(name.count).littleEndianBytes + [0, 0]
        // Made by version 1.0; no comment, on the first disk, no attributes, and the offset of the entry.
        directory += Self.directorySignature + [10, 0] + common + [UInt8](repeating: 0, count: 10)
        directory += UInt32(entries.count).littleEndianBytes + name
        entries += Self.entrySignature + common + name + content
        count += 1
    }

    package var bytes: [UInt8] {
        let counts = count.littleEndianBytes + count.littleEndianBytes
        let place = UInt32(directory.count).littleEndianBytes + UInt32(entries.count).littleEndianBytes
        return entries + directory + Self.endSignature + [0, 0, 0, 0] + counts + place + [0, 0]
    }

    /// Returns the beginning of the first entry if a file begins like one that this type writes with an entry of this name.
    package static func content(of start: [UInt8], beginningWith name: String) -> ArraySlice<UInt8>? {
        let entry = start.dropFirst(nameOffset)
        guard start.starts(with: entrySignature + head + date), entry.starts(with: name.utf8) else { return nil }
        return entry.dropFirst(name.utf8.count)
    }
}

/// The checksum of ZIP files, with the polynomial of ISO 3309 in reversed bit order.
private enum CRC32 {
    private static let table = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { value, byte in value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
    }
}
