/// What a function of PC/SC returns.
///
/// Values and names are those of Windows and of pcsc-lite alike, but for ``unsupportedFeature``, which pcsc-lite counts
/// as 8010001F and Windows and macOS as 80100022. Source: pcsc-lite manual, "ErrorCodes".
public struct PCSCReturnCode: Hashable, Sendable, CustomStringConvertible {
    /// The number, such as 80100069h; on Linux the functions return it in 64 bits.
    public let rawValue: UInt32

    public init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// It worked.
    public static let success = PCSCReturnCode(0)
    /// The service failed in itself.
    public static let internalError = PCSCReturnCode(0x8010_0001)
    /// The waiting was ended by SCardCancel.
    public static let cancelled = PCSCReturnCode(0x8010_0002)
    /// The context or card handle is not one.
    public static let invalidHandle = PCSCReturnCode(0x8010_0003)
    /// An argument makes no sense.
    public static let invalidParameter = PCSCReturnCode(0x8010_0004)
    /// There is no memory.
    public static let noMemory = PCSCReturnCode(0x8010_0006)
    /// The buffer is too small for what is to be returned.
    public static let insufficientBuffer = PCSCReturnCode(0x8010_0008)
    /// There is no reader of that name.
    public static let unknownReader = PCSCReturnCode(0x8010_0009)
    /// The time is over.
    public static let timeout = PCSCReturnCode(0x8010_000A)
    /// Others use the card in a way that excludes this one.
    public static let sharingViolation = PCSCReturnCode(0x8010_000B)
    /// There is no card in the reader.
    public static let noSmartCard = PCSCReturnCode(0x8010_000C)
    /// The card cannot be left as asked for.
    public static let cannotDispose = PCSCReturnCode(0x8010_000E)
    /// The card speaks another protocol.
    public static let protocolMismatch = PCSCReturnCode(0x8010_000F)
    /// The reader or card is not ready.
    public static let notReady = PCSCReturnCode(0x8010_0010)
    /// A value is out of its range.
    public static let invalidValue = PCSCReturnCode(0x8010_0011)
    /// The exchange with the reader failed.
    public static let communicationError = PCSCReturnCode(0x8010_0013)
    /// The command did not come through, or there is no transaction to end.
    public static let notTransacted = PCSCReturnCode(0x8010_0016)
    /// The reader is gone.
    public static let readerUnavailable = PCSCReturnCode(0x8010_0017)
    /// The receive structure is too small.
    public static let pciTooSmall = PCSCReturnCode(0x8010_0019)
    /// The driver does not do what is needed.
    public static let readerUnsupported = PCSCReturnCode(0x8010_001A)
    /// The service is not running.
    public static let noService = PCSCReturnCode(0x8010_001D)
    /// The service has ended.
    public static let serviceStopped = PCSCReturnCode(0x8010_001E)
    /// The driver has no such function; pcsc-lite.
    public static let unsupportedFeature = PCSCReturnCode(0x8010_001F)
    /// The driver has no such function; Windows and macOS.
    public static let unsupportedFeatureElsewhere = PCSCReturnCode(0x8010_0022)
    /// This user may not use the service.
    public static let noAccess = PCSCReturnCode(0x8010_0027)
    /// There are no readers at all.
    public static let noReadersAvailable = PCSCReturnCode(0x8010_002E)
    /// Data were lost on the way; the command may be tried again.
    public static let dataLost = PCSCReturnCode(0x8010_002F)
    /// The service is too busy.
    public static let serverTooBusy = PCSCReturnCode(0x8010_0031)
    /// The ATR of the card makes no sense.
    public static let unsupportedCard = PCSCReturnCode(0x8010_0065)
    /// The card does not answer a reset.
    public static let unresponsiveCard = PCSCReturnCode(0x8010_0066)
    /// The card has no power.
    public static let unpoweredCard = PCSCReturnCode(0x8010_0067)
    /// The card was reset by another program.
    public static let resetCard = PCSCReturnCode(0x8010_0068)
    /// The card was taken away.
    public static let removedCard = PCSCReturnCode(0x8010_0069)
    /// Access was denied.
    public static let securityViolation = PCSCReturnCode(0x8010_006A)

    /// Eight hexadecimal digits with `0x`, as programs print it.
    public var description: String { "0x" + Hex.digits(rawValue, width: 8) }
}
