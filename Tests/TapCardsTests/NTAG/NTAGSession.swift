import TapCards
import TapWire

/// A powered tag and a reader that communicate in text without CRC: hexadecimal, `:n` for n bits if the last byte is
/// incomplete, `!crc` and `!parity` for damage, `-` for silence.
struct NTAGSession {
    var card: NTAGCard
    var context: CardContext

    /// Puts a tag into the field.
    init(_ definition: NTAGDefinition, isMemoryFailing: Bool = false) {
        card = NTAGCard(definition)
        context = CardContext(random: SeededGenerator(seed: 0), isMemoryFailing: isMemoryFailing)
        card.fieldRose()
    }

    /// Sends a frame.
    @discardableResult
    mutating func send(_ text: String) -> String {
        send(RFFrame(text: text)).map { BitText($0.bytes, $0.bitCount).description } ?? "-"
    }

    /// Sends a frame.
    mutating func send(_ frame: RFFrame) -> RFFrame? {
        let answer = card.answer(frame.bytes, bitCount: frame.bitCount, integrity: frame.integrity, context: &context)
        return answer.map { RFFrame(.typeA106, $0.bytes, bitCount: $0.bitCount) }
    }

    /// Wakes the tag and selects it by its UID, ending any selection in progress.
    mutating func select() {
        if !["IDLE", "HALT"].contains(card.stateName) { send("52:7") }
        send("52:7")
        select(.first)
        select(.second)
    }

    /// Selects one cascade level.
    mutating func select(_ level: CascadeLevel) {
        let part = card.uid.cascadeParts[level.rawValue - 1]
        send(Hex.text(Select.Request(level, part).bytes))
    }

    /// Authenticates with the tag's password.
    mutating func authenticate() {
        send(Hex.text(PasswordAuthentication.Request(password: card.definition.password).bytes))
    }

    /// Switches the field off and on.
    mutating func cycle() {
        card.fieldFell()
        card.fieldRose()
    }
}

extension RFFrame {
    /// The frame described by a text.
    init(text: String) {
        let parts = text.split(separator: "!", omittingEmptySubsequences: false)
        let bits = BitText(String(parts[0]))
        let integrity: FrameIntegrity = parts.count == 1 ? .good : parts[1] == "crc" ? .badCRC : .badParity
        self.init(.typeA106, bits.bytes, bitCount: bits.count, integrity: integrity)
    }
}

/// Bits as text.
struct BitText: Hashable, CustomStringConvertible {
    let bytes: [UInt8]
    let count: Int

    init(_ bytes: [UInt8], _ count: Int) {
        self.bytes = bytes
        self.count = count
    }

    init(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let bytes = try? Hex.bytes(parts[0]) else { fatalError("`\(text)` is not hexadecimal") }
        let bits = parts.count > 1 ? Int(parts[1]) : bytes.count * 8
        self.init(bytes, bits ?? 0)
    }

    var description: String {
        Hex.text(bytes, separator: " ") + (count == bytes.count * 8 ? "" : ":\(count)")
    }
}
