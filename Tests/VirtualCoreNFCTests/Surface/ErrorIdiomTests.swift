import CoreNFC
import TapPhone
import Testing

@testable import VirtualCoreNFC

@Suite("An error of Core NFC")
struct ErrorIdiomSuite {
    let canceled: Error = NFCReaderError(
        .readerSessionInvalidationErrorUserCanceled,
        userInfo: [NSLocalizedDescriptionKey: "Session invalidated by user"])

    @Test("is both a Swift error and a Foundation error")
    func bothWorlds() throws {
        #expect((canceled as? NFCReaderError)?.code == .readerSessionInvalidationErrorUserCanceled)
        #expect((canceled as! NFCReaderError).errorCode == 200)
        let foundation = canceled as NSError
        #expect(foundation.domain == "NFCError" && foundation.domain == NFCErrorDomain && foundation.code == 200)
        #expect(foundation.userInfo[NSLocalizedDescriptionKey] as? String == "Session invalidated by user")
        #expect(canceled.localizedDescription == "Session invalidated by user")
        let back = NFCReaderError(_nsError: foundation)
        #expect(back.code == .readerSessionInvalidationErrorUserCanceled && back._nsError === foundation)
        #expect(NFCReaderError.errorDomain == NFCErrorDomain)
        #expect(back.errorUserInfo.count == 1 && back.userInfo.count == 1)
        #expect(back.localizedDescription == "Session invalidated by user")
    }

    @Test("can be matched by its codes")
    func patterns() {
        do {
            throw canceled
        } catch NFCReaderError.readerSessionInvalidationErrorSessionTimeout {
            Issue.record("matched as another code")
        } catch NFCReaderError.readerSessionInvalidationErrorUserCanceled {
            // The one that is meant.
        } catch {
            Issue.record("not matched: \(error)")
        }
        switch canceled {
        case NFCReaderError.readerSessionInvalidationErrorFirstNDEFTagRead: Issue.record("matched as another code")
        case NFCReaderError.readerSessionInvalidationErrorUserCanceled: break
        default: Issue.record("not matched")
        }
        let radio = NFCReaderError.Code.readerErrorRadioDisabled
        #expect(!(radio ~= canceled))
        #expect(!(NFCReaderError.readerErrorIneligible ~= NSError(domain: "other", code: 7)))
    }

    @Test("has a code for a switch")
    func switching() {
        let error = NFCReaderError(.readerErrorSecurityViolation)
        var text = ""
        switch error.code {
        case .readerErrorSecurityViolation: text = "entitlement"
        case .readerSessionInvalidationErrorUserCanceled, .readerSessionInvalidationErrorFirstNDEFTagRead: text = "end"
        default: text = "other"
        }
        #expect(text == "entitlement")
    }

    @Test("is equal to an error with the same code, and has the same hash")
    func equality() {
        let error = NFCReaderError(.readerErrorInvalidParameter)
        #expect(error == NFCReaderError(.readerErrorInvalidParameter))
        #expect(error != NFCReaderError(.readerErrorInvalidParameterLength))
        #expect(error.hashValue == NFCReaderError(.readerErrorInvalidParameter).hashValue)
        #expect(Set([error, NFCReaderError(.readerErrorInvalidParameter)]).count == 1)
    }

    @Test("with an unknown number never traps")
    func unknownNumber() {
        let error = NFCReaderError(_nsError: NSError(domain: "other", code: 77))
        #expect(error.errorCode == 77)
        #expect(error.code == .readerSessionInvalidationErrorSessionTerminatedUnexpectedly)
        #expect(!(NFCReaderError.readerSessionInvalidationErrorSessionTerminatedUnexpectedly ~= error))
    }

    @Test("created from a phone's error has its text, its reason and the underlying error")
    func phoneError() throws {
        let refused = PhoneError(
            .tagUpdateFailure, reason: "the card is locked",
            underlying: .init(domain: "nfcd", code: 18, text: "Connection Closed"))
        let error = NFCReaderError(refused)
        #expect(error.code == .ndefReaderSessionErrorTagUpdateFailure)
        #expect(error.localizedDescription == "Stack Error")
        let foundation = error as NSError
        #expect(foundation.localizedFailureReason == "the card is locked")
        let below = try #require(foundation.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(below.domain == "nfcd" && below.code == 18 && below.localizedDescription == "Connection Closed")
        #expect(NFCReaderError(PhoneError(.systemIsBusy)).userInfo.count == 1)
    }

    @Test("has a code for every phone error code")
    func phoneCodes() {
        let codes: [PhoneError.Code] = [
            .unsupportedFeature, .securityViolation, .invalidParameter, .invalidParameterLength, .parameterOutOfBound,
            .radioDisabled, .tagConnectionLost, .retryExceeded, .tagResponseError, .sessionInvalidated,
            .tagNotConnected, .packetTooLong, .userCanceled, .sessionTimeout, .sessionTerminatedUnexpectedly,
            .systemIsBusy, .firstNDEFTagRead, .invalidConfiguration, .tagNotWritable, .tagUpdateFailure,
            .tagSizeTooSmall, .zeroLengthMessage,
        ]
        for code in codes { #expect(NFCReaderError.Code(rawValue: code.rawValue) != nil) }
    }

    @Test("has the same keys as on devices")
    func keys() {
        #expect(NFCISO15693TagResponseErrorKey == "ISO15693TagResponseErrorCode")
        #expect(NFCTagResponseUnexpectedLengthErrorKey != NFCISO15693TagResponseErrorKey)
    }
}
