import TapWire

/// A FeliCa Standard chip and the public knowledge about it.
public struct FeliCaIC: NamedIC {
    public enum Generation: String, Hashable, Sendable, CaseIterable {
        case des = "DES"
        /// Cards with AES keys, most with DES keys as well.
        case aes = "AES"
        /// Phones up to Mobile FeliCa 3.0, with DES keys.
        case mobile = "Mobile FeliCa"
        /// Phones from Mobile FeliCa 4.0 on, with AES keys.
        case mobileAES = "Mobile FeliCa 4"
    }

    public let name: String
    public let aliases: [String]
    public let generation: Generation
    /// The IC code, byte 1 of the PMm; `nil` for a profile that is not a chip.
    public let icCode: UInt8?
    /// ROM types seen with the IC code, byte 0 of the PMm; empty if none is published.
    public let romTypes: [UInt8]

    public var maxReadBlocks: Fact<Int>
    public var maxWriteBlocks: Fact<Int>
    public var supportedCommands: Fact<FeliCaCommandSet>
    public var pollingRequestCodes: Fact<FeliCaProfile.PollingRequestCodes>
    /// The reaction to bytes after the end of a command.
    public var trailingBytes: Fact<FeliCaProfile.TrailingBytes>
    public var echoMax: Fact<Int>
    /// The reaction to a Request Service that contains a code with an undefined attribute.
    public var requestServiceUnknownAttribute: Fact<FeliCaProfile.Reaction>
    /// The form in which status flag 1 gives the position of an error.
    public var statusLocation: Fact<FeliCaProfile.StatusLocation>
    /// The bytes Polling returns for request code 02.
    public var performanceBytes: Fact<FeliCaProfile.PerformanceBytes>
    /// The minimum time of Search Service Code, in microseconds.
    public var searchTime: Fact<Int>
    /// The PMm of one such chip, or an invented one.
    public var pmm: Fact<PMm>
    /// The answer to Request Product Information.
    public var productInformation: Fact<[UInt8]>
    /// The option list that Request Specification Version returns for a card with DES keys.
    public var options: Fact<[RequestSpecificationVersion.Version]>

    /// The switches of the chip: the known facts, and the defaults of ``FeliCaProfile`` for the rest.
    public var profile: FeliCaProfile {
        var profile = FeliCaProfile()
        for field in Self.fields { field.apply(self, &profile) }
        return profile
    }

    /// The switches without a source, for a card of this chip that leaves them at their defaults.
    public var assumptions: CardAssumptions {
        icCode == nil ? CardAssumptions() : CardAssumptions(FeliCaProfile.self, facts)
    }

    public var facts: [CatalogueLine] {
        Self.fields.map { $0.line(self) } + [CatalogueLine(title: "PMm", fact: pmm.map(\.description))]
            + (generation.hasAES ? reportLines : [])
    }

    /// A Boolean value that indicates whether the chip is used in phones and watches.
    package var isPhone: Bool { generation == .mobile || generation == .mobileAES }

    private var reportLines: [CatalogueLine] {
        [
            CatalogueLine(title: "product information", fact: productInformation.map { Hex.text($0) }),
            CatalogueLine(
                title: "option versions",
                fact: options.map { $0.map(\.description).joined(separator: ", ") }),
        ]
    }

    /// The reports of the chip, for a card that does not state its own.
    public var reports: FeliCaChipReports {
        FeliCaChipReports(productInformation: productInformation.value ?? [], options: options.value ?? [])
    }
}

extension FeliCaIC {
    /// Every chip, family by family, and the profile `vector-s`.
    public static let catalogue: [FeliCaIC] = desCards + aesCards + phones + [vectorS]

    /// Ignores case.
    public static func named(_ name: String) -> FeliCaIC? { catalogue.named(name) }

