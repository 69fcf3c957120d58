import TapWire

/// Commands in ascending order of their codes, each once.
public struct FeliCaCommandSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The codes, ascending.
    public let codes: [CommandCode]

    public init(_ codes: some Sequence<CommandCode>) {
        self.codes = Set(codes).sorted()
    }

    public init(arrayLiteral codes: CommandCode...) {
        self.init(codes)
    }

    /// Whether a command is in the set.
    public func contains(_ code: CommandCode) -> Bool {
        codes.contains(code)
    }

    /// The set with those of another.
    public func union(_ other: FeliCaCommandSet) -> FeliCaCommandSet {
        FeliCaCommandSet(codes + other.codes)
    }

    /// The set without those of another.
    public func subtracting(_ other: FeliCaCommandSet) -> FeliCaCommandSet {
        FeliCaCommandSet(codes.filter { !other.contains($0) })
    }
}

extension FeliCaCommandSet {
    /// What cards of the DES generation answer without a session.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition; Echo measured by felica-tool.
    public static let des: FeliCaCommandSet = [
        .polling, .requestService, .requestResponse, .readWithoutEncryption, .writeWithoutEncryption,
        .searchServiceCode, .requestSystemCode, .echo,
    ]

    /// What cards with AES answer without a session.
    ///
    /// Source: measured by felica-tool.
    public static let aes = des.union([
        .requestServiceV2, .getSystemStatus, .requestProductInformation, .requestSpecificationVersion, .resetMode,
    ])

    /// What Mobile FeliCa 4.1 answers besides the commands of cards with AES.
    ///
    /// Source: measured by felica-tool.
    public static let mobile: FeliCaCommandSet = [
        .requestBlockInformation, .requestCodeList, .requestBlockInformationEx, .setParameter,
        .getContainerIssueInformation, .getAreaInformation, .getContainerProperty, .getContainerID,
    ]
}
