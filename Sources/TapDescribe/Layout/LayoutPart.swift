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
