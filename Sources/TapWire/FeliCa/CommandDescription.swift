/// The description of a FeliCa command besides its packet types: names, notes and the field layout.
///
/// Each description is declared in the file of its command; ``all`` lists them. The names in scenario files, the command
/// tables, the texts of descriptions and explanations, and the list of commands that a fault applies to are derived from it.
package struct CommandDescription: Hashable, Sendable {
    /// The fields after LEN and code.
    package struct Layout: Hashable, Sendable {
        package let command: [LayoutPart]
        package let response: [LayoutPart]
        /// The fields of a decrypted response, if no other command has the same response.
        package var openedResponse: [LayoutPart]?
    }

    package let code: CommandCode
    package let name: String
    /// The name in the one-line description of a frame.
    package let shortName: String
    /// The start of the one-line description of an answer; empty if the answer's fields are self-explanatory.
    package let answerSummary: String
    /// The name in scenario files without `felica.`; `nil` for commands that no card in TapSim can answer.
    package let word: String?
    package let explanation: String
    /// Reasons for refusing the command and other notes, as sentences.
    package let notes: [String]
    package let source: String
    /// A Boolean value that indicates whether the command starts or belongs to a session, or needs a key for another reason.
    package let needsKey: Bool
    /// A Boolean value that indicates whether everything after the code is a secure packet.
    package let isSecureFrame: Bool
    /// The PMm time byte for a session command, which cannot be derived from its layout.
    private let sessionTime: PMm.CommandClass?
    /// The layout; `nil` if it is unpublished or cannot be read without a key.
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

    /// The description of a command, found by the command's or the response's code; `nil` for an unknown code.
    package static func of(_ code: CommandCode) -> CommandDescription? {
        byFirstByte[Int(code.command.first)].flatMap { $0.code == code.command ? $0 : nil }
    }

    /// The descriptions indexed by the first byte of their code; no two share a first byte.
    private static let byFirstByte: [CommandDescription?] = {
        var table = [CommandDescription?](repeating: nil, count: 256)
        for description in all { table[Int(description.code.first)] = description }
        return table
    }()
}

// Properties derived from the layout.

extension CommandDescription {
    /// A Boolean value that indicates whether the answer begins with an IDm, as far as its layout is published.
    package var answersWithIDm: Bool {
        guard case .field(let first)? = layout?.response.first else { return false }
        return first.role == .idm || first.role == .foundIDm
    }

    /// A Boolean value that indicates whether an answer can contain a MAC over its data.
    package var carriesMAC: Bool { isSecureFrame || code == .readWithoutEncryption }

    package var hasStatusFlags: Bool { layout?.response.contains(where: \.isStatus) ?? false }

    package var carriesBlocks: Bool { layout?.command.contains(.blockList) ?? false }

    /// A Boolean value that indicates whether the command contains the IDm of its target system.
    package var namesSystem: Bool { layout?.command.first == .field(.idm) }

    /// The length of the command in bytes, LEN included, or `nil` if a field has a variable length.
    package var commandLength: Int? {
        guard let parts = layout?.command, parts.allSatisfy({ $0.byteCount != nil }) else { return nil }
        return parts.reduce(1 + code.byteCount) { $0 + ($1.byteCount ?? 0) }
    }

    /// A Boolean value that indicates whether only reserved bytes follow the IDm.
    package var isReserved: Bool {
        layout?.command.filter { $0 != .field(.idm) } == [.field(.reserved(2))]
    }

    /// The PMm time byte that applies to the command.
    package var timeClass: PMm.CommandClass {
        if let sessionTime { return sessionTime }
        guard let layout else { return .other }
        if carriesBlocks { return layout.command.contains(.blockData) ? .write : .read }
        return (layout.command + layout.response).contains(where: \.listsNodes) ? .requestService : .fixed
    }

    /// The offset of the count in a command with a list of nodes or services; otherwise `nil`.
    package var nodeCountOffset: Int? {
        guard let list = layout?.command.firstList, list.entry.count == 1 else { return nil }
        return list.entry[0].role == .node || list.entry[0].role == .service ? list.countOffset : nil
    }

