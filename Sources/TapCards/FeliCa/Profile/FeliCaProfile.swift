import TapWire

/// What differs from chip to chip: limits, and every question on which sources or products disagree.
///
/// The defaults are those of a Suica-class chip of the DES generation; where nothing is known they follow the manual.
/// ``switches`` explains each property, its values and the evidence for them.
public struct FeliCaProfile: QuirkSet {
    /// Most blocks of a Read.
    public var maxReadBlocks = 12
    /// Most blocks of a Write.
    public var maxWriteBlocks = 10
    /// How status flag 1 gives the place of an error.
    public var statusLocation = StatusLocation.ordinal
    /// Which status flag 2 answers a Read or Write that breaks both limits.
    public var countErrorPreference = StatusFlag2.serviceCount
    /// What a card does with a Read or Write without services, with too many, or without blocks.
    public var serviceCountErrors = Reaction.answer
    /// Which entries of a service code list are checked.
    public var serviceListCheck = ServiceListCheck.lazy
    /// Whether service codes and block list elements have to come in ascending order.
    public var requireAscendingLists = false
    /// What a card does with bytes behind the end of a command.
    public var trailingBytes = TrailingBytes.ignore
    /// Request codes of Polling that the card knows.
    public var pollingRequestCodes = PollingRequestCodes.upToPerformance
    /// What a card does with request codes of Polling it does not know.
    public var pollingReservedCodes = Reaction.answer
    /// What Polling returns for request code 02, the first byte on the wire highest.
    public var performanceBytes = PerformanceBytes(0x0083)
    /// The commands the card knows.
    public var supportedCommands = FeliCaCommandSet.des
    /// Most bytes of data Echo returns.
    public var echoMax = Echo.maximumDataLength
    /// What a card does with a Request Service that holds a code of no defined attribute.
    public var requestServiceUnknownAttribute = Reaction.answer
    /// What a card does with a Request Service of more than 32 nodes.
    public var requestServiceBadCount = Reaction.silence
    /// Status flag 2 of a plain access to a service that needs authentication.
    public var authRequiredPlainAccess = StatusFlag2.accessDenied
    /// Status flag 2 of a Write to another block of a cyclic service than 0.
    public var cyclicWriteBlockNonZero = StatusFlag2.accessDenied
    /// Whether direct access may raise a purse.
    public var purseDirectRaise = false
    /// Status flag 1 beside the warning that memory was rewritten too often.
    public var warning71Flag1 = WarningFlag(0x00)
    /// What Request Service v2 lists on a card with DES keys alone.
    public var encryptionListOrder = EncryptionListOrder.des
    /// What Request Block Information says about an area.
    public var blockInfoArea = BlockInfoArea.descendants
    /// In which modes option commands are answered.
    public var modeOfOptionCommands = OptionCommandModes.any
    /// Whether a time slot is drawn, or always the first one taken.
    public var randomSlot = true

    public init() {}
}
