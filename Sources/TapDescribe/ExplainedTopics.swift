import TapWire

extension Explanation {
    /// One explanation for each command name, followed by the commands that only have a name in their manual.
    static let commands: [Explanation] = named + unnamedFeliCa + unnamedType2

    private static let named: [Explanation] = CommandName.all.compactMap { name in
        if let command = name.feliCa { return feliCa(name.rawValue, command) }
        if let opcode = name.opcode, let entry = opcode.explanation { return type2(name.rawValue, entry) }
        return selection[name.rawValue] ?? unknown[name.rawValue]
    }

    private static let unnamedFeliCa = CommandDescription.all.filter { $0.word == nil }.map { feliCa($0.name, $0) }

    private static let unnamedType2 = Type2Opcode.explanations.filter { $0.word == nil }.map { type2($0.name, $0) }

    private static func feliCa(_ name: String, _ command: CommandDescription) -> Explanation {
        let code = command.code
        let packets: [Layout] =
            command.layout.map {
                [.packet("command", code: code, $0.command), .packet("response", code: code.response, $0.response)]
            } ?? [.packet("command", code: code, .sealed)]
        let codes =
            code == .echo ? "command and response code F0 00" : "command code \(code), response code \(code.response)"
        return Explanation(
            .command, name, title: command.name, code: "FeliCa, \(codes)", summary: command.explanation,
            layouts: packets, notes: command.notes, source: command.source,
            aliases: [
                command.name, "\(code)", Hex.digits(code.first, width: 2), command.shortName, ownPart(of: name),
            ])
    }

    private static func type2(
        _ name: String, _ entry: Type2Opcode.Explanation
    ) -> Explanation {
        let opcode = entry.opcode
        var frames: [Layout] = []
        if let layout = entry.layout {
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
                ? "NTAG213/215/216 data sheet rev. 3.2, \"\(entry.name)\"" : "data sheets of the cards that support it",
            aliases: [entry.name, Hex.digits(opcode.rawValue, width: 2), ownPart(of: name)])
    }

