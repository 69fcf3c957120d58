@preconcurrency import CoreNFC
import TapSystem
import TapPhone
import Testing

@Suite("A session with a configuration")
struct ConfigurationSuite {
    /// A phone whose app declares these codes.
    private static func settings(_ codes: [String], usage: String? = "Reads cards.") -> PhoneSettings {
        PhoneSettings(
            declarations: PhoneDeclarations(feliCaSystemCodes: codes, usageDescription: usage),
            idle: .milliseconds(50))
    }

    /// The system at which a session with chosen codes finds a Suica, and the session's record.
    private static func find(
        _ chosen: [String], _ settings: PhoneSettings
    ) async throws -> (system: String?, record: SessionRecord) {
        try await PhoneField.with(PhoneField.suica, settings) { phone in
            let system = Lock<String?>(nil)
            let log = SessionLog { session, tags in
                guard case .feliCa(let card) = tags[0] else { return }
                let code = card.currentSystemCode.map { String(format: "%02X", $0) }.joined()
                system.withLock { $0 = code }
                session.invalidate()
            }
            let configuration = NFCTagReaderSession.Configuration(
                pollingOption: .iso18092, feliCaSystemCodes: chosen)
            NFCTagReaderSession(configuration: configuration, delegate: log).begin()
            let record = try await PhoneField.end(of: phone)
            return (system.withLock { $0 }, record)
        }
    }

    @Test(
        "looks for its chosen codes among those of Info.plist, or for all of them",
        arguments: [
            (["0003"], [], "0003"), (["FE00", "0003"], [], "FE00"), (["0003", "FE00"], ["FE00"], "FE00"),
            (["0003"], ["FE00", "0003", "0003"], "0003"),
        ])
    func chosen(declared: [String], chosen: [String], code: String) async throws {
        let (system, record) = try await Self.find(chosen, Self.settings(declared))
        #expect(system == code)
        #expect(record.error?.code == .userCanceled)
        #expect(record.notes.contains { $0.contains("FE00, but Info.plist does not") } == (chosen.count == 3))
    }

    @Test("ends with error 2 if Info.plist lists none of its codes, or has no text for the user")
    func undeclared() async throws {
        for settings in [Self.settings(["0003"]), Self.settings(["0003", "FE00"], usage: nil)] {
            let (system, record) = try await Self.find(["FE00"], settings)
            #expect(system == nil)
            #expect(record.error?.code == .securityViolation)
        }
    }

    @Test("assumes its own codes without an Info.plist, and notes it")
    func assumed() async throws {
        let (system, record) = try await Self.find(["FE00"], PhoneSettings())
        #expect(system == "FE00")
        #expect(record.notes.contains { $0.contains("does your Info.plist list FE00?") })
    }

    @Test("ends if it restarts polling with a configuration that Info.plist does not allow")
    func restarted() async throws {
        try await PhoneField.with(PhoneField.suica, Self.settings(["0003"])) { phone in
            let log = SessionLog { session, _ in
                session.restartPolling(
                    configuration: .init(pollingOption: .iso18092, feliCaSystemCodes: ["FE00"]))
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(record.error?.code == .securityViolation)
            #expect(log.log == ["active, ready: true", "detected 1", "ended 2"])
        }
    }

    @Test("allows commands to poll for every code of Info.plist")
    func polling() async throws {
        try await PhoneField.with(PhoneField.suica, Self.settings(["0003", "FE00"])) { phone in
            let log = SessionLog { session, tags in
                Task {
                    guard case .feliCa(let card) = tags[0] else { return }
                    try await session.connect(to: tags[0])
                    _ = try await card.polling(
                        systemCode: Data([0x00, 0x03]), requestCode: .noRequest, timeSlot: .max1)
                    session.invalidate(errorMessage: "\(card.currentSystemCode[1])")
                }
            }
            let configuration = NFCTagReaderSession.Configuration(
                pollingOption: .iso18092, feliCaSystemCodes: ["FE00"])
            NFCTagReaderSession(configuration: configuration, delegate: log).begin()
            let record = try await PhoneField.end(of: phone)
            #expect(record.errorMessage == "3")
        }
    }
}
