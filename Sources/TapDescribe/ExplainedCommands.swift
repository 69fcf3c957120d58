import TapWire

extension Explanation {
    /// One explanation for each command name, then those of commands that have only the name of their manual.
    static let commands: [Explanation] = named + unnamedFeliCa + unnamedType2

    private static let named: [Explanation] = CommandName.all.compactMap { name in
        if let code = name.feliCaCode, let entry = code.entry { return feliCa(name.rawValue, entry) }
        if let opcode = name.opcode, let entry = opcode.explanation { return type2(name.rawValue, entry) }
        return selection[name.rawValue] ?? unknown[name.rawValue]
    }

    private static let unnamedFeliCa: [Explanation] = {
        let codes = Set(CommandName.all.compactMap(\.feliCaCode))
        return CommandCode.known.filter { !codes.contains($0.code) }.map { feliCa($0.name, $0) }
    }()

    private static let unnamedType2: [Explanation] = {
        let opcodes = Set(CommandName.all.compactMap(\.opcode))
        return Type2Opcode.explanations.filter { !opcodes.contains($0.opcode) }.map { type2($0.name, $0) }
    }()

    private static func feliCa(_ name: String, _ entry: CodeEntry<CommandCode>) -> Explanation {
        let code = entry.code
        let layout = PacketLayout.of(code)
        let packets: [Layout] =
            layout.map {
                [
                    .packet("command", code: $0.code, $0.command),
                    .packet("response", code: $0.code.response, $0.response),
                ]
            } ?? [.packet("command", code: code, PacketLayout.sealed)]
        let codes =
            code == .echo ? "command and response code F0 00" : "command code \(code), response code \(code.response)"
        return Explanation(
            .command, name, title: entry.name, code: "FeliCa, \(codes)", summary: entry.explanation,
            layouts: packets, notes: entry.notes, source: entry.source,
            aliases: [entry.name, "\(code)", Hex.digits(code.first, width: 2), code.shortName, ownPart(of: name)])
    }

    private static func type2(
        _ name: String, _ entry: Type2Opcode.Explanation
    ) -> Explanation {
        let opcode = entry.opcode
        var frames: [Layout] = []
        if let layout = Type2Layout.of(opcode) {
            frames.append(.frame("command", opcode: opcode, layout.command))
            if opcode == .compatibilityWrite { frames.append(.line("second command", "data (16) | CRC_A (2)")) }
            if let answer = layout.answer { frames.append(.frame("answer", opcode: nil, answer)) }
            if opcode != .halt { frames.append(.line(layout.answer == nil ? "answer" : "or", "ACK or NAK (4 bits)")) }
        }
        return Explanation(
            .command, name, title: entry.name,
            code: "Type 2, opcode \(Hex.digits(opcode.rawValue, width: 2))", summary: entry.sentence, layouts: frames,
            notes: entry.notes,
            source: entry.isKnownToNTAG21x
                ? "NTAG213/215/216 data sheet rev. 3.2, \"\(entry.name)\"" : "data sheets of the cards that know it",
            aliases: [entry.name, Hex.digits(opcode.rawValue, width: 2), ownPart(of: name)])
    }

    /// The name without its layer.
    private static func ownPart(of name: String) -> String {
        String(name.drop { $0 != "." }.dropFirst())
    }
}

extension Explanation {
    /// The commands of ISO/IEC 14443-3 that select a card.
    private static let selection: [String: Explanation] = [
        "a3.reqa": iso(
            "a3.reqa", "REQA", "short frame 26, seven bits", "Asks all idle cards to answer with ATQA.",
            [.line("command", "26 (7 bits, no CRC)"), .line("answer", "ATQA (2, LE, no CRC)")],
            ["Silence: no card, or the card is halted; WUPA wakes it. A selected card falls back to IDLE or HALT."],
            ["26", "26:7"]),
        "a3.wupa": iso(
            "a3.wupa", "WUPA", "short frame 52, seven bits", "Asks all idle and halted cards to answer with ATQA.",
            [.line("command", "52 (7 bits, no CRC)"), .line("answer", "ATQA (2, LE, no CRC)")],
            ["A selected card answers nothing and falls back to IDLE or HALT: send WUPA twice."], ["52", "52:7"]),
        "a3.anticollision": iso(
            "a3.anticollision", "ANTICOLLISION", "SEL 93, 95 or 97, then NVB 20 to 67",
            "Asks all cards whose UID begins with known bits for the rest of a cascade level.",
            [
                .line("command", "SEL | NVB | known bits (0 to 39)   no CRC"),
                .line("answer", "the other bits of UID part and BCC (1 to 40)   no CRC"),
            ],
            [
                "NVB counts the bytes of the command in its high digit and the bits beyond in its low digit.",
                "Silence: no card has these bits, or this level is not due.",
            ], ["93 20", "95 20", "97 20"]),
        "a3.select": iso(
            "a3.select", "SELECT", "SEL 93, 95 or 97, then NVB 70",
            "Names a whole cascade level; the card it names answers with SAK.",
            [.line("command", "SEL | 70 | UID part (4) | BCC | CRC_A (2)"), .line("answer", "SAK | CRC_A (2)")],
            [
                "SAK 04: the UID goes on in the next level. SAK 00: selected.",
                "Silence: the UID part is another card's, or BCC or CRC is wrong.",
            ], ["93 70", "95 70", "97 70", "93", "95", "97"]),
    ]

    private static let unknown: [String: Explanation] = [
        "felica.unknown": Explanation(
            .command, "felica.unknown", title: "unknown FeliCa command", code: "any code TapSim has no name for",
            summary: "A card answers nothing to a command it does not know.",
            notes: ["Check LEN, and that the code is even: an odd code is that of a response."],
            source: "FeliCa Card User's Manual, excerpted edition, \"command packet\"", aliases: []),
        "ntag.unknown": Explanation(
            .command, "ntag.unknown", title: "unknown type A command", code: "any opcode TapSim has no name for",
            summary: "A selected NTAG21x answers NAK 0 and has to be selected again; a card not selected is silent.",
            notes: type2Names, source: "NTAG213/215/216 data sheet rev. 3.2, \"NTAG commands\"", aliases: []),
    ]

    /// The commands of relatives by which readers tell types apart.
    private static let type2Names: [String] = Type2Opcode.explanations.filter { !$0.isKnownToNTAG21x }.map {
        "\(Hex.digits($0.opcode.rawValue, width: 2)) \($0.name): \($0.sentence)"
    }

    private static func iso(
        _ name: String, _ title: String, _ code: String, _ sentence: String, _ layouts: [Layout], _ notes: [String],
        _ aliases: [String]
    ) -> Explanation {
        Explanation(
            .command, name, title: title, code: "ISO/IEC 14443-3, \(code)", summary: sentence, layouts: layouts,
            notes: notes, source: "ISO/IEC 14443-3, type A", aliases: aliases + [title])
    }
}
