import CoreNFC
import Testing

@Suite("An app's own FeliCa card")
struct FeliCaTagSuite {
    let card = FeliCaDouble()

    @Test("answers the async forms through its handlers")
    func asyncForms() async throws {
        let tag: NFCFeliCaTag = card
        let (pmm, data) = try await tag.polling(
            systemCode: Data([0x00, 0x03]), requestCode: .systemCode, timeSlot: .max4)
        #expect(pmm.count == 8 && data == Data([0x00, 0x03]))
        #expect(card.commands == ["polling [0, 3] 1 3"])
        #expect(try await tag.requestService(nodeCodeList: [Data([0x0F, 0x09])]) == [Data([0xFF, 0xFF])])
        #expect(try await tag.requestResponse() == 1)
        let (first, second, blocks) = try await tag.readWithoutEncryption(
            serviceCodeList: [Data([0x0F, 0x09])], blockList: [Data([0x80, 0x00]), Data([0x80, 0x01])])
        #expect((first, second) == (0, 0xA2) && blocks == [Data([0x80, 0x00]), Data([0x80, 0x01])])
        let flags = try await tag.writeWithoutEncryption(serviceCodeList: [], blockList: [], blockData: [])
        #expect(flags == (0xFF, 0x70))
        #expect(try await tag.requestSystemCode().map { Array($0) } == [[0x00, 0x03], [0xFE, 0x00]])
        let (_, _, encryption, aes, des) = try await tag.requestServiceV2(nodeCodeList: [Data([0, 0])])
        #expect(encryption == .AES && aes == [Data([0, 0])] && des == [])
        let (_, _, basic, option) = try await tag.requestSpecificationVersion()
        #expect(basic == Data([0x00, 0x05]) && option.isEmpty)
        #expect(try await tag.resetMode() == (0, 0))
        #expect(try await tag.sendFeliCaCommand(commandPacket: Data([0x04])) == Data([0x03, 0x04]))
    }

    @Test("answers the result forms through its handlers")
    func resultForms() throws {
        let tag: NFCFeliCaTag = card
        var polled: NFCFeliCaPollingResponse?
        tag.polling(systemCode: Data([0xFE, 0x00]), requestCode: .noRequest, timeSlot: .max1) { result in
            polled = try? result.get()
        }
        #expect(polled?.manufactureParameter == Data(repeating: 0x10, count: 8) && polled?.requestData == nil)
        var versions: [Data] = []
        tag.requestService(nodeCodeList: [Data([0x0F, 0x09])]) { (result: Result<[Data], Error>) in
            versions = (try? result.get()) ?? []
        }
        #expect(versions == [Data([0xFF, 0xFF])])
        var mode: Int?
        tag.requestResponse { mode = try? $0.get() }
        #expect(mode == 1)
        var read: (NFCFeliCaStatusFlag, [Data])?
        tag.readWithoutEncryption(serviceCodeList: [], blockList: [Data([0x80, 0x00])]) { read = try? $0.get() }
        #expect(read?.0.statusFlag1 == 0 && read?.0.statusFlag2 == 0xA2 && read?.1.count == 1)
        var written: NFCFeliCaStatusFlag?
        tag.writeWithoutEncryption(serviceCodeList: [], blockList: [], blockData: []) { written = try? $0.get() }
        #expect(written?.statusFlag1 == 0xFF && written?.statusFlag2 == 0x70)
        var reset: NFCFeliCaStatusFlag?
        tag.resetMode { reset = try? $0.get() }
        #expect(reset?.statusFlag1 == 0)
        var answer: Data?
        tag.sendFeliCaCommand(commandPacket: Data([0x0C]), resultHandler: { answer = try? $0.get() })
        #expect(answer == Data([0x03, 0x0C]))
    }

    @Test("returns nil for empty lists in the responses of iOS 14")
    func optionalLists() {
        let tag: NFCFeliCaTag = card
        var service: NFCFeliCaRequsetServiceV2Response?
        tag.requestServiceV2(nodeCodeList: [Data([0, 0])], resultHandler: { service = try? $0.get() })
        #expect(service?.encryptionIdentifier == .AES && service?.nodeKeyVersionListAES == [Data([0, 0])])
        #expect(service?.nodeKeyVersionListDES == nil)
        var version: NFCFeliCaRequestSpecificationVersionResponse?
        tag.requestSpecificationVersion(resultHandler: { version = try? $0.get() })
        #expect(version?.basicVersion == Data([0x00, 0x05]) && version?.optionVersion == nil)
        var systems: [Data]?
        tag.requestSystemCode(resultHandler: { systems = try? $0.get() })
        #expect(systems?.count == 2)
    }

    @Test("throws its error from every form, regardless of the values passed with it")
    func errors() async {
        card.error = NFCReaderError(.readerTransceiveErrorTagConnectionLost)
        let tag: NFCFeliCaTag = card
        await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) { try await tag.resetMode() }
        await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) { try await tag.readNDEF() }
        await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) { try await tag.writeLock() }
        var failed: Error?
        tag.requestResponse { (result: Result<Int, Error>) in
            if case .failure(let error) = result { failed = error }
        }
        #expect((failed as? NFCReaderError)?.code == .readerTransceiveErrorTagConnectionLost)
    }

    @Test("is an NDEF tag, and throws error 403 without a message")
    func ndef() async throws {
        let tag: NFCNDEFTag = card
        #expect(try await tag.queryNDEFStatus() == (.readOnly, 208))
        await #expect(throws: NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage)) { try await tag.readNDEF() }
        try await tag.writeNDEF(NFCNDEFMessage(records: []))
        #expect(card.commands == ["write 0"])
        #expect(tag is NFCFeliCaTag && !(tag is NFCMiFareTag))
    }

    @Test("is the object in the enum that sessions return")
    func enumeration() {
        let tag = NFCTag.feliCa(card)
        #expect(tag.isAvailable)
        card.isAvailable = false
        #expect(!tag.isAvailable)
        guard case .feliCa(let object) = tag else {
            Issue.record("expected another case")
            return
        }
        #expect(object.asNFCFeliCaTag() != nil && object.asNFCMiFareTag() == nil)
    }
}

// Code from 2019 gives its own synchronous forms the names of today's async forms.
extension NFCFeliCaTag {
    func requestResponse() -> Int { -1 }
}

@Suite("A synchronous form in an app's extension")
struct SynchronousExtensionSuite {
    @Test("is called by synchronous code")
    func overload() {
        let tag: NFCFeliCaTag = FeliCaDouble()
        #expect(tag.requestResponse() == -1)
    }
}