    private static func ownPart(of name: String) -> String {
        String(name.drop { $0 != "." }.dropFirst())
    }

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
            "Selects by a whole cascade level; the matching card answers with SAK.",
            [.line("command", "SEL | 70 | UID part (4) | BCC | CRC_A (2)"), .line("answer", "SAK | CRC_A (2)")],
            [
                "SAK 04: the UID continues in the next level. SAK 00: selected.",
                "Silence: the UID part is another card's, or BCC or CRC is wrong.",
            ], ["93 70", "95 70", "97 70", "93", "95", "97"]),
    ]

    private static let unknown: [String: Explanation] = [
        "felica.unknown": Explanation(
            .command, "felica.unknown", title: "unknown FeliCa command", code: "any code TapSim has no name for",
            summary: "A card does not answer a command that it does not know.",
            notes: ["Check LEN, and that the code is even: an odd code is a response code."],
            source: "FeliCa Card User's Manual, excerpted edition, \"command packet\"", aliases: []),
        "ntag.unknown": Explanation(
            .command, "ntag.unknown", title: "unknown type A command", code: "any opcode TapSim has no name for",
            summary: "A selected NTAG21x answers NAK 0 and has to be selected again; a card not selected is silent.",
            notes: type2Names, source: "NTAG213/215/216 data sheet rev. 3.2, \"NTAG commands\"", aliases: []),
    ]

    /// The commands of related ICs with which readers distinguish tags.
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

    static let statusFlags: [Explanation] = StatusFlag2.known.map { statusFlag($0, place: nil) }

    /// Returns the explanation of status flag 2, with the meaning of status flag 1 if that is known.
    static func statusFlag(_ entry: CodeEntry<StatusFlag2>, place: StatusFlags?) -> Explanation {
        let flag = entry.code
        let listed = flag == .normal ? "00 00" : "FF \(flag)"
        let where_ = place.map { ["Status flag 1 is \(Hex.digits($0.flag1, width: 2)): \($0.placeText)."] } ?? []
        return Explanation(
            .statusFlag, place?.description ?? listed, title: entry.name, code: "FeliCa, status flag 2 \(flag)",
            summary: entry.explanation, notes: where_ + entry.notes, source: entry.source,
            aliases: place == nil ? ["\(flag)", "status \(flag)", entry.name] : [])
    }

    static let acknowledgements: [Explanation] =
        [Acknowledgement.ack, .invalidArgument, .checkFailed, .authenticationLimit, .writeFailed].map { nibble in
            let digit = Hex.digits(nibble.rawValue, width: 1)
            return Explanation(
                .acknowledgement, nibble.isAck ? "ACK" : "NAK \(digit)", title: nibble.isAck ? "ACK" : "NAK \(digit)",
                code: "Type 2, four bits \(digit)",
                summary: "\(nibble.meaning.prefix(1).uppercased())\(nibble.meaning.dropFirst()).",
                layouts: [.line("answer", "\(digit) (4 bits, no CRC)")],
                notes: nibble.isAck
                    ? [nibble.advice]
                    : [nibble.advice, "Every NAK sends the tag back to IDLE or HALT and ends PWD_AUTH."],
                source: "NTAG213/215/216 data sheet rev. 3.2, \"ACK and NAK\"",
                aliases: ["\(digit):4", nibble.isAck ? "ACK A" : "NAK"])
        }

    static let systems: [Explanation] = SystemCode.known.map { entry in
        let services = KnownApplication.all.flatMap(\.services).filter { $0.system == entry.code }
        let list = services.map { "\($0.code) \($0.title), \($0.code.attribute.text)" }
        let own = KnownApplication.all.filter { $0.services.contains { $0.system == entry.code } }.map(\.name)
        return Explanation(
            .system, "\(entry.code)", title: entry.name,
            code: "system code \(entry.code), on the wire \(wire(entry.code.rawValue.byteSwapped))",
            summary: entry.explanation, layouts: [],
            notes: ["Polling \(entry.code) finds it."]
                + (own.count > 1 ? [own.joined(separator: ", ") + " share it."] : [])
                + list,
            source: entry.source.isEmpty ? "lists of Proxmark3, TRETJapanNFCReader and felica-tool" : entry.source,
            aliases: ["system \(entry.code)", entry.name])
    }

    /// Returns a number as two bytes, the low byte first.
    static func wire(_ number: UInt16) -> String {
        Hex.text([UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)], separator: " ")
    }

    static let services: [Explanation] = KnownApplication.all.flatMap { application in
        application.services.map { service(of: application, $0) }
    }

    private static func service(of application: KnownApplication, _ service: ApplicationService) -> Explanation {
        let blocks = CountText.of(service.blockCount, "block")
        let parts = recordParts(of: service)
        let others = application.services.filter { $0.code.number == service.code.number && $0.code != service.code }
        let shared = others.map { "Shares its blocks with \($0.code), \($0.code.attribute.text)." }
        return Explanation(
            .service, "\(service.code)", title: "\(service.title) of \(application.name)", code: codeText(service.code),
            summary: "A \(service.code.attribute.text), in system \(service.system); \(blocks) on the cards observed.",
            layouts: parts.isEmpty ? [] : [Layout(title: "block", line: "", parts: parts)],
            notes: [readText(service)] + shared, source: "observation of cards, confirmed by public decoders",
            aliases: ["service \(service.code)", "\(application.name) \(service.title)"])
    }

    /// Returns the explanation of a service, or an area, that no known application has.
    static func unknownNode(_ code: NodeCode) -> Explanation {
        let kind = code.attribute.kind
        return Explanation(
            .service, "\(code)", title: kind == .area ? "area" : "service of no known application",
            code: codeText(code), summary: "By its attribute: \(code.attribute.text), number \(code.number).",
            notes: kind == .area ? [] : ["Services with the same number share their blocks."],
            source: "FeliCa Card User's Manual, excerpted edition, \"area code and service code\"", aliases: [])
    }

    private static func codeText(_ code: NodeCode) -> String {
        "\(code.attribute.kind == .area ? "area" : "service") code \(code), on the wire \(wire(code.rawValue))"
    }

    private static func readText(_ service: ApplicationService) -> String {
        service.code.attribute.isAuthenticationFree
            ? "Read it with Read Without Encryption, after Polling \(service.system)."
            : "It needs authentication: Read Without Encryption gets status flag 2 A5."
    }

    /// Returns the names of the fields of a block's record, taken from the description of a sample block.
    private static func recordParts(of service: ApplicationService) -> [FrameDescription.Detail] {
        let ones = BlockData([UInt8](repeating: 1, count: BlockData.byteCount))
        var sample = ones
        if service.system == .ndef {
            var block = AttributeInformationBlock(ones)
            block.updateChecksum()
            sample = block.stored
        }
        for number: UInt16 in 0...1 {
            let place = NamedBlock(BlockListElement(blockNumber: number), service: service.code)
            if let meaning = BlockMeaning.of(sample, at: place, after: number == 0 ? nil : ones) {
                let record = FrameDescription.Detail(name: "record", meaning: meaning.name)
                return [record] + meaning.details.map { .init(name: $0.name, meaning: "") }
            }
        }
        return []
    }

    static let apdus: [Explanation] = HostCommand.all.map { command in
        let digits = Hex.text(command.prefix, separator: " ")
        return Explanation(
            .apdu, digits, title: command.title, code: "command APDU \(digits)", summary: command.summary,
            layouts: [.line("command", command.layout)], notes: command.notes, source: command.source,
            aliases: [command.title])
    }

    static let statusWords: [Explanation] = StatusWord.known.map { statusWord($0, nil) }

    private static func statusWord(_ entry: StatusWord.Entry, _ status: StatusWord?) -> Explanation {
        let meaning = status.map { entry.meaning(of: $0) } ?? entry.meaning
        let name = status?.description ?? entry.name
        return Explanation(
            .statusWord, name, title: "\(meaning)", code: "status word \(name)",
            summary: "The end of a response APDU: \(meaning).", notes: entry.notes,
            source: "ISO/IEC 7816-4, \"status bytes\"; PC/SC part 3; manuals of readers",
            aliases: ["SW \(name)", "0x\(name)"])
    }

    /// Returns the explanation of a status word without an entry of its own, such as 6C10, and whether the meaning is exact.
    static func statusWord(_ text: String) -> (explanation: Explanation, isExact: Bool)? {
        let digits = text.lowercased().hasPrefix("0x") ? String(text.dropFirst(2)) : text
        guard let bytes = try? Hex.bytes(digits), bytes.count == StatusWord.length else { return nil }
        let status = StatusWord(bytes[0], bytes[1])
        return status.entry.map { (statusWord($0, status), $0.isExact) }
    }

    /// The return codes of PC/SC functions.
    ///
    /// Two codes share a name: they are listed by name and number.
    static let returnCodes: [Explanation] = PCSCReturnCode.named.map { entry in
        let digits = Hex.digits(entry.code.rawValue, width: 8)
        let isAlone = PCSCReturnCode.named.filter { $0.name == entry.name }.count == 1
        let signed = Int32(bitPattern: entry.code.rawValue)
        return Explanation(
            .returnCode, isAlone ? entry.name : "\(entry.name) \(digits)", title: entry.name,
            code: "PC/SC return code, \(entry.code), \(signed) as a signed number",
            summary: "\(entry.advice.prefix(1).uppercased())\(entry.advice.dropFirst()).",
            source: "pcsc-lite manual, \"ErrorCodes\"; the advice is TapSim's",
            aliases: [entry.name, digits, "\(entry.code)", "\(signed)", "\(entry.code.rawValue)"])
    }
}
