import TapField
import TapPhone
import Testing

@Suite("Phone errors")
struct PhoneErrorSuite {
    @Test("give number, text and reason")
    func description() {
        let error = PhoneError(.tagConnectionLost, reason: "suica left the phone in felica.read")
        #expect(error.description == "Tag connection lost (100): suica left the phone in felica.read")
        #expect(PhoneError(.userCanceled).description == "Session invalidated by user (200)")
        #expect(PhoneError(.tagResponseError, text: "Stack Error").text == "Stack Error")
    }

    @Test(
        "have the texts of a real device",
        arguments: [
            (5, "Parameter value is out of bound"), (101, "Maximum retries exceeded"),
            (105, "Packet length has exceeded the limit"), (204, "First NDEF tag read"),
            (300, "Invalid configuration parameters"), (400, "NDEF tag is read only"),
            (402, "Insufficient space on NDEF tag"),
        ])
    func texts(number: Int, text: String) throws {
        #expect(PhoneError(try #require(PhoneErrorCode(rawValue: number))).text == text)
    }
}
