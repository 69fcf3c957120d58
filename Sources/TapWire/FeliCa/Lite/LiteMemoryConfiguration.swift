/// The memory configuration MC of FeliCa Lite and Lite-S, block 88: the access rules of the blocks.
///
/// ```
/// 0–1    writable: bit n for block n, 0 to 13 user data, 14 REG, 15 these bytes and 6 to 12 themselves
/// 2      MC_ALL: FF before the lock; 00 locks ID, SER_C, CKV, CK and bytes 2 to 5 forever
/// 3      SYS_OP: 01 answers Polling for 12FC as well
/// 4      RF_PRM
/// 5      01: CK and CKV may be changed with MAC_A after the lock
/// 6–7    read only after external authentication, bits as in 0–1
/// 8–9    written only after external authentication
/// 10–11  written only with MAC_A
/// 12     01: STATE is written only with MAC_A
/// 13–15  zero
/// ```
/// FeliCa Lite has only bytes 0 to 4. Source: FeliCa Lite-S User's Manual, as cited in open-source projects.
package struct LiteMemoryConfiguration: BlockRecord {
    package struct Fields: RecordFields, Sendable {
        package let writable = Field<LiteBlockSet>("writable", .littleEndian(0...1))
        package let lock = Field<Lock>("MC_ALL", .byte(2))
        package let answersNDEF = Field<Bool>("answers 12FC", .bits(0...0, ofByte: 3))
        package let systemOption = Field<UInt8>(raw: "SYS_OP", .byte(3))
        package let rfParameter = Field<UInt8>(raw: "RF_PRM", .byte(4))
        package let changesKeyWithMAC = Field<Bool>("CK and CKV writable with MAC_A after the lock", .byte(5))
        package let authenticatedRead = Field<LiteBlockSet>("read after authentication", .littleEndian(6...7))
        package let authenticatedWrite = Field<LiteBlockSet>("written after authentication", .littleEndian(8...9))
        package let writeWithMAC = Field<LiteBlockSet>("written with MAC_A", .littleEndian(10...11))
        package let stateWithMAC = Field<Bool>("STATE written with MAC_A", .byte(12))

        package var listed: [any RecordField] {
            [
                writable, lock, answersNDEF, rfParameter, changesKeyWithMAC, authenticatedRead, authenticatedWrite,
                writeWithMAC, stateWithMAC,
            ]
        }
    }

    /// MC_ALL; values other than the named ones are forbidden.
    package struct Lock: OpenCode, CustomStringConvertible {
        package static let open = Lock(0xFF)
        package static let locked = Lock(0x00)

        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package var description: String {
            switch self {
            case .open: "FF, system blocks can be written"
            case .locked: "00, system blocks are permanently locked"
            default: "\(Hex.digits(rawValue, width: 2)), a forbidden value"
            }
        }
    }

    package static let fields = Fields()
    package static let name = "memory configuration"

    package var stored: BlockData

    package init(_ stored: BlockData) {
        self.stored = stored
    }

    /// The factory setting: everything is writable and nothing is protected.
    package static let shipped = LiteMemoryConfiguration(BlockData([0xFF, 0xFF, 0xFF, 0x00, 0x07]))

    /// A Boolean value that indicates whether the card was never locked.
    package var isOpen: Bool { self.lock == .open }

    /// Returns the configuration that a card stores when `new` is written over this one, within the limits of the
    /// configuration in force: protection can only increase.
    package func applying(
        _ new: LiteMemoryConfiguration, under inForce: LiteMemoryConfiguration, hasMACA: Bool
    ) -> LiteMemoryConfiguration {
        var result = self
        let isOpen = inForce.isOpen
        let mayRestrict = inForce.writable.contains(LiteBlockSet.configurationBit)
        for index in 0..<BlockData.byteCount {
            switch index {
            case 0...1 where mayRestrict: result.stored[index] = stored[index] & new.stored[index]
            case 2...4 where isOpen: result.stored[index] = new.stored[index]
            case 5 where isOpen && hasMACA: result.stored[index] = new.stored[index]
            case 6...12 where mayRestrict && hasMACA: result.stored[index] = stored[index] | new.stored[index]
            default: break
            }
        }
        return result
    }
}

/// Blocks 0 to 14 as bits of two bytes, low byte first.
package struct LiteBlockSet: OpenCode, CustomStringConvertible {
    package static let configurationBit = 15

    package let rawValue: UInt16

    package init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package init(_ blocks: some Sequence<Int>) {
        self.init(blocks.reduce(0) { $0 | UInt16(1) << UInt16(truncatingIfNeeded: $1 & 15) })
    }

    package func contains(_ block: Int) -> Bool {
        (0..<16).contains(block) && rawValue >> UInt16(truncatingIfNeeded: block) & 1 == 1
    }

    /// The blocks, excluding the configuration itself.
    package var blocks: [Int] { (0..<Self.configurationBit).filter(contains) }

    package func union(_ other: LiteBlockSet) -> LiteBlockSet { LiteBlockSet(rawValue | other.rawValue) }

    package func subtracting(_ other: LiteBlockSet) -> LiteBlockSet { LiteBlockSet(rawValue & ~other.rawValue) }

    /// Text such as `0 to 13, REG, MC itself`, or `none`.
    package var description: String {
        var words: [String] = []
        let pads = blocks.filter { $0 < LiteBlock.padCount }
        for block in pads where !pads.contains(block - 1) {
            var last = block
            while pads.contains(last + 1) { last += 1 }
            words.append(last == block ? "\(block)" : "\(block) to \(last)")
        }
        if contains(LiteBlock.padCount) { words.append("REG") }
        if contains(Self.configurationBit) { words.append("MC itself") }
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }
}

/// A MAC_A block: the MAC and, for a write, the write counter used for the MAC.
package struct LiteMACBlock: Hashable, Sendable {
    /// The length of the write counter in bytes; FeliCa Lite-S uses three, FeliCa Link four.
    package static let counterLength = 4

    /// Eight bytes as a little-endian number, as used by the ciphers.
    package var mac: UInt64
    /// Four bytes as a little-endian number.
    package var counter: UInt32

    package init(mac: UInt64, counter: UInt32 = 0) {
        self.mac = mac
        self.counter = counter
    }

    package init(_ block: BlockData) {
        mac = block.littleEndianHalves.0
        counter = UInt32(truncatingIfNeeded: block.littleEndianHalves.1)
    }

    package var block: BlockData {
        var block = BlockData(littleEndianHalves: (mac, 0))
        for index in 0..<Self.counterLength {
            block[8 + index] = UInt8(truncatingIfNeeded: counter >> (8 * UInt32(index)))
        }
        return block
    }
}

extension BlockData {
    /// Bytes 0 to 7 and 8 to 15 as little-endian numbers, the form in which FeliCa Lite encrypts a block.
    package var littleEndianHalves: (UInt64, UInt64) {
        func half(_ bytes: Range<Int>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) } }
        return (half(0..<8), half(8..<16))
    }

    package init(littleEndianHalves halves: (UInt64, UInt64)) {
        self.init(
            (0..<Self.byteCount).lazy.map { index in
                let half = index < 8 ? halves.0 : halves.1
                return UInt8(truncatingIfNeeded: half >> UInt64(8 * (index & 7)))
            })
    }
}
