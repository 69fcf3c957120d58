import TapWire

// Layouts as explanations tell them.

extension Explanation.Layout {
    /// The layout of a FeliCa packet.
    static func packet(_ title: String, code: CommandCode, _ parts: [LayoutPart]) -> Explanation.Layout {
        let codeText = code.byteCount == 1 ? "\(code)" : Hex.text([code.first, code.function], separator: " ")
        let rest = parts.layoutText()
        return Explanation.Layout(
            title: title, line: "LEN | \(codeText)" + (rest.isEmpty ? "" : " | \(rest)"),
            parts: [
                .init(name: "LEN", meaning: "1 byte: length of the packet, itself included"),
                .init(
                    name: code.isResponse ? "response code" : "command code",
                    meaning: "\(CountText.of(code.byteCount, "byte")): \(codeText)"),
            ] + parts.explained())
    }

    /// The layout of a frame to or from a selected tag.
    static func frame(_ title: String, opcode: Type2Opcode?, _ parts: [LayoutPart]) -> Explanation.Layout {
        let digits = opcode.map { Hex.digits($0.rawValue, width: 2) }
        let head = digits.map { [FrameDescription.Detail(name: "opcode", meaning: "1 byte: \($0)")] } ?? []
        let texts = [digits, parts.isEmpty ? nil : parts.layoutText(), "CRC_A (2)"].compactMap { $0 }
        return Explanation.Layout(
            title: title, line: texts.joined(separator: " | "),
            parts: head + parts.explained() + [.init(name: "CRC_A", meaning: "2 bytes, low byte first")])
    }

    /// A layout that is told in one line.
    static func line(_ title: String, _ line: String) -> Explanation.Layout {
        Explanation.Layout(title: title, line: line, parts: [])
    }
}

extension [LayoutPart] {
    /// The fields in order, each with its size.
    func explained(symbol: String = "n") -> [FrameDescription.Detail] {
        var symbol = symbol
        var details: [FrameDescription.Detail] = []
        for part in self { details += part.explained(&symbol) }
        return details
    }
}

extension LayoutPart {
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
                        "2 bytes, or 3 where bit 7 of the first is clear, \(symbol) times: access mode (bits 4 to 6), "
                        + "service order (bits 0 to 3), block number, low byte first")
            ]
        case .blockData: return [Detail(name: "data", meaning: "16 bytes, \(symbol) times")]
        case .status:
            return [
                Detail(name: "status flag 1", meaning: "1 byte: 00 success, FF an error, else its place in the list"),
                Detail(name: "status flag 2", meaning: "1 byte: the reason; behind an error the answer ends here"),
            ]
        case .optional(let parts):
            return parts.explained(symbol: symbol).map {
                Detail(name: $0.name, meaning: "\($0.meaning); may be missing")
            }
        case .writtenPage: return [Detail(name: "data", meaning: "4 bytes")]
        case .pages: return [Detail(name: "page", meaning: "4 bytes, as many times as pages are read")]
        }
    }
}

extension FieldKind {
    /// Number of bytes and their order.
    fileprivate var sizeText: String {
        guard let byteCount else { return "all that is left" }
        let size = CountText.of(byteCount, "byte")
        return switch form {
        case "LE": "\(size), low byte first"
        case "BE": "\(size), high byte first"
        case "00": "\(size), zero"
        default: size
        }
    }
}
