/// What the header of a Linux program says about how it is loaded; little-endian files, 32 and 64 bits.
///
/// Source: System V Application Binary Interface, "Object Files" and "Program Loading and Dynamic Linking".
struct ELFProgram {
    /// Whether libraries are loaded into it.
    let isDynamic: Bool
    /// Names of the libraries it asks for.
    let libraries: [String]

    private static let mostSegments = 256
    private static let longestDynamicSection = 1 << 16
    private static let longestNames = 1 << 20

    private enum SegmentType {
        static let load: UInt64 = 1
        static let dynamic: UInt64 = 2
    }

    private enum DynamicTag {
        static let needed: UInt64 = 1
        static let names: UInt64 = 5
    }

    /// Where a part of the file lies, and where it is loaded.
    private struct Segment {
        let type: UInt64
        let offset: UInt64
        let address: UInt64
        let length: UInt64

        func holds(_ address: UInt64) -> Bool {
            address >= self.address && address - self.address < length
        }
    }

    /// Reads a file, or nothing if it is no such program.
    init?(_ file: FileLook) {
        let header = file.bytes(at: 0, count: 64)
        guard header.count == 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46]), header[5] == 1 else { return nil }
        let isWide = header[4] == 2
        let segments = Self.segments(file, header, isWide)
        guard let dynamic = segments.first(where: { $0.type == SegmentType.dynamic }) else {
            isDynamic = false
            libraries = []
            return
        }
        isDynamic = true
        let entries = Self.dynamicEntries(file, dynamic, isWide)
        guard let address = entries.first(where: { $0.tag == DynamicTag.names })?.value,
            let segment = segments.first(where: { $0.type == SegmentType.load && $0.holds(address) })
        else {
            libraries = []
            return
        }
        let offset = segment.offset &+ (address &- segment.address)
        let names = file.bytes(at: Int(clamping: offset), count: Self.longestNames)
        libraries = entries.filter { $0.tag == DynamicTag.needed }.map { Self.text(names, at: Int(clamping: $0.value)) }
    }

    private static func segments(_ file: FileLook, _ header: [UInt8], _ isWide: Bool) -> [Segment] {
        let start = number(header, isWide ? 0x20 : 0x1C, isWide ? 8 : 4)
        let size = Int(number(header, isWide ? 0x36 : 0x2A, 2))
        let count = min(Int(number(header, isWide ? 0x38 : 0x2C, 2)), mostSegments)
        let table = file.bytes(at: Int(clamping: start), count: size * count)
        guard size >= (isWide ? 56 : 32) else { return [] }
        return stride(from: 0, to: table.count - size + 1, by: size).map { base in
            let width = isWide ? 8 : 4
            return Segment(
                type: number(table, base, 4), offset: number(table, base + width, width),
                address: number(table, base + 2 * width, width), length: number(table, base + 4 * width, width))
        }
    }

    private static func dynamicEntries(
        _ file: FileLook, _ segment: Segment, _ isWide: Bool
    ) -> [(tag: UInt64, value: UInt64)] {
        let width = isWide ? 8 : 4
        let table = file.bytes(
            at: Int(clamping: segment.offset), count: min(Int(clamping: segment.length), longestDynamicSection))
        return stride(from: 0, to: table.count - 2 * width + 1, by: 2 * width).map { base in
            (number(table, base, width), number(table, base + width, width))
        }
    }

    /// A little-endian number; bytes that are missing count as zero.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> UInt64 {
        bytes.dropFirst(offset).prefix(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func text(_ bytes: [UInt8], at offset: Int) -> String {
        String(decoding: bytes.dropFirst(offset).prefix { $0 != 0 }, as: UTF8.self)
    }
}
