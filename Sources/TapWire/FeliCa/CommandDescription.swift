/// What is said of a FeliCa command beside its packets: names, notes, and the layout that tells one field from another.
///
/// Each stands in the file of its command, and ``all`` lists them. The names in scenario files, the tables of commands,
/// what descriptions and explanations say, and which commands a fault fits are derived from it.
package struct CommandDescription: Hashable, Sendable {
    /// What follows LEN and code.
    package struct Layout: Hashable, Sendable {
        package let command: [LayoutPart]
        package let response: [LayoutPart]
        /// What an encrypted response says, where no other command answers the same.
        package var openedResponse: [LayoutPart]?
    }

    package let code: CommandCode
    package let name: String
    /// The name in the one line of a frame.
    package let shortName: String
    /// What the one line of an answer begins with; empty where the answer says what it is.
    package let answerWords: String
    /// The name in scenario files, without `felica.`; `nil` for commands that no card here could answer.
    package let word: String?
    package let explanation: String
    /// What refuses it and what to know about it, sentences.
    package let notes: [String]
    package let source: String
    /// Whether it belongs to a session, starts one, or needs a key otherwise.
    package let needsKey: Bool
    /// Whether all behind its code is a secure packet.
    package let isSecureFrame: Bool
    /// The time byte of a PMm for a command of a session, whose layout does not tell it.
    private let sessionTime: PMm.CommandClass?
    /// `nil` where the layout is not published, or only a key opens it.
    package let layout: Layout?

    /// The commands with a published name, in the order of their codes.
    package static let all = (open + keyed).sorted { $0.code < $1.code }

    /// The commands that need no key, each described in its own file.
    private static let open = [
        Polling.description, RequestService.description, RequestResponse.description,
        ReadWithoutEncryption.description, WriteWithoutEncryption.description, SearchServiceCode.description,
        RequestSystemCode.description, RequestBlockInformation.description, RequestCodeList.description,
        RequestBlockInformationEx.description, SetParameter.description, GetContainerIssueInformation.description,
        GetAreaInformation.description, GetNodeProperty.description, GetContainerProperty.description,
        RequestServiceV2.description, GetSystemStatus.description, RequestProductInformation.description,
        RequestSpecificationVersion.description, ResetMode.description, GetContainerID.description, Echo.description,
    ]

    /// The description of a command by its code or that of its response, or `nil` for an unknown one.
    package static func of(_ code: CommandCode) -> CommandDescription? {
        byFirstByte[Int(code.command.first)].flatMap { $0.code == code.command ? $0 : nil }
    }

    /// The descriptions at the places of their codes; no two share a first byte.
    private static let byFirstByte: [CommandDescription?] = {
        var table = [CommandDescription?](repeating: nil, count: 256)
        for description in all { table[Int(description.code.first)] = description }
        return table
    }()
}

// What a layout tells of its command.

extension CommandDescription {
    /// Whether the answer begins with an IDm, as far as its layout is published.
    package var answersWithIDm: Bool {
        guard case .field(let first)? = layout?.response.first else { return false }
        return first.role == .idm || first.role == .foundIDm
    }

    /// Whether an answer can hold a MAC over its data.
    package var carriesMAC: Bool { isSecureFrame || code == .readWithoutEncryption }

    package var hasStatusFlags: Bool { layout?.response.contains(where: \.isStatus) ?? false }

    package var carriesBlocks: Bool { layout?.command.contains(.blockList) ?? false }

    /// Whether the command carries the IDm of the system it is for.
    package var namesSystem: Bool { layout?.command.first == .field(.idm) }

    /// Length of the command in bytes, LEN included, if all its fields have one; else `nil`.
    package var commandLength: Int? {
        guard let parts = layout?.command, parts.allSatisfy({ $0.byteCount != nil }) else { return nil }
        return parts.reduce(1 + code.byteCount) { $0 + ($1.byteCount ?? 0) }
    }

    /// Whether the command says nothing but reserved bytes behind its IDm.
    package var isReserved: Bool {
        layout?.command.filter { $0 != .field(.idm) } == [.field(.reserved(2))]
    }

    /// The time byte of a PMm that speaks of the command.
    package var timeClass: PMm.CommandClass {
        if let sessionTime { return sessionTime }
        guard let layout else { return .other }
        if carriesBlocks { return layout.command.contains(.blockData) ? .write : .read }
        return (layout.command + layout.response).contains(where: \.listsNodes) ? .requestService : .fixed
    }

    /// Offset of the number of nodes in a command that lists nodes or services, else `nil`.
    package var nodeCountOffset: Int? {
        guard let list = layout?.command.firstList, list.entry.count == 1 else { return nil }
        return list.entry[0].role == .node || list.entry[0].role == .service ? list.countOffset : nil
    }

    /// Whether anybody can read which nodes it names: its layout lists them, and no key hides it.
    package var namesNodes: Bool { !needsKey && nodeCountOffset != nil }

    /// The counted list in which the answer ends, or `nil` where it has none, or entries of more than one length.
    package var answerList: CountedList? {
        guard let parts = layout?.response, parts.count(where: \.isCount) == 1, let list = parts.firstList,
            parts[list.end...].allSatisfy(\.isOptional)
        else { return nil }
        return CountedList(
            countOffset: list.countOffset, entryLength: list.entry.reduce(0) { $0 + ($1.byteCount ?? 0) })
    }

