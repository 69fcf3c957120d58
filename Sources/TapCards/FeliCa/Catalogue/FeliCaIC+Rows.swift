import TapWire

// How the rows of the catalogue are written: a chip begins with what its family lets one expect, a measurement replaces
// it.

extension FeliCaIC {
    /// Sources the rows name.
    enum Source {
        static let felicaTool = "felica-tool, table of supported commands"
        static let nfcpy = "nfcpy 1.0, table of block limits, not measured"
        static let family = "as the measured chips of its family"
        static let nobody = "no public source"
    }

    /// A chip nobody has measured: what its family lets one expect, or unknown.
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
        pollingRequestCodes = .unknown(Source.nobody)
        trailingBytes = .unknown(Source.nobody)
        echoMax = .unknown(Source.nobody)
        requestServiceUnknownAttribute = .unknown(Source.nobody)
        statusLocation = .unknown("the manual allows two forms; which chip uses which is unpublished")
        performanceBytes = .unknown(Source.nobody)
        self.pmm = pmm ?? generation.pmm(ic: ic, rom: rom)
    }

    /// The chip as felica-tool measured it.
    ///
    /// - Parameters:
    ///   - read: Most blocks of a Read, where it was measured.
    ///   - write: Most blocks of a Write, where it was measured.
    ///   - commands: The commands it answered.
    ///   - trailing: What it did with bytes behind the end of a command.
    ///   - echo: Most bytes of data Echo returned, where it was answered.
    ///   - requestCodes: Request codes of Polling it answered.
    ///   - unknownAttribute: What it did with a code of no defined attribute.
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
        ic.supportedCommands = fact(commands)
        ic.trailingBytes = fact(trailing)
        ic.pollingRequestCodes = fact(requestCodes)
        ic.requestServiceUnknownAttribute = fact(unknownAttribute)
        return ic
    }
}

extension FeliCaIC.Generation {
    private typealias Source = FeliCaIC.Source

    /// What is expected of a chip that was not measured.
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
        case .mobile: .unknown(Source.nobody)
        }
    }

    fileprivate var maxWriteBlocks: Fact<Int> {
        switch self {
        case .aes, .mobileAES: .known(13, .inferred, source: Source.family)
        case .des, .mobile: .unknown(Source.nobody)
        }
    }

    /// A PMm made of the chip's own ROM type and IC code, and the time bytes of a chip of the family that was seen.
    fileprivate func pmm(ic: UInt8?, rom: [UInt8]) -> Fact<PMm> {
        guard let ic else { return .unknown("no chip") }
        let (times, sibling): (UInt64, String) =
            switch self {
            case .des: (0x4B42_8485_D0FF, "IC 0B")
            case .mobile: (0x2304_2F77_83FF, "RC-S960")
            case .aes, .mobileAES: (0x4345_4682_B7FF, "IC 31")
            }
        let romType = rom.first ?? 0x01
        let value = UInt64(romType) << 56 | UInt64(ic) << 48 | times
        let romText = rom.isEmpty ? "ROM type made up" : "own ROM type"
        return .known(PMm(value), .inferred, source: "\(romText), own IC code, time bytes of \(sibling)")
    }
}

extension Fact where Value == PMm {
    /// A PMm seen on a card.
    static func seen(_ value: UInt64, _ source: String, _ confidence: Confidence = .measured) -> Self {
        .known(PMm(value), confidence, source: source)
    }
}
