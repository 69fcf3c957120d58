import TapWire

/// One FeliCa Standard chip, with what is publicly known about it.
public struct FeliCaIC: Hashable, Sendable {
    /// The family a chip belongs to.
    public enum Generation: String, Hashable, Sendable, CaseIterable {
        /// Cards with DES keys.
        case des = "DES"
        /// Cards with AES keys, most with DES keys as well.
        case aes = "AES"
        /// Phones up to Mobile FeliCa 3.0, with DES keys.
        case mobile = "Mobile FeliCa"
        /// Phones from Mobile FeliCa 4.0 on, with AES keys.
        case mobileAES = "Mobile FeliCa 4"
    }

    /// The name by which people ask for it.
    public let name: String
    /// Other names, of the chip or of cards with it.
    public let aliases: [String]
    /// The family.
    public let generation: Generation
    /// The IC code, byte 1 of the PMm; nothing for a profile that is no chip.
    public let icCode: UInt8?
    /// ROM types seen with the IC code, byte 0 of the PMm; empty where none was published.
    public let romTypes: [UInt8]

    /// Most blocks of a Read.
    public var maxReadBlocks: Fact<Int>
    /// Most blocks of a Write.
    public var maxWriteBlocks: Fact<Int>
    /// The commands it knows without a session.
    public var supportedCommands: Fact<FeliCaCommandSet>
    /// Request codes of Polling it knows.
    public var pollingRequestCodes: Fact<FeliCaProfile.PollingRequestCodes>
    /// What it does with bytes behind the end of a command.
    public var trailingBytes: Fact<FeliCaProfile.TrailingBytes>
    /// Most bytes of data Echo returns.
    public var echoMax: Fact<Int>
    /// What it does with a Request Service that holds a code of no defined attribute.
    public var requestServiceUnknownAttribute: Fact<FeliCaProfile.Reaction>
    /// How status flag 1 gives the place of an error.
    public var statusLocation: Fact<FeliCaProfile.StatusLocation>
    /// What Polling returns for request code 02.
    public var performanceBytes: Fact<FeliCaProfile.PerformanceBytes>
    /// The PMm of one such chip, or one made up for it.
    public var pmm: Fact<PMm>

    /// The switches of the chip: what is known, and the defaults of ``FeliCaProfile`` for the rest.
    public var profile: FeliCaProfile {
        var profile = FeliCaProfile()
        for field in Self.fields { field.apply(self, &profile) }
        return profile
    }

    /// What is known about each switch of the profile, for lists.
    public var facts: [CatalogueLine] {
        Self.fields.map { $0.line(self) } + [CatalogueLine(title: "PMm", fact: pmm.map(\.description))]
    }
}

extension FeliCaIC {
    /// Every chip, family by family, and the profile `vector-s`.
    public static let catalogue: [FeliCaIC] = desCards + aesCards + phones + [vectorS]

    /// The chip with a name or an alias, capital letters or not.
    public static func named(_ name: String) -> FeliCaIC? {
        let wanted = name.lowercased()
        return catalogue.first { ic in ([ic.name] + ic.aliases).contains { $0.lowercased() == wanted } }
    }

    /// The chip with an IC code; where versions of it differ, the one with that ROM type, else the first.
    public static func coded(_ icCode: UInt8, romType: UInt8? = nil) -> FeliCaIC? {
        let versions = catalogue.filter { $0.icCode == icCode }
        return versions.first { ic in romType.map(ic.romTypes.contains) ?? false } ?? versions.first
    }
}

/// A fact of a chip and the switch it sets, so that applying and listing go through one table.
private struct FactField: Sendable {
    let apply: @Sendable (FeliCaIC, inout FeliCaProfile) -> Void
    let line: @Sendable (FeliCaIC) -> CatalogueLine

    init<Value: QuirkValue>(
        _ name: String, _ fact: any KeyPath<FeliCaIC, Fact<Value>> & Sendable,
        _ property: any WritableKeyPath<FeliCaProfile, Value> & Sendable
    ) {
        apply = { ic, profile in
            if let value = ic[keyPath: fact].value { profile[keyPath: property] = value }
        }
        line = { CatalogueLine(title: name, fact: $0[keyPath: fact].map(\.quirkText)) }
    }
}

extension FeliCaIC {
    private static let fields: [FactField] = [
        FactField("maxReadBlocks", \.maxReadBlocks, \.maxReadBlocks),
        FactField("maxWriteBlocks", \.maxWriteBlocks, \.maxWriteBlocks),
        FactField("supportedCommands", \.supportedCommands, \.supportedCommands),
        FactField("pollingRequestCodes", \.pollingRequestCodes, \.pollingRequestCodes),
        FactField("trailingBytes", \.trailingBytes, \.trailingBytes),
        FactField("echoMax", \.echoMax, \.echoMax),
        FactField(
            "requestServiceUnknownAttribute", \.requestServiceUnknownAttribute, \.requestServiceUnknownAttribute),
        FactField("statusLocation", \.statusLocation, \.statusLocation),
        FactField("performanceBytes", \.performanceBytes, \.performanceBytes),
    ]
}
