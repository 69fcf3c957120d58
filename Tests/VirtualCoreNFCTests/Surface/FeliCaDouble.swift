import CoreNFC

/// A FeliCa card as apps write it for tests: only handlers, and closures as in published code.
class FeliCaDouble: NSObject, NFCFeliCaTag {
    var error: Error?
    var commands: [String] = []

    var currentSystemCode = Data([0x00, 0x03])
    var currentIDm = Data([0x01, 0x12, 0x23, 0x34, 0x45, 0x56, 0x67, 0x78])
    var type: __NFCTagType = .feliCa
    weak var session: NFCReaderSessionProtocol?
    var isAvailable = true

    func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
        completionHandler: @escaping (Data, Data, Error?) -> Void
    ) {
        commands.append("polling \(systemCode.map { $0 }) \(requestCode.rawValue) \(timeSlot.rawValue)")
        completionHandler(Data(repeating: 0x10, count: 8), requestCode == .noRequest ? Data() : systemCode, error)
    }

    func requestService(nodeCodeList: [Data], completionHandler: @escaping ([Data], Error?) -> Void) {
        completionHandler(nodeCodeList.map { _ in Data([0xFF, 0xFF]) }, error)
    }

    func requestResponse(completionHandler: @escaping (Int, Error?) -> Void) {
        completionHandler(1, error)
    }

    func readWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], completionHandler: @escaping (Int, Int, [Data], Error?) -> Void
    ) {
        completionHandler(0, 0xA2, blockList, error)
    }

    func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data],
        completionHandler: @escaping (Int, Int, Error?) -> Void
    ) {
        completionHandler(0xFF, 0x70, error)
    }

    func requestSystemCode(completionHandler: @escaping ([Data], Error?) -> Void) {
        completionHandler([Data([0x00, 0x03]), Data([0xFE, 0x00])], error)
    }

    func requestServiceV2(
        nodeCodeList: [Data],
        completionHandler: @escaping (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], Error?) -> Void
    ) {
        completionHandler(0, 0, .AES, nodeCodeList, [], error)
    }

    func requestSpecificationVersion(completionHandler: @escaping (Int, Int, Data, Data, Error?) -> Void) {
        completionHandler(0, 0, Data([0x00, 0x05]), Data(), error)
    }

    func resetMode(completionHandler: @escaping (Int, Int, Error?) -> Void) {
        completionHandler(0, 0, error)
    }

    func sendFeliCaCommand(commandPacket: Data, completionHandler: @escaping (Data, Error?) -> Void) {
        completionHandler(Data([UInt8(commandPacket.count + 2)]) + commandPacket, error)
    }

    func queryNDEFStatus(completionHandler: @escaping (NFCNDEFStatus, Int, Error?) -> Void) {
        completionHandler(.readOnly, 208, error)
    }

    func readNDEF(completionHandler: @escaping (NFCNDEFMessage?, Error?) -> Void) {
        completionHandler(nil, error)
    }

    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping (Error?) -> Void) {
        commands.append("write \(ndefMessage.length)")
        completionHandler(error)
    }

    func writeLock(completionHandler: @escaping (Error?) -> Void) {
        completionHandler(error)
    }

    func asNFCISO15693Tag() -> NFCISO15693Tag? { nil }
    func asNFCISO7816Tag() -> NFCISO7816Tag? { nil }
    func asNFCFeliCaTag() -> NFCFeliCaTag? { self }
    func asNFCMiFareTag() -> NFCMiFareTag? { nil }

    func copy(with zone: NSZone? = nil) -> Any { self }
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) {}
    override init() {}
    required init?(coder: NSCoder) { nil }
}
