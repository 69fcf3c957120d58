@preconcurrency import CoreNFC
import TapSystem
import TapPhone
import Testing

/// A delegate without a method for tags, whose session reads on its own.
private final class MessageLog: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
    let lines = Lock<[String]>([])

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        lines.withLock { $0.append("ended \((error as? NFCReaderError)?.errorCode ?? 0)") }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        let uris = messages.flatMap(\.records).map { $0.wellKnownTypeURIPayload()?.absoluteString ?? "?" }
        lines.withLock { $0.append("read \(uris.joined(separator: " "))") }
    }
}

/// A delegate that receives the tags.
private final class TagLog: NSObject, NFCNDEFReaderSessionDelegate, @unchecked Sendable {
    let lines = Lock<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) { add("active") }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        add("ended \((error as? NFCReaderError)?.errorCode ?? 0)")
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) { add("messages") }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
        let tag = tags[0]
        session.connect(to: tag) { [self] error in
            tag.queryNDEFStatus { status, capacity, error in
                self.add("status \(status.rawValue), capacity \(capacity)")
                let uri = NFCNDEFPayload.wellKnownTypeURIPayload(string: "https://example.com/new")
                let message = NFCNDEFMessage(records: [uri].compactMap(\.self))
                tag.writeNDEF(message) { error in
                    tag.readNDEF { message, error in
                        self.add(message?.records.first?.wellKnownTypeURIPayload()?.absoluteString ?? "nothing")
                        self.add("is a MIFARE tag: \(tag is NFCMiFareTag), available: \(tag.isAvailable)")
                        session.invalidate()
                    }
                }
            }
        }
    }
}

@Suite("An NDEF session")
struct NDEFSessionSuite {
    private static let tag = """
        {"format": 1, "cards": {"tag": {"ic": "NTAG215", "ndef": [{"uri": "https://example.com/t/42"}]}}}
        """

    @Test("reads on its own for a delegate without tag methods, and ends after the first message with 204")
    func first() async throws {
        try await PhoneField.with(Self.tag) { phone in
            let log = MessageLog()
            NFCNDEFReaderSession(delegate: log, queue: nil, invalidateAfterFirstRead: true).begin()
            _ = try await PhoneField.end(of: phone)
            #expect(log.lines.withLock { $0 } == ["read https://example.com/t/42", "ended 204"])
        }
    }

    @Test("continues to read if it does not end after the first message, each tag once per visit")
    func several() async throws {
        let two = """
            {"format": 1, "cards": {
              "a": {"ic": "NTAG215", "ndef": [{"uri": "https://example.com/a"}]},
              "b": {"ic": "NTAG215", "ndef": [{"uri": "https://example.com/b"}]}},
             "timeline": [{"tap": "a"}, {"after": "2s", "remove": "a"}, {"after": "1s", "tap": "b"}]}
            """
        try await PhoneField.with(two, PhoneSettings(idle: .milliseconds(200))) { phone in
            let log = MessageLog()
            NFCNDEFReaderSession(delegate: log, queue: nil, invalidateAfterFirstRead: false).begin()
            _ = try await PhoneField.end(of: phone)
            let lines = log.lines.withLock { $0 }
            #expect(lines == ["read https://example.com/a", "read https://example.com/b", "ended 201"])
        }
    }

    @Test("gives the tags to a delegate with tag methods, for reading and writing")
    func tags() async throws {
        try await PhoneField.with(Self.tag) { phone in
            let log = TagLog()
            NFCNDEFReaderSession(delegate: log, queue: .global(), invalidateAfterFirstRead: false).begin()
            let record = try await PhoneField.end(of: phone)
            #expect(
                log.lines.withLock { $0 } == [
                    "active", "status 2, capacity 492", "https://example.com/new",
                    "is a MIFARE tag: true, available: true", "ended 200",
                ])
            #expect(record.commands == ["phone.query_ndef", "phone.write_ndef", "phone.read_ndef"])
        }
    }

    @Test("finds a FeliCa card only by the system of NDEF")
    func feliCa() async throws {
        try await PhoneField.with(PhoneField.suica, PhoneSettings(idle: .milliseconds(50))) { phone in
            let log = MessageLog()
            NFCNDEFReaderSession(delegate: log, queue: nil, invalidateAfterFirstRead: true).begin()
            let record = try await PhoneField.end(of: phone)
            #expect(log.lines.withLock { $0 } == ["ended 201"])
            #expect(record.tags.isEmpty)
        }
    }
}
