import TapWire

extension FeliCaProfile {
    /// The switches, one per property of this type.
    public static let switches = countSwitches + packetSwitches + nodeSwitches + writeSwitches

    public static let unpublished = CardFacts(switches.compactMap(\.unpublished))

    private static let commands: AllowedValues<FeliCaCommandSet> = AllowedValues(
        description: "codes from \(FeliCaCardCommand.allCodes.quirkText), separated by spaces"
    ) { set in set.codes.allSatisfy(FeliCaCardCommand.allCodes.contains) }

    /// Limits, and how exceeding them is reported.
    private static let countSwitches: [QuirkSwitch<FeliCaProfile>] = [
        QuirkSwitch(
            "maxReadBlocks", \.maxReadBlocks, .range(1...ReadWithoutEncryption.maximumBlocks),
            "The maximum number of blocks one Read returns, across all its services.",
            evidence: "12 on the chips of the DES generation and 15 on AES cards and phones, measured by felica-tool; "
                + "nfcpy's table has 8 for RC-S914. The frame has room for 15."),
        QuirkSwitch(
            "maxWriteBlocks", \.maxWriteBlocks, .range(1...WriteWithoutEncryption.maximumBlocks),
            "The maximum number of blocks one Write stores, across all its services.",
            evidence: "10 on IC 0B and 20 and 13 on AES cards and phones, measured by felica-tool; nfcpy's table has 8 "
                + "for older chips. The frame has room for 13."),
        QuirkSwitch(
            "statusLocation", \.statusLocation, .cases,
            "How status flag 1 gives the position of an error in a list: its number, one bit of eight, or FF.",
            evidence: "The manual allows number and bitmap, felica-tool probes for all three; which chip uses which is "
                + "unpublished."),
        QuirkSwitch(
            unpublished: .countErrorPreference, \.countErrorPreference, .oneOf(.serviceCount, .blockCount),
            "Status flag 2 for a command that exceeds the limits of services and of blocks at once.",
            evidence: "Differs between chips, measured by felica-tool."),
        QuirkSwitch(
            unpublished: .serviceCountErrors, \.serviceCountErrors, .cases,
            "Whether a Read or Write without services, with more than 16, or without blocks is answered with "
                + "A1 or A2.",
            evidence: "The manual lists the flags; felica-rs treats such packets as malformed and is silent."),
        QuirkSwitch(
            unpublished: .cutBlockList, \.cutBlockList, .cases,
            "Whether a Read or Write of too many blocks is answered with A2 although its block list or data is truncated.",
            evidence:
                "The order of the manual's checks and the Proxmark3 simulator say so; felica-rs treats the packet "
                + "as malformed and is silent."),
        QuirkSwitch(
            unpublished: .cutServiceList, \.cutServiceList, .cases,
            "Whether a Read or Write that ends after an invalid number of services is answered with A1.",
            evidence:
                "According to the manual, a packet without its lists is malformed; the Proxmark3 simulator answers."),
        QuirkSwitch(
            unpublished: .serviceListCheck, \.serviceListCheck, .cases,
            "Whether services that no block list element refers to are checked as well.",
            evidence: "Some chips check the whole list, measured by felica-tool; their status flag 1 is unknown and "
                + "assumed to be the position in the service code list."),
        QuirkSwitch(
            unpublished: .requireAscendingLists, \.requireAscendingLists, .oneOf(false, true),
            "Whether an entry lower than the one before it is refused with A5.",
            evidence: "felica-tool sends only ascending lists, as if some chips required it; the answer is inferred."),
        QuirkSwitch(
            unpublished: .requestServiceBadCount, \.requestServiceBadCount, .cases,
            "Whether a Request Service of more than 32 nodes is answered.",
            evidence: "Unknown for chips; the Proxmark3 simulator answers, felica-rs is silent."),
    ]

