import TapWire

// Layouts in explanations: in one line, and field by field.

extension [LayoutPart] {
    /// The layout of a packet or body that is unpublished, or that can only be decrypted with a key.
    static let sealed: [LayoutPart] = [.field(FrameField("encrypted data", nil, .plain, .encrypted))]

    /// Returns the layout in one line, such as `IDm (8) | m | service code (2, LE) × m`.
    func layoutText(symbol: String = "n") -> String {
        var symbol = symbol
        var texts: [String] = []
        for part in self { texts.append(part.text(&symbol)) }
        return texts.joined(separator: " | ")
    }

    func explained(symbol: String = "n") -> [FrameDescription.Detail] {
        var symbol = symbol
        var details: [FrameDescription.Detail] = []
        for part in self { details += part.explained(&symbol) }
        return details
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

    private typealias Detail = FrameDescription.Detail

    fileprivate func explained(_ symbol: inout String) -> [FrameDescription.Detail] {
        switch self {
        case .field(let kind): return [Detail(name: kind.name, meaning: kind.sizeText)]
        case .count(let kind, let name):
            symbol = name
            return [Detail(name: kind.name, meaning: "1 byte, called \(name)")]
        case .list(let groups):
            return groups.flatMap { group in
                group.map { Detail(name: $0.name, meaning: "\($0.sizeText), \(symbol) times") }
            }
        case .countedBytes(let kind): return [Detail(name: kind.name, meaning: "\(symbol) bytes")]
        case .blockList:
            return [
                Detail(
                    name: "block list element",
                    meaning:
                        "2 bytes, or 3 if bit 7 of the first is clear, \(symbol) times: access mode (bits 4 to 6), "
                        + "service order (bits 0 to 3), block number, low byte first")
            ]
        case .blockData: return [Detail(name: "data", meaning: "16 bytes, \(symbol) times")]
        case .status:
            return [
                Detail(
                    name: "status flag 1",
                    meaning: "1 byte: 00 success, FF an error, otherwise its position in the list"),
                Detail(name: "status flag 2", meaning: "1 byte: the reason; after an error the answer ends here"),
            ]
        case .optional(let parts):
            return parts.explained(symbol: symbol).map {
                Detail(name: $0.name, meaning: "\($0.meaning); may be missing")
            }
        case .writtenPage: return [Detail(name: "data", meaning: "4 bytes")]
        case .pages: return [Detail(name: "page", meaning: "4 bytes for each page that is read")]
        }
    }
}

extension FrameField {
    /// The number of bytes and their order.
    fileprivate var sizeText: String {
        guard let byteCount else { return "all remaining bytes" }
        let size = CountText.of(byteCount, "byte")
        return switch form {
        case .littleEndian: "\(size), low byte first"
        case .bigEndian: "\(size), high byte first"
        case .zero: "\(size), zero"
        case .plain: size
        }
    }

    /// The name with size and form, as layouts are written.
    fileprivate var layoutText: String {
        guard let byteCount else { return name }
        return switch form {
        case .plain: byteCount == 1 ? name : "\(name) (\(byteCount))"
        case .zero: [String](repeating: "00", count: byteCount).joined(separator: " ")
        case .littleEndian: "\(name) (\(byteCount), LE)"
        case .bigEndian: "\(name) (\(byteCount), BE)"
        }
    }
}