    /// Returns the chip with an IC code.
    ///
    /// If versions of it differ, prefers the one with that ROM type; otherwise returns the first.
    public static func coded(_ icCode: UInt8, romType: UInt8? = nil) -> FeliCaIC? {
        let versions = catalogue.filter { $0.icCode == icCode }
        return versions.first { ic in romType.map(ic.romTypes.contains) ?? false } ?? versions.first
    }
}

extension FeliCaIC {
    private static let fields: [FactField<FeliCaIC, FeliCaProfile>] = [
        .init("maxReadBlocks", \.maxReadBlocks, \.maxReadBlocks),
        .init("maxWriteBlocks", \.maxWriteBlocks, \.maxWriteBlocks),
        .init("supportedCommands", \.supportedCommands, \.supportedCommands),
        .init("pollingRequestCodes", \.pollingRequestCodes, \.pollingRequestCodes),
        .init("trailingBytes", \.trailingBytes, \.trailingBytes),
        .init("echoMax", \.echoMax, \.echoMax),
        .init("requestServiceUnknownAttribute", \.requestServiceUnknownAttribute, \.requestServiceUnknownAttribute),
        .init("statusLocation", \.statusLocation, \.statusLocation),
        .init("performanceBytes", \.performanceBytes, \.performanceBytes),
        .init("searchTime", \.searchTime, \.searchTime),
    ]
}

// Construction of the catalogue's rows: a chip starts with the values expected of its family, and measurements replace them.

extension FeliCaIC {
    enum Source {
        static let felicaTool = "felica-tool, table of supported commands"
        static let commands = felicaTool + "; of a session, only the command that begins it, which implies the others"
        static let nfcpy = "nfcpy 1.0, table of block limits, not measured"
        static let family = "as the measured chips of its family"
        static let none = "no public source"
    }

    /// Creates a chip without measurements, with values expected of its family or unknown.
    init(
        _ name: String, _ generation: Generation, ic: UInt8?, rom: [UInt8] = [], aliases: [String] = [],
        commands: FeliCaCommandSet? = nil, limits: (read: Int, write: Int)? = nil, pmm: Fact<PMm>? = nil
    ) {
        self.name = name
        self.aliases = aliases
        self.generation = generation
        icCode = ic
        romTypes = rom
        maxReadBlocks = generation.maxReadBlocks
        maxWriteBlocks = generation.maxWriteBlocks
        if let limits {
            maxReadBlocks = .known(limits.read, .inferred, source: Source.nfcpy)
            maxWriteBlocks = .known(limits.write, .inferred, source: Source.nfcpy)
        }
        supportedCommands = .known(commands ?? generation.commands, .inferred, source: Source.family)
        pollingRequestCodes = .unknown(Source.none)
        trailingBytes = .unknown(Source.none)
        echoMax = .unknown(Source.none)
        requestServiceUnknownAttribute = .unknown(Source.none)
        statusLocation = .unknown("the manual allows two forms; which chip uses which is unpublished")
        performanceBytes = .unknown(Source.none)
        searchTime = .known(0, .inferred, source: "no chip but RC-S915 is known to take longer than its PMm states")
        self.pmm = pmm ?? generation.pmm(ic: ic, rom: rom)
        productInformation = generation.productInformation(ic: ic, rom: rom)
        options = generation.options
    }

    func with(_ change: (inout FeliCaIC) -> Void) -> FeliCaIC {
        var ic = self
        change(&ic)
        return ic
    }

