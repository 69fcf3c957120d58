/// A target a PN532 has found.
///
/// ```
/// type A   Tg | ATQA (2, BE) | SAK | n | UID (n)
/// FeliCa   Tg | answer to Polling, LEN first
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InListPassiveTarget".
public struct PN532Target: Hashable, Sendable {
    /// What was found.
    public enum Card: Hashable, Sendable {
        /// A type A card without ISO/IEC 14443-4.
        case typeA(TypeATag)
        case felica(Polling.Response)
    }

    /// The number by which later commands name it, from 1.
    public var number: UInt8
    /// What was found.
    public var card: Card

    public init(number: UInt8, _ card: Card) {
        self.number = number
        self.card = card
    }

    /// The target as it is sent.
    public var bytes: [UInt8] {
        switch card {
        case .typeA(let tag):
            [number] + tag.atqa.bytes.reversed() + [tag.sak.rawValue, UInt8(tag.uid.bytes.count)] + tag.uid.bytes
        case .felica(let polling): [number] + polling.bytes
        }
    }

    /// Reads targets that fill `bytes`.
    static func list(_ count: Int, _ bytes: [UInt8], isFeliCa: Bool) throws(WireError) -> [PN532Target] {
        let slice = bytes[...]
        var reader = ByteReader(slice.span)
        var targets: [PN532Target] = []
        for _ in 0..<count {
            let number = try reader.byte("Tg")
            targets.append(PN532Target(number: number, isFeliCa ? try felica(&reader) : try typeA(&reader)))
        }
        guard reader.isAtEnd else { throw WireError(.trailingBytes, at: reader.offset, in: "list of targets") }
        return targets
    }

    private static func felica(_ reader: inout ByteReader) throws(WireError) -> Card {
        let length = try reader.byte("LEN")
        let rest = try reader.bytes(max(0, Int(length) - 1), "answer to Polling")
        return .felica(try Polling.Response(parsing: [length] + rest))
    }

    private static func typeA(_ reader: inout ByteReader) throws(WireError) -> Card {
        let atqa = UInt16(try reader.number(byteCount: 2, "ATQA"))
        let sak = SAK(try reader.byte("SAK"))
        let offset = reader.offset
        guard let uid = UID(try reader.bytes(Int(try reader.byte("length of the UID")), "UID")) else {
            throw WireError(.wrongLength, at: offset, in: "UID", "it has 4, 7 or 10 bytes")
        }
        return .typeA(TypeATag(atqa: ATQA(atqa), sak: sak, uid: uid))
    }
}
