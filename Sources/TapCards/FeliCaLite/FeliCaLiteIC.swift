import TapWire

/// A chip of the Lite family and the public knowledge about it.
public struct FeliCaLiteIC: NamedIC {
    public let name: String
    public let aliases: [String]
    public let model: FeliCaLiteDefinition.Model
    /// The IC code, byte 1 of the PMm.
    public let icCode: UInt8

    public var maxReadBlocks: Fact<Int>
    public var maxWriteBlocks: Fact<Int>
    public var commands: Fact<FeliCaCommandSet>
    public var echoMax: Fact<Int>
    public var pollingRequestCodes: Fact<FeliCaProfile.PollingRequestCodes>
    /// The form in which status flag 1 gives the position of an error.
    public var statusLocation: Fact<FeliCaProfile.StatusLocation>
    /// The system codes that answer Polling.
    public var systems: Fact<String>
    /// The blocks it has and their numbers.
    public var blocks: Fact<String>
    /// The PMm of one such chip, or an invented one.
    public var pmm: Fact<PMm>

    /// The switches of the chip: the known facts, and the defaults of ``FeliCaLiteProfile`` for the rest.
    public var profile: FeliCaLiteProfile {
        var profile = FeliCaLiteProfile()
        for field in Self.fields { field.apply(self, &profile) }
        return profile
    }

    /// The switches without a source, for a card of this chip that leaves them at their defaults.
    public var assumptions: CardAssumptions { CardAssumptions(FeliCaLiteProfile.self, facts) }

    public var facts: [CatalogueLine] {
        Self.fields.map { $0.line(self) } + [
            CatalogueLine(title: "systems", fact: systems), CatalogueLine(title: "blocks", fact: blocks),
            CatalogueLine(title: "PMm", fact: pmm.map(\.description)),
        ]
    }

    /// Ignores case.
    public static func named(_ name: String) -> FeliCaLiteIC? { catalogue.named(name) }
}

extension FeliCaLiteIC {
    private static let fields: [FactField<FeliCaLiteIC, FeliCaLiteProfile>] = [
        .init("liteMaxReadBlocks", \.maxReadBlocks, \.liteMaxReadBlocks),
        .init("liteMaxWriteBlocks", \.maxWriteBlocks, \.liteMaxWriteBlocks),
        .init("liteCommands", \.commands, \.liteCommands),
        .init("liteEchoMax", \.echoMax, \.liteEchoMax),
        .init("litePollingRequestCodes", \.pollingRequestCodes, \.litePollingRequestCodes),
        .init("liteStatusLocation", \.statusLocation, \.liteStatusLocation),
    ]

    private enum Source {
        static let felicaTool = "felica-tool, table of supported commands"
        static let chips = "felica-tool, list of chips"
        static let manual = "FeliCa Lite-S User's Manual, as cited in open-source projects"
        static let none = "no public source"
        static let host = "the host of the chip stores them"
    }

    /// Creates a chip of which only code and name are known: it answers Polling, and nothing else is invented.
    private init(
        _ name: String, _ model: FeliCaLiteDefinition.Model, ic: UInt8, aliases: [String], systems: Fact<String>
    ) {
        self.name = name
        self.aliases = aliases
        self.model = model
        icCode = ic
        maxReadBlocks = .unknown(Source.none)
        maxWriteBlocks = .unknown(Source.none)
        commands = .known([.polling], .inferred, source: "the only command answered without the host of the chip")
        echoMax = .unknown(Source.none)
        pollingRequestCodes = .unknown(Source.none)
        statusLocation = .unknown(Source.none)
        self.systems = systems
        blocks = .unknown(Source.host)
        pmm = .known(
            PMm(UInt64(ic) << 48 | 0x0001_4300), .inferred, source: "own IC code, ROM type and time bytes of Lite-S")
    }

    private func with(_ change: (inout FeliCaLiteIC) -> Void) -> FeliCaLiteIC {
        var ic = self
        change(&ic)
        return ic
    }

    /// Returns the chip with the facts that Lite and Lite-S share and a limit of `most` blocks per Write.
    private func withBlocks(most: Int, _ confidence: Confidence, _ commands: FeliCaCommandSet) -> FeliCaLiteIC {
        with { ic in
            ic.maxReadBlocks = .known(4, confidence, source: Source.manual)
            ic.maxWriteBlocks = .known(most, confidence, source: Source.manual)
            ic.commands = .known(
                commands, confidence == .certain ? .measured : .inferred, source: Source.felicaTool)
            ic.statusLocation = .known(
                .bitmap, .inferred, source: "the FeliCa listener of the Flipper firmware, and M5Stack's library")
        }
    }

    private static let both: Fact<String> = .known("88B4, and 12FC if MC enables it", .certain, source: Source.manual)
    private static let access: FeliCaCommandSet = [.polling, .readWithoutEncryption, .writeWithoutEncryption]

    public static let catalogue: [FeliCaLiteIC] = [
        FeliCaLiteIC("FeliCa Lite", .lite, ic: 0xF0, aliases: ["RC-S965", "Lite"], systems: both)
            .withBlocks(most: 1, .certain, access)
            .with { ic in
                ic.blocks = .known("00 to 0E, 80 to 88", .certain, source: Source.manual)
                ic.pmm = .seen(0x00F0_0000_0206_0300, "widely quoted, not confirmed", .inferred)
            },
        FeliCaLiteIC("FeliCa Lite-S", .liteS, ic: 0xF1, aliases: ["RC-S966", "Lite-S"], systems: both)
            .withBlocks(most: 2, .certain, access.union([.echo]))
            .with { ic in
                ic.echoMax = .known(75, .measured, source: Source.felicaTool)
                ic.pollingRequestCodes = .known(.upToPerformance, .measured, source: Source.felicaTool)
                ic.blocks = .known("00 to 0E, 80 to 88, 90 to 92, A0", .certain, source: Source.manual)
                ic.pmm = .seen(0x00F1_0000_0001_4300, "cards traced in issues of the Flipper firmware and Proxmark3")
            },
        FeliCaLiteIC("FeliCa Link Lite-S", .linkLiteS, ic: 0xF2, aliases: ["Link Lite-S"], systems: both)
            .withBlocks(most: 2, .inferred, access.union([.echo]))
            .with { ic in
                ic.blocks = .known(
                    "as FeliCa Lite-S, with a write counter of four bytes", .inferred,
                    source: "the NFC library of M5Stack")
            },
        FeliCaLiteIC(
            "FeliCa Plug", .plug, ic: 0xE0, aliases: ["RC-S926"],
            systems: .known("FEE1", .measured, source: Source.chips)),
        FeliCaLiteIC(
            "FeliCa Link Plug", .plug, ic: 0xE1, aliases: ["RC-S967", "RC-S730"],
            systems: .known("FEE1", .inferred, source: Source.chips)),
        FeliCaLiteIC(
            "FeliCa Link NFC-DEP", .nfcDEP, ic: 0xFF, aliases: [],
            systems: .known("only FFFF, then ATR_REQ of NFC-DEP", .inferred, source: "annotations of Proxmark3")),
    ]
}