    /// Accepted packets, and the answers to Polling and Echo.
    private static let packetSwitches: [QuirkSwitch<FeliCaProfile>] = [
        QuirkSwitch(
            "supportedCommands", \.supportedCommands, commands,
            "The commands the card knows; it is silent to all others.",
            evidence: "Measured chip by chip by felica-tool, table of supported commands."),
        QuirkSwitch(
            unpublished: .modeOfOptionCommands, \.modeOfOptionCommands, .cases,
            "Whether commands of phones and options, and Echo, are answered above Mode0.",
            evidence: "Not documented."),
        QuirkSwitch(
            "trailingBytes", \.trailingBytes, .any("ignore, silence, or the codes it is silent to"),
            "The reaction to a command with bytes after its end.",
            evidence: "Most chips ignore them; IC 0B and 20 are silent to nearly all commands, IC 24 to 00, 02 and 06, "
                + "phones to 00, measured by felica-tool."),
        QuirkSwitch(
            "pollingRequestCodes", \.pollingRequestCodes, .cases,
            "Request codes of Polling that the card knows.",
            evidence: "RC-S914 and RC-S915 lack 02, measured by felica-tool."),
        QuirkSwitch(
            unpublished: .pollingReservedCodes, \.pollingReservedCodes, .cases,
            "Whether Polling with a request code the card does not know is answered, without request data.",
            evidence: "The manual says it is; the Proxmark3 simulator is silent."),
        QuirkSwitch(
            "performanceBytes", \.performanceBytes, .any("two bytes in hexadecimal"),
            "The bytes Polling returns for request code 02.",
            evidence:
                "0083 is 212 and 424 kbit/s with automatic detection; felica-rs has 0003, the Proxmark3 simulator "
                + "0001."),
        QuirkSwitch(
            "searchTime", \.searchTime, .range(0...100_000),
            "The minimum time of Search Service Code in microseconds, even if the PMm states less.",
            evidence: "RC-S915 takes longer than the 0.9 ms it states, so nfcpy waits at least 2 ms; the 1800 of the "
                + "catalogue lies between the 1.6 ms that a PN532 would wait for 0.9, and 2 ms."),
        QuirkSwitch(
            "randomSlot", \.randomSlot, .oneOf(true, false),
            "Whether a time slot is drawn at random; if not, the card uses the first.",
            evidence: "According to the manual, chips draw one; a fixed one makes readers' traces comparable."),
        QuirkSwitch(
            "echoMax", \.echoMax, .range(0...Echo.maximumDataLength),
            "The maximum number of data bytes Echo returns; the card is silent to a longer Echo.",
            evidence: "252 on most chips and 238 on IC 0B, measured by felica-tool."),
    ]

    /// Reports about nodes.
    private static let nodeSwitches: [QuirkSwitch<FeliCaProfile>] = [
        QuirkSwitch(
            "requestServiceUnknownAttribute", \.requestServiceUnknownAttribute, .cases,
            "Whether a Request Service that contains a code with an undefined attribute is answered, with FFFF for it.",
            evidence: "Answered by most chips; IC 24 is silent, measured by felica-tool."),
        QuirkSwitch(
            unpublished: .encryptionListOrder, \.encryptionListOrder, .cases,
            "Whether Request Service v2 on a card that has only DES keys lists FFFF for AES keys first.",
            evidence: "The Proxmark3 client expects two lists; unknown for chips."),
        QuirkSwitch(
            unpublished: .authNodePath, \.authNodePath, .cases,
            "Whether the area list of Authentication1 must contain all areas around each service.",
            evidence: "felica-rs accepts any areas that exist; felica-tool probes for chips that require the full path."
        ),
        QuirkSwitch(
            unpublished: .issuerCommands, \.issuerCommands, .cases,
            "The reaction to issuers' commands inside a session: registering nodes, deleting keys, setting properties.",
            evidence: "A card in use refuses them with C2, as felica-rs does; their effect is not modeled."),
        QuirkSwitch(
            unpublished: .blockInfoArea, \.blockInfoArea, .cases,
            "Whether Request Block Information reports the blocks in an area or its free blocks.",
            evidence: "felica-rs adds up the services, felica-tool interprets the number as free blocks."),
    ]

