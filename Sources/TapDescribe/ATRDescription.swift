import TapWire

/// An answer to reset, byte by byte.
///
/// ```
/// TS | T0 | TA1 TB1 TC1 TD1 … | historical bytes | TCK
/// ```
/// The high digit of T0 and of each TD states which of the next four bytes are present; the low digit of T0 is the number of
/// historical bytes. TCK is absent if T=0 is the only protocol. Sources: ISO/IEC 7816-3, "answer to reset"; PC/SC part 3,
/// "ATR".
struct ATRDescription {
    private let bytes: [UInt8]
    private let interface: [String]
    private let historicalCount: Int
    private let hasCheck: Bool

    /// A Boolean value that indicates whether TCK is present and makes the exclusive or of the bytes zero.
    var hasRightCheck: Bool { hasCheck && bytes.dropFirst().reduce(0, ^) == 0 }

    /// Parses bytes; `nil` if they begin differently or do not have the length they announce.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, bytes.count <= ContactlessATR.maximumLength, [0x3B, 0x3F].contains(bytes[0]) else {
            return nil
        }
        var (names, present, round) = ([String](), bytes[1] >> 4, 1)
        var protocols: [UInt8] = []
        while present != 0 {
            for (bit, letter) in ["A", "B", "C", "D"].enumerated() where present >> bit & 1 == 1 {
                names.append("T\(letter)\(round)")
            }
            guard present >> 3 == 1 else { break }
            guard bytes.indices.contains(1 + names.count) else { return nil }
            let next = bytes[1 + names.count]
            protocols.append(next & 0x0F)
            (present, round) = (next >> 4, round + 1)
        }
        self.bytes = bytes
        interface = names
        historicalCount = Int(bytes[1] & 0x0F)
        hasCheck = protocols.contains { $0 != 0 }
        guard bytes.count == 2 + names.count + historicalCount + (hasCheck ? 1 : 0) else { return nil }
    }

    var description: FrameDescription {
        var walk = FrameWalk(host: bytes)
        walk.append("TS", bitCount: 8, meaning: bytes[0] == 0x3B ? "direct convention" : "inverse convention")
        walk.append("T0", bitCount: 8, meaning: CountText.of(historicalCount, "historical byte"))
        for name in interface {
            let value = bytes[walk.position / 8]
            walk.append(name, bitCount: 8, meaning: name.hasPrefix("TD") ? "T=\(value & 0x0F)" : "")
        }
        let historical = Array(bytes[(walk.position / 8)...].prefix(historicalCount))
        let card = try? StorageCard(parsing: historical)
        let details = card.map { card -> [FrameDescription.Detail] in
            [
                .init(name: "provider", meaning: "A000000306, PC/SC"),
                .init(name: "standard", meaning: card.standard.text),
                .init(name: "card", meaning: card.name.text),
            ]
        }
        walk.append(
            "historical bytes", bitCount: historical.count * 8, meaning: card == nil ? "" : "a storage card",
            details: details ?? [])
        if hasCheck {
            let right = bytes[1..<bytes.count - 1].reduce(0, ^)
            walk.append(
                "TCK", bitCount: 8,
                meaning: hasRightCheck ? "right" : "wrong, it should be \(Hex.digits(right, width: 2))")
            if !hasRightCheck { walk.remark("its TCK is wrong") }
        }
        let line = card.map { "ATR of \($0.name.text)" } ?? "ATR"
        return FrameDescription("ATR", nil, walk, line: line)
    }
}

extension StorageCard.Standard {
    fileprivate var text: String {
        switch self {
        case .typeA: "ISO/IEC 14443-3 type A"
        case .felica: "FeliCa"
        default: "standard \(Hex.digits(rawValue, width: 2))"
        }
    }
}

extension StorageCard.Name {
    fileprivate var text: String {
        switch self {
        case .unknown: "a card without a name"
        case .ultralight: "MIFARE Ultralight; NTAG cards use it, too"
        case .ultralightC: "MIFARE Ultralight C"
        case .felica: "FeliCa"
        case .felica212: "FeliCa at 212 kbit/s, as ACS readers report it"
        case .felica424: "FeliCa at 424 kbit/s, as ACS readers report it"
        case Self(0x0001): "MIFARE Classic 1K"
        case Self(0x0002): "MIFARE Classic 4K"
        default: "card \(Hex.digits(rawValue, width: 4))"
        }
    }
}
