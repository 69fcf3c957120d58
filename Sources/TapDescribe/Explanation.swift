import TapWire

/// The explanation of a name: a command, a status flag, an acknowledgement, a service or a system.
public struct Explanation: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case command
        case statusFlag = "status flag"
        case acknowledgement
        case service
        case system
        /// A block of FeliCa Lite.
        case block
        case apdu = "APDU"
        case statusWord = "status word"
        case returnCode = "return code"

        /// A Boolean value that indicates whether the name appears between a program and a reader rather than between reader
        /// and card.
        public var isOfReaders: Bool { [.apdu, .statusWord, .returnCode].contains(self) }
    }

    /// The structure of a frame or a block.
    public struct Layout: Hashable, Sendable {
        /// The part with this layout: `command`, `answer`, `block`.
        public let title: String
        /// The layout in one line; empty if ``parts`` describe it completely.
        public let line: String
        /// The fields in order, each with its size or position.
        public let parts: [FrameDescription.Detail]
    }

    public let kind: Kind
    /// The name in lists, such as `felica.read`, `FF A2`, `NAK 0`, `090F`.
    public let name: String
    /// The name in the manuals, such as `Read Without Encryption`.
    public let title: String
    /// The code in words, such as `command code 06, response code 07`.
    public let code: String
    public let summary: String
    /// The structure; empty for codes.
    public let layouts: [Layout]
    /// The reasons for a refusal and the next steps, as sentences.
    public let notes: [String]
    public let source: String
    /// Other names that lead to this explanation.
    let aliases: [String]

    init(
        _ kind: Kind, _ name: String, title: String, code: String, summary: String, layouts: [Layout] = [],
        notes: [String] = [], source: String, aliases: [String]
    ) {
        self.kind = kind
        self.name = name
        self.title = title
        self.code = code
        self.summary = summary
        self.layouts = layouts
        self.notes = notes
        self.source = source
        self.aliases = aliases
    }

    /// All explanations: first the codes and contents of cards, then those of readers.
    public static let all: [Explanation] =
        commands + statusFlags + acknowledgements + services + systems + liteBlocks + apdus + statusWords + returnCodes

    /// All explanations in the order of a code lookup: a two-digit code is more likely a status flag than an opcode.
    private static let ranked = commands.filter(\.isOfFeliCa) + statusFlags + rest

    private static let rest = all.filter { !$0.isOfFeliCa && $0.kind != .statusFlag }

    private var isOfFeliCa: Bool { kind == .command && code.hasPrefix("FeliCa") }

    /// Returns all possible meanings of a name, the likeliest first: `A2` is a status flag and the opcode of WRITE.
    ///
    /// - Parameter name: A name from the list, a manual's name, or a code: `felica.read`, `Read Without Encryption`, `06`,
    ///   `pwd_auth`, `1B`, `FF A2`, `01A6`, `A2`, `NAK 0`, `090F`, `FE00`, `FF CA`, `6A82`, `8010000C`.
    public static func matches(_ name: String) -> [Explanation] {
        let folded = fold(name)
        guard !folded.isEmpty else { return [] }
        let exact = ranked.filter { $0.name == name || $0.aliases.contains(name) }
        let similar = ranked.filter { fold($0.name) == folded || $0.aliases.contains { fold($0) == folded } }
        let known = exact + similar.filter { !exact.contains($0) }
        guard known.isEmpty else { return known }
        let counting = statusWord(name)
        // 6C10 is a status word; 6A42 is a status word without a name, and may also be a service.
        if let counting, counting.isExact { return [counting.explanation] }
        return (counting.map { [$0.explanation] } ?? [])
            + (response(code: name) ?? (counting == nil ? status(flags: name) : nil) ?? node(name))
    }

    /// Returns a name in lower case, without spaces and punctuation.
    private static func fold(_ name: String) -> String {
        String(name.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// Returns the command to which a response code belongs.
    private static func response(code text: String) -> [Explanation]? {
        guard let bytes = try? Hex.bytes(text), bytes.count == 1, let code = bytes.first, code & 1 == 1 else {
            return nil
        }
        let command = "\(CommandCode(code).command)"
        let found = commands.filter { $0.isOfFeliCa && $0.aliases.contains(command) }
        return found.isEmpty ? nil : found
    }

    /// Returns the explanation of both status flags, such as `01 A6`.
    private static func status(flags text: String) -> [Explanation]? {
        guard let bytes = try? Hex.bytes(text), bytes.count == 2 else { return nil }
        let flags = StatusFlags(bytes[0], bytes[1])
        return flags.reason.entry.map { [statusFlag($0, place: flags)] }
    }

    /// Returns the explanation, by its attribute, of a service code that no known application has.
    private static func node(_ text: String) -> [Explanation] {
        guard let bytes = try? Hex.bytes(text), bytes.count == 2, text.contains(where: { $0.isNumber }) else {
            return []
        }
        let code = NodeCode(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        return code.attribute.kind == .undefined ? [] : [unknownNode(code)]
    }
}

// Layouts in explanations.

extension Explanation.Layout {
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

    static func frame(_ title: String, opcode: Type2Opcode?, _ parts: [LayoutPart]) -> Explanation.Layout {
        let digits = opcode.map { Hex.digits($0.rawValue, width: 2) }
        let head = digits.map { [FrameDescription.Detail(name: "opcode", meaning: "1 byte: \($0)")] } ?? []
        let texts = [digits, parts.isEmpty ? nil : parts.layoutText(), "CRC_A (2)"].compactMap { $0 }
        return Explanation.Layout(
            title: title, line: texts.joined(separator: " | "),
            parts: head + parts.explained() + [.init(name: "CRC_A", meaning: "2 bytes, low byte first")])
    }

    static func line(_ title: String, _ line: String) -> Explanation.Layout {
        Explanation.Layout(title: title, line: line, parts: [])
    }
}
