import CoreNFC
import Testing

/// An ISO/IEC 7816 card as apps write it for tests.
class ISO7816Double: NSObject, NFCISO7816Tag {
    var initialSelectedAID = "D2760000850101"
    var identifier = Data([1, 2, 3, 4])
    var historicalBytes: Data?
    var applicationData: Data?
    var proprietaryApplicationDataCoding = false
    var type: __NFCTagType = .iso7816Compatible
    weak var session: NFCReaderSessionProtocol?
    var isAvailable = true

    func sendCommand(apdu: NFCISO7816APDU, completionHandler: @escaping (Data, UInt8, UInt8, Error?) -> Void) {
        completionHandler(Data(), 0x6A, apdu.instructionCode, nil)
    }

    func queryNDEFStatus(completionHandler: @escaping (NFCNDEFStatus, Int, Error?) -> Void) {
        completionHandler(.readOnly, 0, nil)
    }
    func readNDEF(completionHandler: @escaping (NFCNDEFMessage?, Error?) -> Void) { completionHandler(nil, nil) }
    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(nil)
    }
    func writeLock(completionHandler: @escaping (Error?) -> Void) { completionHandler(nil) }

    func asNFCISO15693Tag() -> NFCISO15693Tag? { nil }
    func asNFCISO7816Tag() -> NFCISO7816Tag? { self }
    func asNFCFeliCaTag() -> NFCFeliCaTag? { nil }
    func asNFCMiFareTag() -> NFCMiFareTag? { nil }

    func copy(with zone: NSZone? = nil) -> Any { self }
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) {}
    override init() {}
    required init?(coder: NSCoder) { nil }
}

@Suite("An app's own ISO 7816 card")
struct ISO7816TagSuite {
    let tag: NFCISO7816Tag = ISO7816Double()

    @Test("answers APDUs in all forms")
    func commands() async throws {
        let apdu = try #require(NFCISO7816APDU(data: Data([0, 0xB0, 0, 0, 0])))
        let (data, first, second) = try await tag.sendCommand(apdu: apdu)
        #expect(data.isEmpty && (first, second) == (0x6A, 0xB0))
        let response: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: apdu)
        #expect(response.payload == nil && response.statusWord2 == 0xB0)
        await confirmation { answered in
            tag.sendCommand(apdu: apdu) { (result: Result<NFCISO7816ResponseAPDU, Error>) in
                if case .success(let response) = result, response.statusWord1 == 0x6A { answered() }
            }
        }
    }

    @Test("has no PACE unless it declares it")
    func pace() {
        #expect(!tag.supportsPACE)
    }
}