    /// The chip as measured by felica-tool.
    ///
    /// - Parameters:
    ///   - read: Maximum number of blocks of a Read, if measured.
    ///   - write: Maximum number of blocks of a Write, if measured.
    ///   - trailing: The reaction to bytes after the end of a command.
    ///   - echo: Maximum number of data bytes Echo returned.
    ///   - unknownAttribute: The reaction to a code with an undefined attribute.
    func measured(
        read: Int?, write: Int?, commands: FeliCaCommandSet, trailing: FeliCaProfile.TrailingBytes = .ignore,
        echo: Int? = Echo.maximumDataLength, requestCodes: FeliCaProfile.PollingRequestCodes = .upToPerformance,
        unknownAttribute: FeliCaProfile.Reaction = .answer
    ) -> FeliCaIC {
        func fact<Value>(_ value: Value) -> Fact<Value> { .known(value, .measured, source: Source.felicaTool) }
        var ic = self
        if let read { ic.maxReadBlocks = fact(read) }
        if let write { ic.maxWriteBlocks = fact(write) }
        if let echo { ic.echoMax = fact(echo) }
        ic.supportedCommands = .known(commands, .measured, source: Source.commands)
        ic.trailingBytes = fact(trailing)
        ic.pollingRequestCodes = fact(requestCodes)
        ic.requestServiceUnknownAttribute = fact(unknownAttribute)
        return ic
    }
}

extension FeliCaIC.Generation {
    private typealias Source = FeliCaIC.Source

    /// The expected commands of a chip that was not measured.
    fileprivate var commands: FeliCaCommandSet {
        switch self {
        case .des, .mobile: .des
        case .aes: .aes
        case .mobileAES: .aes.union([.getContainerIssueInformation])
        }
    }

    fileprivate var maxReadBlocks: Fact<Int> {
        switch self {
        case .des: .known(12, .inferred, source: Source.family)
        case .aes, .mobileAES: .known(15, .inferred, source: Source.family)
        case .mobile: .unknown(Source.none)
        }
    }

    fileprivate var maxWriteBlocks: Fact<Int> {
        switch self {
        case .aes, .mobileAES: .known(13, .inferred, source: Source.family)
        case .des, .mobile: .unknown(Source.none)
        }
    }

    /// A Boolean value that indicates whether chips of this generation know AES keys, and the commands that report product and
    /// versions.
    var hasAES: Bool { self == .aes || self == .mobileAES }

    /// The product information of a chip whose own is unpublished.
    fileprivate func productInformation(ic: UInt8?, rom: [UInt8]) -> Fact<[UInt8]> {
        guard let ic else { return .unknown("no chip") }
        return switch self {
        case .des, .mobile: .unknown("these chips do not have the command")
        case .aes:
            .known(
                [ic, rom.first ?? 0x01] + FeliCaIC.cardProduct, .inferred,
                source: "own IC code and ROM type, then the bytes of IC 36")
        case .mobileAES:
            .known([ic] + FeliCaIC.phoneProduct, .inferred, source: "own IC code, then the bytes of IC 18")
        }
    }

    fileprivate var options: Fact<[RequestSpecificationVersion.Version]> {
        switch self {
        case .des, .mobile: .unknown("these chips do not have the command")
        case .aes: .known([FeliCaIC.des500], .inferred, source: "as IC 36")
        case .mobileAES: .known([FeliCaIC.des500, FeliCaIC.mobile520], .inferred, source: "as IC 18")
        }
    }

    /// A PMm from the chip's own ROM type and IC code, and the time bytes of a known chip of the family.
    fileprivate func pmm(ic: UInt8?, rom: [UInt8]) -> Fact<PMm> {
        guard let ic else { return .unknown("no chip") }
        let (times, sibling): (UInt64, String) =
            switch self {
            case .des: (0x4B42_8485_D0FF, "IC 0B")
            case .mobile: (0x2304_2F77_83FF, "RC-S960")
            case .aes: (0x4345_4682_B7FF, "IC 31")
            case .mobileAES: (0x8B86_8FBE_CBFF, "IC 16 and IC 18, which are equal")
            }
        let romType = rom.first ?? 0x01
        let value = UInt64(romType) << 56 | UInt64(ic) << 48 | times
        let romText = rom.isEmpty ? "invented ROM type" : "own ROM type"
        return .known(PMm(value), .inferred, source: "\(romText), own IC code, time bytes of \(sibling)")
    }
}

extension Fact where Value == PMm {
    static func seen(_ value: UInt64, _ source: String, _ confidence: Confidence = .measured) -> Self {
        .known(PMm(value), confidence, source: source)
    }
}

