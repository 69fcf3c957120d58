import CoreNFC
import Testing

/// Code for iOS 13, called without using deprecated declarations directly.
private protocol FormerCode {
    static func felica() -> [Int]
    static func vas() -> [Int]
    static func flags() -> RequestFlag
    static func response() -> NFCISO7816ResponseAPDU
    static func text() -> NFCNDEFPayload?
}

private enum Code2019: FormerCode {
    @available(*, deprecated)
    static func felica() -> [Int] {
        let request: PollingRequestCode = .PollingRequestCodeSystemCode
        let slot: PollingTimeSlot = .PollingTimeSlotMax16
        let encryption: EncryptionId = .aes_des
        let others: [PollingTimeSlot] = [
            .PollingTimeSlotMax1, .PollingTimeSlotMax2, .PollingTimeSlotMax4, .PollingTimeSlotMax8,
        ]
        return [
            request.rawValue, slot.rawValue, encryption.rawValue, EncryptionId.aes.rawValue,
            PollingRequestCode.PollingRequestCodeNoRequest.rawValue,
            PollingRequestCode.PollingRequestCodeCommunicationPerformance.rawValue,
        ] + others.map(\.rawValue)
    }

    @available(*, deprecated)
    static func vas() -> [Int] {
        let codes: [VASErrorCode] = [
            .VASErrorCodeSuccess, .VASErrorCodeDataNotFound, .VASErrorCodeDataNotActivated,
            .VASErrorCodeWrongParameters, .VASErrorCodeWrongLCField, .VASErrorCodeUserIntervention,
            .VASErrorCodeIncorrectData, .VASErrorCodeUnsupportedApplicationVersion,
        ]
        return [VASMode.VASModeURLOnly.rawValue, VASMode.VASModeNormal.rawValue] + codes.map(\.rawValue)
    }

    @available(*, deprecated)
    static func flags() -> RequestFlag {
        [
            .RequestFlagDualSubCarriers, .RequestFlagHighDataRate, .RequestFlagProtocolExtension,
            .RequestFlagSelect, .RequestFlagAddress, .RequestFlagOption,
        ]
    }

    @available(*, deprecated)
    static func response() -> NFCISO7816ResponseAPDU {
        NFCISO7816ResponseAPDU(statusWord1: 0x90, statusWord2: 0, paylaod: Data([1]))
    }

    @available(*, deprecated)
    static func text() -> NFCNDEFPayload? {
        NFCNDEFPayload.wellKnowTypeTextPayload(string: "hello", locale: Locale(identifier: "en"))
    }
}

@Suite("Code for iOS 13")
struct FormerNameSuite {
    private let code: FormerCode.Type = Code2019.self

    @Test("finds the codes of FeliCa by their former names")
    func felica() {
        #expect(code.felica() == [1, 15, 0x41, 0x4F, 0, 2, 0, 1, 3, 7])
    }

    @Test("finds the codes for passes by their former names")
    func vas() {
        #expect(
            code.vas() == [0, 1, 0x9000, 0x6A83, 0x6287, 0x6B00, 0x6700, 0x6984, 0x6A80, 0x6340])
    }

    @Test("finds flags and misspelt names")
    func others() {
        #expect(code.flags().rawValue == 0x7B)
        #expect(code.response().payload == Data([1]))
        #expect(code.text()?.wellKnownTypeTextPayload().0 == "hello")
    }
}
