import TapField
import TapPhone
import Testing

@Suite("Errors of a phone")
struct PhoneErrorSuite {
    @Test("tell number, text and what happened here")
    func description() {
        let error = PhoneError(.tagConnectionLost, reason: "suica left the phone in felica.read")
        #expect(error.description == "Tag connection lost (100): suica left the phone in felica.read")
        #expect(PhoneError(.userCanceled).description == "Session invalidated by user (200)")
        #expect(PhoneError(.tagResponseError, text: "Stack Error").text == "Stack Error")
    }
}