    /// Refusals of services.
    private static let writeSwitches: [QuirkSwitch<FeliCaProfile>] = [
        QuirkSwitch(
            "authRequiredPlainAccess", \.authRequiredPlainAccess, .oneOf(.accessDenied, .authenticationNeeded),
            "Status flag 2 for a plain Read or Write of a service that needs authentication.",
            evidence: "A5 according to the manual; the Proxmark3 simulator has B1, which belongs to FeliCa Lite-S."),
        QuirkSwitch(
            unpublished: .cyclicWriteBlockNonZero, \.cyclicWriteBlockNonZero, .oneOf(.accessDenied, .blockNumber),
            "Status flag 2 for a Write to a block of a cyclic service other than 0.",
            evidence: "A5 in felica-rs; not verified on a chip."),
        QuirkSwitch(
            unpublished: .absentPINService, \.absentPINService, .oneOf(.targetMissing, .wrongAttribute),
            "Status flag 2 for a Read or Write of a service with PIN that the card does not have.",
            evidence: "Unknown for chips: A6 if the attribute counts as defined, as felica-tool lists it, A4 if "
                + "it does not."),
        QuirkSwitch(
            unpublished: .purseCheckOrder, \.purseCheckOrder, .cases,
            "Whether a Write checks the resulting values of purses after all its elements, or element by element.",
            evidence:
                "According to the manual, checks come before computation; whether a chip computes element by element is not "
                + "known."),
        QuirkSwitch(
            unpublished: .limitedPurseAmount, \.limitedPurseAmount, .cases,
            "Whether the amount of a decrement or cashback is signed in a purse with limits, whose value is signed.",
            evidence: "Unknown for chips: felica-rs treats it as signed, so a decrement of FFFFFFFF adds 1 and a "
                + "cashback of FFFFFFFF subtracts 1."),
        QuirkSwitch(
            unpublished: .purseDirectSum, \.purseDirectSum, .cases,
            "Whether a Write with direct access is refused with A5 if value and cashback together exceed four bytes.",
            evidence: "Unknown for chips: felica-rs refuses it, the manual does not say."),
        QuirkSwitch(
            unpublished: .purseDirectRaise, \.purseDirectRaise, .oneOf(false, true),
            "Whether a Write with direct access may raise the value or the cashback of a purse.",
            evidence: "felica-rs reads the manual as forbidding it; top-up machines must raise it somehow."),
        QuirkSwitch(
            unpublished: .warning71Flag1, \.warning71Flag1, .oneOf(WarningFlag(0x00), WarningFlag(0xFF)),
            "Status flag 1 for a Write that succeeds with warning 71.",
            evidence: "Depends on the product, according to the manual."),
    ]
}

extension FeliCaProfile.StatusLocation: QuirkValue {}
extension FeliCaProfile.Reaction: QuirkValue {}
extension FeliCaProfile.ServiceListCheck: QuirkValue {}
extension FeliCaProfile.EncryptionListOrder: QuirkValue {}
extension FeliCaProfile.BlockInfoArea: QuirkValue {}
extension FeliCaProfile.AuthenticationPath: QuirkValue {}
extension FeliCaProfile.IssuerCommands: QuirkValue {}
extension FeliCaProfile.PurseSum: QuirkValue {}
extension FeliCaProfile.PurseCheckOrder: QuirkValue {}
extension FeliCaProfile.PurseAmount: QuirkValue {}
extension FeliCaProfile.OptionCommandModes: QuirkValue {}
extension FeliCaProfile.PollingRequestCodes: QuirkValue {}

extension StatusFlag2: QuirkValue {}
extension FeliCaProfile.WarningFlag: QuirkValue {}
extension FeliCaProfile.PerformanceBytes: QuirkValue {}

extension QuirkValue where Self: OpenCode {
    init?(quirkText: String) {
        guard let bytes = hexadecimal(quirkText, count: Bits.bitWidth / 8) else { return nil }
        self.init(bytes.reduce(0) { $0 << 8 | Bits($1) })
    }

    var quirkText: String { Hex.digits(rawValue, width: Bits.bitWidth / 4) }
}

extension FeliCaCommandSet: QuirkValue {
    init?(quirkText: String) {
        var codes: [CommandCode] = []
        for word in quirkText.split(separator: " ") {
            guard let bytes = hexadecimal(word) else { return nil }
            let code = CommandCode(bytes[0], bytes.count == 2 ? bytes[1] : 0)
            guard bytes.count == code.byteCount else { return nil }
            codes.append(code)
        }
        self.init(codes)
    }

    var quirkText: String { codes.map(\.description).joined(separator: " ") }
}

extension FeliCaProfile.TrailingBytes: QuirkValue {
    init?(quirkText: String) {
        switch quirkText {
        case "ignore": self = .ignore
        case "silence": self = .silence
        default:
            guard let commands = FeliCaCommandSet(quirkText: quirkText) else { return nil }
            self = .silenceFor(commands)
        }
    }

    var quirkText: String {
        switch self {
        case .ignore: "ignore"
        case .silence: "silence"
        case .silenceFor(let commands): commands.quirkText
        }
    }
}

/// The bytes written in `text`, or `nil` if it is not valid hexadecimal or has a length other than `count`.
private func hexadecimal(_ text: some StringProtocol, count: Int? = nil) -> [UInt8]? {
    guard let bytes = try? Hex.bytes(text), !bytes.isEmpty, bytes.count == count ?? bytes.count else { return nil }
    return bytes
}
