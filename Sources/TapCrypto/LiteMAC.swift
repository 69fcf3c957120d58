/// The session that starts when a reader writes RC to a FeliCa Lite: session keys and the resulting MACs.
///
/// All numbers are eight bytes, low byte first, because the card encrypts each half of a block in reverse byte order.
///
/// ```
/// SK1 ‖ SK2   CBC over RC1 ‖ RC2, two-key triple DES with CK1 ‖ CK2, IV 0
/// MAC         CBC over the contents, SK1 ‖ SK2, IV RC1; its last block
/// MAC_A read  the same over b 00 … 91 00 FF… ‖ contents
/// MAC_A write the same with SK2 ‖ SK1 over WCNT (4) ‖ b 00 91 00 ‖ content
/// ```
/// Source: FeliCa Lite-S User's Manual, as implemented by nfcpy 1.0, the Flipper firmware and the M5Stack library.
public struct LiteSession: Hashable, Sendable {
    private static let macABlock: UInt8 = 0x91

    private let reading: DES
    private let writing: DES
    private let iv: UInt64

    /// - Parameters:
    ///   - cardKey: The halves of CK.
    ///   - challenge: The halves of RC.
    public init(cardKey: (UInt64, UInt64), challenge: (UInt64, UInt64)) {
        let keys = DES(cardKey.0, cardKey.1).encryptCBC([challenge.0, challenge.1])
        reading = DES(keys[0], keys[1])
        writing = DES(keys[1], keys[0])
        iv = challenge.0
    }

    /// The MAC in block 81 over the halves of the preceding blocks; zero if there are none.
    public func mac(_ contents: [UInt64]) -> UInt64 {
        reading.encryptCBC(contents, iv: iv).last ?? 0
    }

    /// The MAC in block 91 for a read.
    ///
    /// - Parameters:
    ///   - blocks: The numbers of the preceding blocks in the list.
    ///   - contents: The halves of their contents.
    public func macA(reading blocks: [UInt8], _ contents: [UInt64]) -> UInt64 {
        var header: [UInt8] = (blocks + [Self.macABlock]).flatMap { [$0, 0] as [UInt8] }
        while header.count % 8 != 0 { header.append(0xFF) }
        let numbers = stride(from: 0, to: header.count, by: 8).map { Self.number(header[$0..<$0 + 8]) }
        return mac(numbers + contents)
    }

    /// The MAC in block 91 after a written block.
    public func macA(writing block: UInt8, _ content: (UInt64, UInt64), counter: UInt32) -> UInt64 {
        let header = Self.number([block, 0, Self.macABlock, 0]) << 32 | UInt64(counter)
        return writing.encryptCBC([header, content.0, content.1], iv: iv).last ?? 0
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