// Reports of chips with AES keys, from logs in pull requests of Proxmark3.

extension FeliCaIC {
    /// The product information of IC 36 after its IC code and ROM type.
    fileprivate static let cardProduct: [UInt8] = [0x51, 0x06, 0xA1, 0x07, 0x54, 0x00]
    /// The product information of IC 18 after its IC code.
    fileprivate static let phoneProduct: [UInt8] = [
        0x01, 0x02, 0x03, 0x08, 0x47, 0x50, 0x01, 0xD7, 0x00, 0x77, 0x20, 0x25, 0x01, 0x10,
    ]
    fileprivate static let des500 = RequestSpecificationVersion.Version(0x8500)
    fileprivate static let mobile520 = RequestSpecificationVersion.Version(0x8520)

    /// Returns the chip with reports found in a log.
    fileprivate func reporting(
        _ product: [UInt8], options: [RequestSpecificationVersion.Version]? = nil, _ source: String
    ) -> FeliCaIC {
        var ic = self
        ic.productInformation = .known(product, .measured, source: source)
        if let options { ic.options = .known(options, .measured, source: source) }
        return ic
    }
}

// The chips. Codes and names: felica-tool (lists of chips and of supported commands) and the annotations of the Proxmark3
// client.

extension FeliCaIC {
    static let desCards: [FeliCaIC] = [
        FeliCaIC(
            "RC-S914", .des, ic: 0x00, rom: [0x02], aliases: ["RC-S830"], limits: (8, 8)
        ).measured(
            read: 12, write: nil, commands: .des.subtracting([.echo]), echo: nil, requestCodes: .upToSystemCode),
        FeliCaIC(
            "RC-S914 export", .des, ic: 0x00, rom: [0x03], aliases: ["RC-S833"], limits: (8, 8),
            pmm: .seen(0x0300_4B02_4F49_8A8A, "an EZ-Link in pull request 3235 of Proxmark3, which calls it RC-S830")
        ).measured(
            read: nil, write: nil, commands: .des.subtracting([.echo, .searchServiceCode, .requestSystemCode]),
            echo: nil, requestCodes: .upToSystemCode),
        FeliCaIC(
            "RC-S915", .des, ic: 0x01, rom: [0x03, 0x04],
            aliases: ["RC-S860", "RC-S862", "RC-S863", "RC-S864", "RC-S891"],
            limits: (8, 8), pmm: .seen(0x0301_4B02_4F49_93FF, "a card traced in the tests of nfcpy")
        ).measured(read: 12, write: nil, commands: .des, requestCodes: .upToSystemCode)
            .with {
                $0.searchTime = .known(
                    1_800, .inferred,
                    source: "nfcpy waits 2 ms, because the PMm's 0.9 ms is too short, as a PN532's 1.6 ms must be")
            },
        FeliCaIC("RC-S919", .des, ic: 0x02),
        FeliCaIC("RC-S952", .des, ic: 0x08, limits: (12, 8)),
        FeliCaIC("RC-S953", .des, ic: 0x09, limits: (12, 8)),
        FeliCaIC(
            "RC-S95x", .des, ic: 0x0B, rom: [0x10],
            pmm: .seen(0x100B_4B42_8485_D0FF, "a transit card traced in the tests of nfcpy")
        ).measured(read: 12, write: 10, commands: .des, trailing: .silence, echo: 238),
        FeliCaIC("RC-S954", .des, ic: 0x0C, limits: (12, 8)),
        FeliCaIC(
            "RC-S960", .des, ic: 0x0D, rom: [0x0F], aliases: ["RC-S880", "RC-S889"], limits: (12, 10),
            pmm: .seen(0x0F0D_2304_2F77_83FF, "a card in the tests of nfcpy")),
        FeliCaIC(
            "RC-S962", .des, ic: 0x20, rom: [0x01], aliases: ["RC-S885", "RC-S888", "RC-S892", "RC-S893"],
            pmm: .seen(0x0120_2204_2767_4EFF, "cards in logs of nfcpy")
        ).measured(read: 12, write: 10, commands: .des, trailing: .silence),
        FeliCaIC("FeliCa CN/HK", .des, ic: 0x24, rom: [0x02], aliases: ["Octopus"]).measured(
            read: 12, write: nil, commands: .des.subtracting([.echo, .searchServiceCode]),
            trailing: .silenceFor([.polling, .requestService, .readWithoutEncryption]), echo: nil,
            unknownAttribute: .silence),
    ]

