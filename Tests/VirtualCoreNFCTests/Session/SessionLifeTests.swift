import TapScenario
@preconcurrency import CoreNFC
import TapPhone
import Testing

@Suite("A session")
struct SessionLifeSuite {
    @Test("goes from the sheet to the tag to its end, and nothing else keeps it alive")
    func life() async throws {
        try await PhoneField.with(PhoneField.suica) { phone in
            let log = SessionLog { session, tags in
                session.alertMessage = "Hold on"
                session.connect(to: tags[0]) { error in
                    guard error == nil, case .feliCa(let tag)? = tags.first else { return }
                    tag.requestResponse { mode, error in
                        session.alertMessage = "mode \(mode), error \(String(describing: error))"
                        session.invalidate()
                    }
                }
            }
            func start() {
                let session = NFCTagReaderSession(pollingOption: .iso18092, delegate: log)
                session?.alertMessage = "Hold your card"
                session?.begin()
            }
            start()
            let record = try await PhoneField.end(of: phone)
            #expect(log.log == ["active, ready: true", "detected 1", "ended 200"])
            #expect(record.alerts == ["Hold your card", "Hold on", "mode 0, error nil"])
            #expect(record.commands == ["felica.request_response"])
            #expect(record.error?.code == .userCanceled)
            #expect(record.notes.count == 2, "\(record.notes)")
        }
    }

    @Test("ends with the app's text if the app reports a failure")
    func failure() async throws {
        try await PhoneField.with(PhoneField.suica) { phone in
            let log = SessionLog { session, _ in session.invalidate(errorMessage: "not this card") }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(record.errorMessage == "not this card")
            #expect(log.log.last == "ended 200")
        }
    }

    @Test("ends after 60 seconds of card time without events, and tests do not wait for them")
    func timeout() async throws {
        let empty = """
            {"format": 1, "cards": {"suica": {"template": "suica"}}, "timeline": [{"after": "70s", "tap": "suica"}]}
            """
        try await PhoneField.with(empty, PhoneSettings(idle: .milliseconds(50))) { phone in
            let log = SessionLog()
            NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(log.log == ["active, ready: true", "ended 201"])
            #expect(record.duration >= PhoneSpec.defaultTimeLimit)
            #expect(record.duration < PhoneSpec.defaultTimeLimit + .seconds(1))
        }
    }

    @Test("finds a card that arrives later, without waiting")
    func later() async throws {
        let later = """
            {"format": 1, "cards": {"suica": {"template": "suica"}}, "timeline": [{"after": "20s", "tap": "suica"}]}
            """
        try await PhoneField.with(later) { phone in
            let log = SessionLog { session, _ in session.invalidate() }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(log.log == ["active, ready: true", "detected 1", "ended 200"])
            #expect(record.duration >= .seconds(20))
        }
    }

    @Test("is exclusive: a second session gets the error that the system is busy", arguments: [false, true])
    func busy(queued: Bool) async throws {
        let settings = PhoneSettings(policy: PhonePolicy(secondSession: queued ? .queue : .busy))
        try await PhoneField.with(PhoneField.suica, settings) { phone in
            let first = SessionLog()
            let second = SessionLog { session, _ in session.invalidate() }
            let open = NFCTagReaderSession(pollingOption: .iso18092, delegate: first)
            open?.begin()
            NFCTagReaderSession(pollingOption: .iso18092, delegate: second)?.begin()
            if queued { open?.invalidate() }
            if !queued {
                try #require(Self.waits { second.log == ["ended 203"] })
                open?.invalidate()
            }
            let ends = [try await PhoneField.end(of: phone), try await PhoneField.end(of: phone)]
            #expect(ends.map { $0.error?.code.rawValue } == (queued ? [200, 200] : [200, 203]))
            #expect(second.log.last == (queued ? "ended 200" : "ended 203"))
        }
    }

    @Test("can find tags again, after which earlier tags are no longer valid")
    func restart() async throws {
        try await PhoneField.with(PhoneField.suica) { phone in
            let before = Unshared<NFCTag>()
            let log = SessionLog()
            let again = SessionLog { session, tags in
                guard let old = before.value else {
                    before.value = tags[0]
                    session.restartPolling()
                    return
                }
                session.connect(to: old) { error in
                    log.add("old \((error as? NFCReaderError)?.errorCode ?? 0)")
                    session.connect(to: tags[0]) { error in
                        log.add("new \((error as? NFCReaderError)?.errorCode ?? 0), \(tags[0].isAvailable)")
                        session.invalidate()
                    }
                }
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: again)?.begin()
            _ = try await PhoneField.end(of: phone)
            #expect(log.log == ["old 100", "new 0, true"])
            #expect(before.value?.isAvailable == false)
        }
    }

    @Test("ends when the user cancels, leaves the app or switches the radio off")
    func user() async throws {
        let acts: [(@Sendable (VirtualPhone) -> Void, String)] = [
            ({ $0.cancel() }, "ended 200"), ({ $0.sendToBackground() }, "ended 202"),
            ({ $0.setRadio(on: false) }, "ended 6"),
        ]
        for (act, end) in acts {
            try await PhoneField.with(PhoneField.suica) { phone in
                let log = SessionLog { _, _ in act(phone) }
                NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
                _ = try await PhoneField.end(of: phone)
                #expect(log.log.last == end)
            }
        }
    }

    /// Returns whether a condition becomes true within a few seconds.
    static func waits(_ condition: () -> Bool) -> Bool {
        for _ in 0..<2000 where !condition() { Thread.sleep(forTimeInterval: 0.005) }
        return condition()
    }
}

/// A value for handlers on a single queue.
final class Unshared<Value>: @unchecked Sendable {
    var value: Value?
}
