import CoreNFC
import Testing

@Suite("The numbers of Core NFC")
struct NumberSuite {
    @Test("of error codes are Apple's, by both names")
    func errorCodes() {
        let codes: [(NFCReaderError.Code, NFCReaderError.Code, Int)] = [
            (NFCReaderError.readerErrorUnsupportedFeature, .readerErrorUnsupportedFeature, 1),
            (NFCReaderError.readerErrorSecurityViolation, .readerErrorSecurityViolation, 2),
            (NFCReaderError.readerErrorInvalidParameter, .readerErrorInvalidParameter, 3),
            (NFCReaderError.readerErrorInvalidParameterLength, .readerErrorInvalidParameterLength, 4),
            (NFCReaderError.readerErrorParameterOutOfBound, .readerErrorParameterOutOfBound, 5),
            (NFCReaderError.readerErrorRadioDisabled, .readerErrorRadioDisabled, 6),
            (NFCReaderError.readerErrorIneligible, .readerErrorIneligible, 7),
            (NFCReaderError.readerErrorAccessNotAccepted, .readerErrorAccessNotAccepted, 8),
            (NFCReaderError.readerTransceiveErrorTagConnectionLost, .readerTransceiveErrorTagConnectionLost, 100),
            (NFCReaderError.readerTransceiveErrorRetryExceeded, .readerTransceiveErrorRetryExceeded, 101),
            (NFCReaderError.readerTransceiveErrorTagResponseError, .readerTransceiveErrorTagResponseError, 102),
            (NFCReaderError.readerTransceiveErrorSessionInvalidated, .readerTransceiveErrorSessionInvalidated, 103),
            (NFCReaderError.readerTransceiveErrorTagNotConnected, .readerTransceiveErrorTagNotConnected, 104),
            (NFCReaderError.readerTransceiveErrorPacketTooLong, .readerTransceiveErrorPacketTooLong, 105),
            (
                NFCReaderError.readerSessionInvalidationErrorUserCanceled, .readerSessionInvalidationErrorUserCanceled,
                200
            ),
            (
                NFCReaderError.readerSessionInvalidationErrorSessionTimeout,
                .readerSessionInvalidationErrorSessionTimeout, 201
            ),
            (
                NFCReaderError.readerSessionInvalidationErrorSessionTerminatedUnexpectedly,
                .readerSessionInvalidationErrorSessionTerminatedUnexpectedly, 202
            ),
            (
                NFCReaderError.readerSessionInvalidationErrorSystemIsBusy, .readerSessionInvalidationErrorSystemIsBusy,
                203
            ),
            (
                NFCReaderError.readerSessionInvalidationErrorFirstNDEFTagRead,
                .readerSessionInvalidationErrorFirstNDEFTagRead, 204
            ),
            (
                NFCReaderError.tagCommandConfigurationErrorInvalidParameters,
                .tagCommandConfigurationErrorInvalidParameters, 300
            ),
            (NFCReaderError.ndefReaderSessionErrorTagNotWritable, .ndefReaderSessionErrorTagNotWritable, 400),
            (NFCReaderError.ndefReaderSessionErrorTagUpdateFailure, .ndefReaderSessionErrorTagUpdateFailure, 401),
            (NFCReaderError.ndefReaderSessionErrorTagSizeTooSmall, .ndefReaderSessionErrorTagSizeTooSmall, 402),
            (NFCReaderError.ndefReaderSessionErrorZeroLengthMessage, .ndefReaderSessionErrorZeroLengthMessage, 403),
        ]
        for (member, code, number) in codes {
            #expect(member == code && code.rawValue == number)
            #expect(NFCReaderError(code).errorCode == number)
        }
    }

    @Test("of enumerations are Apple's")
    func enumerations() {
        let signed: [(Int, Int)] = [
            (NFCFeliCaPollingRequestCode.noRequest.rawValue, 0), (NFCFeliCaPollingRequestCode.systemCode.rawValue, 1),
            (NFCFeliCaPollingRequestCode.communicationPerformance.rawValue, 2),
            (NFCFeliCaPollingTimeSlot.max1.rawValue, 0), (NFCFeliCaPollingTimeSlot.max2.rawValue, 1),
            (NFCFeliCaPollingTimeSlot.max4.rawValue, 3), (NFCFeliCaPollingTimeSlot.max8.rawValue, 7),
            (NFCFeliCaPollingTimeSlot.max16.rawValue, 15), (NFCFeliCaEncryptionId.AES.rawValue, 0x4F),
            (NFCFeliCaEncryptionId.AES_DES.rawValue, 0x41),
            (NFCVASCommandConfiguration.Mode.urlOnly.rawValue, 0), (NFCVASCommandConfiguration.Mode.normal.rawValue, 1),
            (NFCVASResponse.ErrorCode.success.rawValue, 0x9000),
            (NFCVASResponse.ErrorCode.dataNotFound.rawValue, 0x6A83),
            (NFCVASResponse.ErrorCode.dataNotActivated.rawValue, 0x6287),
            (NFCVASResponse.ErrorCode.wrongParameters.rawValue, 0x6B00),
            (NFCVASResponse.ErrorCode.wrongLCField.rawValue, 0x6700),
            (NFCVASResponse.ErrorCode.userIntervention.rawValue, 0x6984),
            (NFCVASResponse.ErrorCode.incorrectData.rawValue, 0x6A80),
            (NFCVASResponse.ErrorCode.unsupportedApplicationVersion.rawValue, 0x6340),
        ]
        for (number, expected) in signed { #expect(number == expected) }
        let unsigned: [(UInt, UInt)] = [
            (NFCMiFareFamily.unknown.rawValue, 1), (NFCMiFareFamily.ultralight.rawValue, 2),
            (NFCMiFareFamily.plus.rawValue, 3), (NFCMiFareFamily.desfire.rawValue, 4),
            (NFCNDEFStatus.notSupported.rawValue, 1), (NFCNDEFStatus.readWrite.rawValue, 2),
            (NFCNDEFStatus.readOnly.rawValue, 3), (__NFCTagType.ISO15693.rawValue, 1),
            (__NFCTagType.feliCa.rawValue, 2), (__NFCTagType.iso7816Compatible.rawValue, 3),
            (__NFCTagType.miFare.rawValue, 4),
        ]
        for (number, expected) in unsigned { #expect(number == expected) }
        let formats: [NFCTypeNameFormat] = [
            .empty, .nfcWellKnown, .media, .absoluteURI, .nfcExternal, .unknown, .unchanged,
        ]
        #expect(formats.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
        #expect(NFCTypeNameFormat(rawValue: 7) == nil)
    }

    @Test("of option sets are Apple's")
    func options() {
        let request: [NFCISO15693RequestFlag] = [
            .dualSubCarriers, .highDataRate, .protocolExtension, .select, .address, .option, .commandSpecificBit8,
        ]
        #expect(request.map(\.rawValue) == [1, 2, 8, 16, 32, 64, 128])
        let flags: RequestFlag = [.highDataRate, .address]
        #expect(flags.rawValue == 34 && flags.contains(.address))
        let response: [NFCISO15693ResponseFlag] = [
            .error, .responseBufferValid, .finalResponse, .protocolExtension, .blockSecurityStatusBit5,
            .blockSecurityStatusBit6, .waitTimeExtension,
        ]
        #expect(response.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64])
    }
}