    /// A list behind the number of its entries.
    package struct CountedList: Hashable, Sendable {
        package let countOffset: Int
        package let entryLength: Int

        package init(countOffset: Int, entryLength: Int) {
            self.countOffset = countOffset
            self.entryLength = entryLength
        }
    }
}

extension [LayoutPart] {
    /// The first counted list: the offset of its count in the packet, the fields of an entry where it has entries of
    /// one kind, and the index of the part behind it.
    fileprivate var firstList: (countOffset: Int, entry: [FrameField], end: Int)? {
        guard let count = firstIndex(where: \.isCount), count + 1 < self.count else { return nil }
        let offset = self[..<count].reduce(FeliCaPacket.minimumLength) { $0 + ($1.byteCount ?? 0) }
        return switch self[count + 1] {
        case .list(let groups) where groups.count == 1: (offset, groups[0], count + 2)
        case .blockData: (offset, [FrameField("data", BlockData.byteCount)], count + 2)
        default: nil
        }
    }
}

extension LayoutPart {
    fileprivate var isCount: Bool { if case .count = self { true } else { false } }
    fileprivate var isStatus: Bool { if case .status = self { true } else { false } }
    fileprivate var isOptional: Bool { if case .optional = self { true } else { false } }

    fileprivate var listsNodes: Bool {
        if case .list(let groups) = self { groups.joined().contains { $0.role == .node } } else { false }
    }

    /// Bytes of a part of one length; `nil` for lists and what may be missing.
    fileprivate var byteCount: Int? {
        switch self {
        case .field(let field): field.byteCount
        case .status: 2
        default: nil
        }
    }
}

// The ways in which commands are documented.

extension CommandDescription {
    private init(
        _ code: CommandCode, _ name: String, short: String?, answer: String = "", word: String?, _ explanation: String,
        _ notes: [String], source: String, needsKey: Bool = false, isSecureFrame: Bool = false,
        sessionTime: PMm.CommandClass? = nil,
        _ layout: Layout?
    ) {
        self.code = code
        self.name = name
        shortName = short ?? name
        answerWords = answer
        self.word = word
        self.explanation = explanation
        self.notes = notes
        self.source = source
        self.needsKey = needsKey
        self.isSecureFrame = isSecureFrame
        self.sessionTime = sessionTime
        self.layout = layout
    }

    /// A command of FeliCa Card User's Manual, excerpted edition.
    static func manual(
        _ code: CommandCode, _ name: String, short: String? = nil, answer: String = "", word: String,
        _ explanation: String, notes: [String] = [], command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: short, answer: answer, word: word, explanation, notes,
            source: "FeliCa Card User's Manual, excerpted edition, \"\(name)\"",
            Layout(command: command, response: response))
    }

    /// A command of cards with AES keys.
    static func aes(
        _ code: CommandCode, _ name: String, answer: String = "", word: String, _ explanation: String,
        command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: nil, answer: answer, word: word, explanation, ["Silence: a card without AES keys."],
            source: "FeliCa Card User's Manual (Unofficial Edition), \"\(name)\"; layouts seen by felica-tool",
            Layout(command: command, response: response))
    }

    /// A command of phones and of options.
    static func measured(
        _ code: CommandCode, _ name: String, answer: String = "", word: String, _ explanation: String,
        notes: [String] = [], command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: nil, answer: answer, word: word, explanation,
            notes + ["Few chips know it; all others are silent."],
            source: "measured by felica-tool, \"supported FeliCa commands\"",
            Layout(command: command, response: response))
    }

    /// Echo, which most cards know and no manual names.
    static func echo(
        _ explanation: String, notes: [String], command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            .echo, "Echo", short: nil, answer: "Echo", word: "echo", explanation, notes,
            source: "measured by felica-tool", Layout(command: command, response: response))
    }

    /// A command that starts a session or needs a key otherwise.
    static func keyed(
        _ code: CommandCode, _ name: String, word: String? = nil, _ explanation: String,
        notes: [String] = ["Silence: the keys, the session or the mode are not right; a card never says which."],
        time: PMm.CommandClass = .authentication, _ layout: Layout? = nil
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: nil, word: word, explanation, notes, source: unofficialManual, needsKey: true,
            sessionTime: layout == nil ? nil : time, layout)
    }

    /// A command whose packets only the keys of a session open; of AES packets the transaction number is in the clear.
    static func secureFrame(
        _ code: CommandCode, _ name: String, word: String? = nil, _ explanation: String,
        time: PMm.CommandClass = .other
    ) -> CommandDescription {
        let isV2 = [0x40, 0x50, 0x70].contains(code.first & 0xF0)
        let clear: [LayoutPart] = isV2 ? [.field(.transactionNumber)] : []
        let sealed =
            clear + [.field(.encrypted(isV2 ? "payload and MAC" : "transaction number and ID, payload, MAC", nil))]
        return CommandDescription(
            code, name, short: nil, word: word, explanation,
            [
                "Silence: no session, a wrong MAC or transaction ID, a transaction number that is not above the last, "
                    + "or a length that no packet has; the session goes on.",
                "Errors travel inside the encryption, as status flags.",
            ], source: unofficialManual, needsKey: true, isSecureFrame: true, sessionTime: time,
            Layout(command: sealed, response: sealed))
    }

    private static let unofficialManual = "FeliCa Card User's Manual (Unofficial Edition)"
}