    private static let nodeProperty: FeliCaCommandSet = FeliCaCommandSet.aes.union([.getNodeProperty]).union(.macOption)

    static let aesCards: [FeliCaIC] = [
        FeliCaIC(
            "SD1", .aes, ic: 0x31, rom: [0x05, 0x06], aliases: ["RC-S114"],
            pmm: .seen(0x0531_4345_4682_B7FF, "a card dumped for the Flipper firmware")
        ).measured(read: 15, write: 13, commands: .aes),
        FeliCaIC(
            "RC-SA00/1", .aes, ic: 0x32, rom: [0x03], aliases: ["RC-SA00"],
            pmm: .seen(0x0332_4282_8247_AAFF, "a card in a log of nfcpy")
        ).measured(read: 15, write: 13, commands: .aes),
        FeliCaIC("RC-SA00/2", .aes, ic: 0x33, rom: [0x03]),
        FeliCaIC("RC-SA01/1", .aes, ic: 0x34, rom: [0x03], aliases: ["RC-SA01"]),
        FeliCaIC(
            "RC-SA01/2", .aes, ic: 0x35, rom: [0x03],
            pmm: .seen(
                0x0335_0B82_8244_83FF,
                "manual of the reader module QM-ABCM7; a card in pull request 3228 of Proxmark3 has 0335428282468CFF")
        ).reporting([0x35, 0x03, 0x50, 0x06, 0xA1, 0x07, 0x54, 0x00], "pull request 3228 of Proxmark3"),
        FeliCaIC(
            "RC-SA04/1", .aes, ic: 0x36, rom: [0x01], aliases: ["RC-SA04"],
            pmm: .seen(0x0136_4282_4745_9AFF, "a card in pull request 3248 of Proxmark3")
        ).measured(read: 15, write: 13, commands: .aes)
            .reporting([0x36, 0x01] + cardProduct, options: [des500], "pull request 3248 of Proxmark3"),
        FeliCaIC("SD2", .aes, ic: 0x38, rom: [0x02]).measured(read: 15, write: 13, commands: .aes),
        FeliCaIC("SD2 dual interface", .aes, ic: 0x3B, rom: [0x04]).measured(
            read: 15, write: 13, commands: nodeProperty),
        FeliCaIC("RC-SA08", .aes, ic: 0x3E, rom: [0x03]),
        FeliCaIC("RC-SA24/1-3x", .aes, ic: 0x43, rom: [0x01], aliases: ["RC-SA24"]),
        FeliCaIC("RC-SA20/1", .aes, ic: 0x44, rom: [0x01], aliases: ["RC-SA20"]).measured(
            read: 15, write: 13, commands: nodeProperty),
        FeliCaIC("RC-SA20/2", .aes, ic: 0x45, rom: [0x01], commands: nodeProperty),
        FeliCaIC("RC-SA21/2", .aes, ic: 0x46, rom: [0x01], aliases: ["RC-SA21"]).measured(
            read: 15, write: 13, commands: nodeProperty),
        FeliCaIC("RC-SA24/1-3x1", .aes, ic: 0x47, rom: [0x01]),
        FeliCaIC("RC-SA21/2x1", .aes, ic: 0x48, rom: [0x01], commands: nodeProperty),
        FeliCaIC("RC-SA28/1x", .aes, ic: 0x4B, rom: [0x02], aliases: ["RC-SA28"]),
        FeliCaIC("SD3", .aes, ic: 0x50),
        FeliCaIC("RC-SA40/2P", .aes, ic: 0x51, aliases: ["RC-SA40"]),
        FeliCaIC("RC-SA41/2C", .aes, ic: 0x52, aliases: ["RC-SA41"]),
        FeliCaIC("RC-SA14", .aes, ic: 0xA2),
    ]

