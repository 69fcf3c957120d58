@preconcurrency import CoreNFC
import TapSystem
import TapField
import TapPhone
import Testing

@Suite("The notes of a session for the app's tester")
struct SessionNoteSuite {
    @Test("name a card that the session does not look for")
    func polling() async throws {
        try await PhoneField.with(PhoneField.suica, PhoneSettings(idle: .milliseconds(50))) { phone in
            let log = SessionLog()
            NFCTagReaderSession(pollingOption: .iso14443, delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(record.notes.contains { $0.contains("No Info.plist was given") })
            #expect(record.notes.contains { $0.contains("suica is a FeliCa card") && $0.contains(".iso18092") })
            #expect(record.error?.reason?.contains("did nothing for") == true)
        }
    }

    @Test("report a missing delegate")
    func delegate() async throws {
        let away = """
            {"format": 1, "cards": {"suica": {"template": "suica"}}, "timeline": [{"after": "70s", "tap": "suica"}]}
            """
        try await PhoneField.with(away) { phone in
            func start() {
                let log = SessionLog()
                NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            }
            start()
            // Only now, when nothing holds the delegate any more.
            phone.host.perform { $0.tap("suica") }
            let record = try await BlockingThread.value {
                phone.session(PhoneWait(phone)) { $0.notes.contains { $0.contains("the delegate is gone") } }
            }
            #expect(record != nil)
        }
    }

    @Test("explain why a tag gave no message to a session that reads on its own")
    func blank() async throws {
        let blank = """
            {"format": 1, "cards": {"tag": {"ic": "NTAG215"}}}
            """
        try await PhoneField.with(blank, PhoneSettings(idle: .milliseconds(50))) { phone in
            let log = MessageReader()
            NFCNDEFReaderSession(delegate: log, queue: nil, invalidateAfterFirstRead: true).begin()
            let record = try await PhoneField.end(of: phone)
            #expect(record.error?.code.rawValue == 201)
            #expect(record.notes.contains { $0.contains("No Info.plist was given") })
            #expect(record.notes.contains { $0.contains("gave no message") })
        }
    }
}

/// A delegate without tag methods.
private final class MessageReader: NSObject, NFCNDEFReaderSessionDelegate {
    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {}
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
