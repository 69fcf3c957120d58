import TapJudge
@preconcurrency import CoreNFC
import TapSystem
import TapPhone
import Testing

@Suite("Phone faults")
struct PhoneFaultSuite {
    /// A scenario with a fault.
    private static func scenario(_ fault: String, when: String) -> String {
        """
        {"format": 1, "cards": {"suica": {"template": "suica"}, "tag": {"ic": "NTAG215", "ndef": [{"uri": "tap:1"}]}},
         "timeline": [{"tap": "suica"}],
         "faults": [{"when": \(when), "do": \(fault)}]}
        """
    }

    /// The log of an app that connects and asks for the mode twice.
    ///
    /// - Parameter count: The number of handler calls.
    private func lines(_ text: String, count: Int) async throws -> (lines: [String], report: PhoneReport) {
        let scenarioCase = try PhoneField.scenarioCase(text)
        let phone = try VirtualPhone(scenarioCase, PhoneSettings(scenarioCase))
        defer { phone.close() }
        return try await VirtualPhone.$current.withValue(phone) {
            let log = SessionLog()
            let app = SessionLog { session, tags in
                guard case .feliCa(let card) = tags[0] else { return }
                session.connect(to: tags[0]) { error in
                    log.add("connect \(Self.number(error))")
                    card.requestResponse { _, error in
                        log.add("call \(Self.number(error))")
                        card.requestResponse { _, error in
                            log.add("call \(Self.number(error))")
                            session.invalidate()
                        }
                    }
                }
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: app)?.begin()
            let record = try await PhoneField.end(of: phone)
            // The pending calls end after the session.
            for _ in 0..<2000 where log.log.count < count { try await Task.sleep(for: .milliseconds(5)) }
            return (log.log + [app.log.last ?? ""], PhoneReport([record.report]))
        }
    }

    private static func number(_ error: Error?) -> Int { (error as? NFCReaderError)?.errorCode ?? 0 }

    @Test(
        "end sessions, prevent them from beginning, or make calls fail",
        arguments: [
            (#""phone.radio_off""#, #"{"phone": "began"}"#, ["ended 6"]),
            (#""phone.system_busy""#, #"{"phone": "began"}"#, ["ended 203"]),
            (#""phone.missing_entitlement""#, #"{"phone": "began"}"#, ["ended 2"]),
            (#""phone.unsupported""#, #"{"phone": "available"}"#, ["ended 1"]),
            (#""phone.user_cancel""#, #"{"phone": "activated"}"#, ["ended 200"]),
            (#""phone.background""#, #"{"phone": "detected"}"#, ["ended 202"]),
            (
                #""phone.time_limit""#, #"{"phone": "call", "nth": 2}"#,
                ["connect 0", "call 0", "call 103", "ended 201"]
            ),
            (
                #""phone.connection_lost""#, #"{"phone": "connected"}"#,
                ["connect 100", "call 104", "call 104", "ended 200"]
            ),
            (
                #""phone.stack_error""#, #"{"phone": "command"}"#,
                ["connect 0", "call 102", "call 0", "ended 200"]
            ),
            (
                #""phone.connection_lost""#, #"{"command": "felica.request_response", "nth": 2}"#,
                ["connect 0", "call 0", "call 100", "ended 200"]
            ),
        ])
    func table(fault: String, when: String, lines: [String]) async throws {
        let (found, report) = try await self.lines(Self.scenario(fault, when: when), count: lines.count - 1)
        #expect(found == lines)
        #expect(report.sessions.count == 1)
    }

    @Test("report that reading is not available if the phone has no NFC")
    func available() async throws {
        try await PhoneField.with(Self.scenario(#""phone.unsupported""#, when: #"{"phone": "available"}"#)) { _ in
            #expect(!NFCNDEFReaderSession.readingAvailable)
        }
        try await PhoneField.with(PhoneField.suica) { _ in
            #expect(NFCTagReaderSession.readingAvailable)
        }
    }

    @Test("a phone has the declarations and session limit of its scenario")
    func settings() throws {
        let text = """
            {"format": 1, "cards": {"suica": {"template": "suica"}},
             "phone": {"system_codes": ["0003"], "usage": "reads", "nak": "byte", "second_session": "queue",
                       "time_limit": "30s"}}
            """
        let settings = PhoneSettings(try PhoneField.scenarioCase(text))
        #expect(settings.declarations.feliCaSystemCodes == ["0003"])
        #expect(settings.policy.nak == .byte)
        #expect(settings.policy.secondSession == .queue)
        #expect(settings.sessionLimit == .seconds(30))
    }
}
