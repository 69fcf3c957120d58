import CoreNFC

/// An ISO/IEC 15693 tag as apps write it, with the handlers that were required until iOS 13.
class ISO15693Double: NSObject, NFCISO15693Tag {
    var error: Error?
    var calls: [String] = []

    var identifier = Data([0xE0, 0x04, 0x01, 0x50, 0x12, 0x34, 0x56, 0x78])
    var icManufacturerCode = 4
    var icSerialNumber = Data([0x01, 0x50, 0x12, 0x34, 0x56, 0x78])
    var type: __NFCTagType = .ISO15693
    weak var session: NFCReaderSessionProtocol?
    var isAvailable = true

    private func note(_ call: String) -> Error? {
        calls.append(call)
        return error
    }

    func sendCustomCommand(
        commandConfiguration: NFCISO15693CustomCommandConfiguration, completionHandler: @escaping (Data, Error?) -> Void
    ) {
        completionHandler(
            commandConfiguration.requestParameters, note("custom \(commandConfiguration.customCommandCode)"))
    }

    func readMultipleBlock(
        readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
        completionHandler: @escaping (Data, Error?) -> Void
    ) { completionHandler(Data(count: readConfiguration.range.length), note("read")) }

    func stayQuiet(completionHandler: @escaping (Error?) -> Void) { completionHandler(note("quiet")) }

    func readSingleBlock(
        requestFlags flags: RequestFlag, blockNumber: UInt8, completionHandler: @escaping (Data, Error?) -> Void
    ) { completionHandler(Data([blockNumber]), note("read \(flags.rawValue)")) }

    func writeSingleBlock(
        requestFlags flags: RequestFlag, blockNumber: UInt8, dataBlock: Data,
        completionHandler: @escaping (Error?) -> Void
    ) { completionHandler(note("write \(blockNumber) \(dataBlock.count)")) }

    func lockBlock(requestFlags flags: RequestFlag, blockNumber: UInt8, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("lock \(blockNumber)"))
    }

    func readMultipleBlocks(
        requestFlags flags: RequestFlag, blockRange: NSRange, completionHandler: @escaping ([Data], Error?) -> Void
    ) { completionHandler((0..<blockRange.length).map { Data([UInt8($0)]) }, note("read several")) }

    func writeMultipleBlocks(
        requestFlags flags: RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping (Error?) -> Void
    ) { completionHandler(note("write several \(dataBlocks.count)")) }

    func select(requestFlags flags: RequestFlag, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("select"))
    }

    func resetToReady(requestFlags flags: RequestFlag, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("reset"))
    }

    func writeAFI(requestFlags flags: RequestFlag, afi: UInt8, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("AFI \(afi)"))
    }

    func lockAFI(requestFlags flags: RequestFlag, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("lock AFI"))
    }

    func writeDSFID(requestFlags flags: RequestFlag, dsfid: UInt8, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("DSFID \(dsfid)"))
    }

    func lockDFSID(requestFlags flags: RequestFlag, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("lock DFSID"))
    }

    func lockDSFID(requestFlags flags: RequestFlag, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(note("lock DSFID"))
    }

    func getSystemInfo(
        requestFlags flags: RequestFlag, completionHandler: @escaping (Int, Int, Int, Int, Int, Error?) -> Void
    ) { completionHandler(1, 2, 4, 28, 3, note("system")) }

    func getMultipleBlockSecurityStatus(
        requestFlags flags: RequestFlag, blockRange: NSRange, completionHandler: @escaping ([NSNumber], Error?) -> Void
    ) { completionHandler([0, 1], note("status")) }

    func customCommand(
        requestFlags flags: RequestFlag, customCommandCode: Int, customRequestParameters: Data,
        completionHandler: @escaping (Data, Error?) -> Void
    ) { completionHandler(customRequestParameters, note("custom \(customCommandCode)")) }

    func extendedReadSingleBlock(
        requestFlags flags: RequestFlag, blockNumber: Int, completionHandler: @escaping (Data, Error?) -> Void
    ) { completionHandler(Data([UInt8(blockNumber >> 8), UInt8(blockNumber & 0xFF)]), note("extended read")) }

    func extendedWriteSingleBlock(
        requestFlags flags: RequestFlag, blockNumber: Int, dataBlock: Data,
        completionHandler: @escaping (Error?) -> Void
    ) { completionHandler(note("extended write")) }

    func extendedLockBlock(
        requestFlags flags: RequestFlag, blockNumber: Int, completionHandler: @escaping (Error?) -> Void
    ) { completionHandler(note("extended lock")) }

    func extendedReadMultipleBlocks(
        requestFlags flags: RequestFlag, blockRange: NSRange, completionHandler: @escaping ([Data], Error?) -> Void
    ) { completionHandler([Data([9])], note("extended read several")) }

    func queryNDEFStatus(completionHandler: @escaping (NFCNDEFStatus, Int, Error?) -> Void) {
        completionHandler(.notSupported, 0, error)
    }
    func readNDEF(completionHandler: @escaping (NFCNDEFMessage?, Error?) -> Void) { completionHandler(nil, error) }
    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(error)
    }
    func writeLock(completionHandler: @escaping (Error?) -> Void) { completionHandler(error) }

    func asNFCISO15693Tag() -> NFCISO15693Tag? { self }
    func asNFCISO7816Tag() -> NFCISO7816Tag? { nil }
    func asNFCFeliCaTag() -> NFCFeliCaTag? { nil }
    func asNFCMiFareTag() -> NFCMiFareTag? { nil }

    func copy(with zone: NSZone? = nil) -> Any { self }
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) {}
    override init() {}
    required init?(coder: NSCoder) { nil }
}