    /// A Boolean value that indicates whether the command's nodes can be read without a key: its layout lists them
    /// unencrypted.
    package var namesNodes: Bool { !needsKey && nodeCountOffset != nil }

    /// The counted list at the end of the answer; `nil` if there is none or its entries vary in length.
    package var answerList: CountedList? {
        guard let parts = layout?.response, parts.count(where: \.isCount) == 1, let list = parts.firstList,
            parts[list.end...].allSatisfy(\.isOptional)
        else { return nil }
        return CountedList(
            countOffset: list.countOffset, entryLength: list.entry.reduce(0) { $0 + ($1.byteCount ?? 0) })
    }

    /// A list that is preceded by the number of its entries.
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
    /// The first counted list: the packet offset of its count, the fields of an entry if there is only one kind of entry, and
    /// the index of the part after the list.
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

    /// The size of a fixed-length part; `nil` for lists and optional parts.
    fileprivate var byteCount: Int? {
        switch self {
        case .field(let field): field.byteCount
        case .status: 2
        default: nil
        }
    }
}

// Initializers for each kind of documentation.

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
        answerSummary = answer
        self.word = word
        self.explanation = explanation
        self.notes = notes
        self.source = source
        self.needsKey = needsKey
        self.isSecureFrame = isSecureFrame
        self.sessionTime = sessionTime
        self.layout = layout
    }

    /// Describes a command from FeliCa Card User's Manual, excerpted edition.
    static func manual(
        _ code: CommandCode, _ name: String, short: String? = nil, answer: String = "", word: String,
        _ explanation: String, notes: [String] = [], command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: short, answer: answer, word: word, explanation, notes,
            source: "FeliCa Card User's Manual, excerpted edition, \"\(name)\"",
            Layout(command: command, response: response))
    }

    /// Describes a command of cards with AES keys.
    static func aes(
        _ code: CommandCode, _ name: String, answer: String = "", word: String, _ explanation: String,
        command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: nil, answer: answer, word: word, explanation, ["Silence: a card without AES keys."],
            source: "FeliCa Card User's Manual (Unofficial Edition), \"\(name)\"; layouts seen by felica-tool",
            Layout(command: command, response: response))
    }

    /// Describes a command of phones or of optional card functions.
    static func measured(
        _ code: CommandCode, _ name: String, answer: String = "", word: String, _ explanation: String,
        notes: [String] = [], command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: nil, answer: answer, word: word, explanation,
            notes + ["Few chips support it; all others do not answer."],
            source: "measured by felica-tool, \"supported FeliCa commands\"",
            Layout(command: command, response: response))
    }

    /// Describes Echo, which most cards support although no manual mentions it.
    static func echo(
        _ explanation: String, notes: [String], command: [LayoutPart], response: [LayoutPart]
    ) -> CommandDescription {
        CommandDescription(
            .echo, "Echo", short: nil, answer: "Echo", word: "echo", explanation, notes,
            source: "measured by felica-tool", Layout(command: command, response: response))
    }

    /// Describes a command that starts a session or otherwise needs a key.
    static func keyed(
        _ code: CommandCode, _ name: String, word: String? = nil, _ explanation: String,
        notes: [String] = ["Silence: wrong keys, session or mode; a card never reports which."],
        time: PMm.CommandClass = .authentication, _ layout: Layout? = nil
    ) -> CommandDescription {
        CommandDescription(
            code, name, short: nil, word: word, explanation, notes, source: unofficialManual, needsKey: true,
            sessionTime: layout == nil ? nil : time, layout)
    }

    /// Describes a command whose packets can be decrypted only with session keys; AES packets have a plaintext transaction
    /// number.
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
                    + "or an invalid length; the session continues.",
                "Errors are sent encrypted, as status flags.",
            ], source: unofficialManual, needsKey: true, isSecureFrame: true, sessionTime: time,
            Layout(command: sealed, response: sealed))
    }

    private static let unofficialManual = "FeliCa Card User's Manual (Unofficial Edition)"
}
