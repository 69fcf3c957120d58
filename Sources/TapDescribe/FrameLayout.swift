import TapWire

/// A piece of the layout of a frame; the layout of a frame is its pieces one after the other.
///
/// One table of layouts describes frames and explains commands.
indirect enum LayoutPart: Sendable {
    /// One field.
    case field(FieldKind)
    /// A byte that counts the entries of the lists behind it; the text names the count in layouts.
    case count(FieldKind, symbol: String)
    /// As many groups of fields as counted last. Of several kinds of group the first that fills the frame is taken.
    case list([[FieldKind]])
    /// As many bytes as counted last.
    case countedBytes(FieldKind)
    /// As many block list elements as counted last.
    case blockList
    /// As many blocks as counted last.
    case blockData
    /// Status flags 1 and 2; the parts behind them follow only a success.
    case status(done: String)
    /// Parts that may be missing together.
    case optional([LayoutPart])
    /// Pages of four bytes up to the end of the frame.
    case pages
    /// The new data of the page whose address lies before it.
    case writtenPage
}

extension [LayoutPart] {
    /// The layout in one line, such as `IDm (8) | m | service code (2, LE) × m`.
    func layoutText(symbol: String = "n") -> String {
        var symbol = symbol
        var texts: [String] = []
        for part in self { texts.append(part.text(&symbol)) }
        return texts.joined(separator: " | ")
    }
}

extension LayoutPart {
    fileprivate func text(_ symbol: inout String) -> String {
        switch self {
        case .field(let kind): return kind.layoutText
        case .count(_, let name):
            symbol = name
            return name
        case .list(let groups):
            let texts = groups.map { group in
                let text = group.map(\.layoutText).joined(separator: ", ")
                return group.count == 1 ? "\(text) × \(symbol)" : "(\(text)) × \(symbol)"
            }
            return ListText.choice(texts)
        case .countedBytes(let kind): return "\(kind.name) (\(symbol))"
        case .blockList: return "block list element (2 or 3) × \(symbol)"
        case .blockData: return "data (16) × \(symbol)"
        case .status: return "status flag 1 | status flag 2"
        case .optional(let parts): return "[\(parts.layoutText(symbol: symbol))]"
        case .pages: return "data (4) × pages"
        case .writtenPage: return "data (4)"
        }
    }
}

/// A kind of field: its name, its size, and how its value is said.
struct FieldKind: Sendable {
    /// What the manuals call the field.
    let name: String
    /// Number of bytes; nothing for all that are left.
    let byteCount: Int?
    /// How the bytes are put together, `LE` or `BE`, or what they must be, or nothing.
    let form: String
    /// What the bytes mean.
    let meaning: @Sendable ([UInt8]) -> String
    /// What the one line of the frame says of the field; empty for nothing.
    let words: @Sendable ([UInt8]) -> String

    init(
        _ name: String, _ byteCount: Int?, form: String = "",
        meaning: @escaping @Sendable ([UInt8]) -> String = { _ in "" },
        words: @escaping @Sendable ([UInt8]) -> String = { _ in "" }
    ) {
        self.name = name
        self.byteCount = byteCount
        self.form = form
        self.meaning = meaning
        self.words = words
    }

    /// A field of one byte.
    static func byte(
        _ name: String, meaning: @escaping @Sendable (UInt8) -> String = { "\($0)" },
        words: @escaping @Sendable (UInt8) -> String = { _ in "" }
    ) -> FieldKind {
        FieldKind(name, 1, meaning: { meaning($0.first ?? 0) }, words: { words($0.first ?? 0) })
    }

    /// A field of two bytes, the low one first.
    static func little(
        _ name: String, meaning: @escaping @Sendable (UInt16) -> String = { "\($0)" },
        words: @escaping @Sendable (UInt16) -> String = { _ in "" }
    ) -> FieldKind {
        FieldKind(name, 2, form: "LE", meaning: { meaning(littleEndian($0)) }, words: { words(littleEndian($0)) })
    }

    /// A field of two bytes, the high one first.
    static func big(
        _ name: String, meaning: @escaping @Sendable (UInt16) -> String,
        words: @escaping @Sendable (UInt16) -> String = { _ in "" }
    ) -> FieldKind {
        FieldKind(
            name, 2, form: "BE", meaning: { meaning(littleEndian($0).byteSwapped) },
            words: { words(littleEndian($0).byteSwapped) })
    }

    /// Bytes that must be zero.
    static func reserved(_ count: Int) -> FieldKind {
        FieldKind("reserved", count, form: "00") { bytes in
            bytes.allSatisfy { $0 == 0 } ? "zero, as it must be" : "must be zero"
        }
    }

    /// The name with size and form, as layouts are written.
    var layoutText: String {
        guard let byteCount else { return name }
        return switch (byteCount, form) {
        case (1, ""): name
        case (_, ""): "\(name) (\(byteCount))"
        case (_, "00"): [String](repeating: "00", count: byteCount).joined(separator: " ")
        case (1, _): form
        default: "\(name) (\(byteCount), \(form))"
        }
    }

    private static func littleEndian(_ bytes: [UInt8]) -> UInt16 {
        bytes.prefix(2).reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }
}