    /// Phones; the plain name of a version with several IC codes is an alias of the first one.
    static let phones: [FeliCaIC] =
        [
            FeliCaIC("Mobile FeliCa 1.0", .mobile, ic: 0x06),
            FeliCaIC("Mobile FeliCa 1.1", .mobile, ic: 0x07),
        ]
        + phone("Mobile FeliCa 2.0", .mobile, ics: 0x10...0x13)
        + phone("Mobile FeliCa 3.0", .mobile, ics: 0x14...0x15)
        + [
            FeliCaIC(
                "Mobile FeliCa 4.0 for Apple Wallet", .mobileAES, ic: 0x16, rom: [0x01], aliases: ["Apple Wallet"],
                pmm: .seen(0x0116_8B86_8FBE_CBFF, "a phone in pull request 3273 of Proxmark3")
            ).measured(
                read: 15, write: 13, commands: .aes.union([.getContainerIssueInformation]),
                trailing: .silenceFor([.polling])),
            FeliCaIC("Mobile FeliCa 4.0", .mobileAES, ic: 0x17),
            FeliCaIC(
                "Mobile FeliCa 4.1", .mobileAES, ic: 0x18, rom: [0x01],
                pmm: .seen(0x0118_8B86_8FBE_CBFF, "a test of felica-tool")
            )
            .measured(read: 15, write: 13, commands: .aes.union(.mobile), trailing: .silenceFor([.polling]))
            .reporting([0x18] + phoneProduct, options: [des500, mobile520], "pull request 3247 of Proxmark3")
            .with {
                $0.performanceBytes = .known(
                    FeliCaProfile.PerformanceBytes(0x0083), .inferred,
                    source: "probably the two bytes after the PMm in a test of felica-tool")
            },
        ]
        + (UInt8(0x19)...0x1F).map { ic in
            FeliCaIC(
                "Mobile FeliCa 4.1 (IC \(Hex.digits(ic, width: 2)))", .mobileAES, ic: ic,
                commands: .aes.union(.mobile))
        }

    private static func phone(_ name: String, _ generation: Generation, ics: ClosedRange<UInt8>) -> [FeliCaIC] {
        ics.map { ic in
            let plain = ic == ics.lowerBound ? [name] : []
            return FeliCaIC("\(name) (IC \(Hex.digits(ic, width: 2)))", generation, ic: ic, aliases: plain)
        }
    }

    /// Not a chip: the profile used for the generated test vectors, with the PMm of an IC 0B.
    static let vectorS: FeliCaIC = {
        func fact<Value>(_ value: Value) -> Fact<Value> { .known(value, .certain, source: "built for test vectors") }
        var ic = FeliCaIC("vector-s", .des, ic: nil)
        let profile = FeliCaProfile()
        ic.maxReadBlocks = fact(profile.maxReadBlocks)
        ic.maxWriteBlocks = fact(profile.maxWriteBlocks)
        ic.supportedCommands = fact(.des)
        ic.pollingRequestCodes = fact(profile.pollingRequestCodes)
        ic.trailingBytes = fact(.ignore)
        ic.echoMax = fact(profile.echoMax)
        ic.requestServiceUnknownAttribute = fact(.answer)
        ic.statusLocation = fact(.ordinal)
        ic.performanceBytes = fact(profile.performanceBytes)
        ic.searchTime = fact(profile.searchTime)
        ic.pmm = fact(PMm(0x100B_4B42_8485_D0FF))
        return ic
    }()
}
