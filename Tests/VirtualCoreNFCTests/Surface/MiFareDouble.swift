import CoreNFC

/// A MIFARE tag as apps write it for tests.
class MiFareDouble: NSObject, NFCMiFareTag {
    var error: Error?
    var message: NFCNDEFMessage?

    var mifareFamily: NFCMiFareFamily = .ultralight
    var identifier = Data([0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
    var historicalBytes: Data?
    var type: __NFCTagType = .miFare
    weak var session: NFCReaderSessionProtocol?
    var isAvailable = true

    func sendMiFareCommand(commandPacket command: Data, completionHandler: @escaping (Data, Error?) -> Void) {
        completionHandler(command.first == 0xA2 ? Data([0x0A]) : command, error)
    }

    func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, completionHandler: @escaping (Data, UInt8, UInt8, Error?) -> Void
    ) {
        completionHandler(apdu.data ?? Data(), 0x91, 0x00, error)
    }

    func queryNDEFStatus(completionHandler: @escaping (NFCNDEFStatus, Int, Error?) -> Void) {
        completionHandler(.readWrite, 492, error)
    }

    func readNDEF(completionHandler: @escaping (NFCNDEFMessage?, Error?) -> Void) { completionHandler(message, error) }

    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping (Error?) -> Void) {
        message = ndefMessage
        completionHandler(error)
    }

    func writeLock(completionHandler: @escaping (Error?) -> Void) { completionHandler(error) }

    func asNFCISO15693Tag() -> NFCISO15693Tag? { nil }
    func asNFCISO7816Tag() -> NFCISO7816Tag? { nil }
    func asNFCFeliCaTag() -> NFCFeliCaTag? { nil }
    func asNFCMiFareTag() -> NFCMiFareTag? { self }

    func copy(with zone: NSZone? = nil) -> Any { self }
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) {}
    override init() {}
    required init?(coder: NSCoder) { nil }
}
