import CoreNFC
import Testing

@testable import TapTesting

/// The shipped scenarios for apps, run with apps.
@Suite struct ShippedPhoneScenarioTests {
    private static let interruptions = "Scenarios/phone/interruptions.yaml"

    @Test(arguments: 1...8)
    func anAppHandlesEveryInterruption(number: Int) async throws {
        let (told, _) = try await findings([.scenario(Self.interruptions, case: "\(number)"), .idle(.milliseconds(20))])
        {
            let reader = BalanceReader()
            reader.start()
            let end = try await VirtualNFC.sessionEnd()
            #expect(end.errorCode > 0)
            #expect(reader.balance == nil)
        }
        #expect(told.isEmpty, "\(told)")
    }

    @Test(arguments: 1...3)
    func anAppAndAClientShareAFile(number: Int) async throws {
        let traits: [PhoneTrait] = [
            .scenario("Scenarios/uses/app.yaml", case: "\(number)"), .idle(.milliseconds(20)),
        ]
        let (told, _) = try await findings(traits) {
            let reader = BalanceReader()
            reader.start()
            _ = try await VirtualNFC.sessionEnd()
            #expect((reader.balance == 3120) == (number == 1))
        }
        #expect(told.isEmpty, "\(told)")
    }

    @Test func anUnmetExpectationIsReportedAtTheLineOfTheFile() async throws {
        let (told, _) = try await findings([.scenario("Scenarios/uses/app.yaml", case: "1"), .timeline([])]) {
            let reader = BalanceReader()
            let session = NFCTagReaderSession(pollingOption: .iso18092, delegate: reader)
            session?.begin()
            session?.invalidate(errorMessage: "Not today")
            _ = try await VirtualNFC.sessionEnd()
            #expect(reader.balance == nil)
        }
        #expect(told.count == 3, "\(told)")
        #expect(
            told.allSatisfy { $0.location.fileID.hasSuffix("app.yaml") || $0.location.filePath.hasSuffix("app.yaml") })
        #expect(told.contains { $0.text.contains("expected \"3120 yen\" on the sheet, got no text") }, "\(told)")
        #expect(told.contains { $0.text.contains("expected no error, got the error message \"Not today\"") })
        #expect(told.contains { $0.text.contains("expected suica, got none") })
    }

    @Test func aTagWithAPasswordIsReadAfterStackError() async throws {
        let (told, _) = try await findings([.scenario("Scenarios/phone/password-tag.yaml")]) {
            let reader = PasswordTagReader()
            reader.start()
            let end = try await VirtualNFC.sessionEnd()
            #expect(end.errorMessage == nil)
            #expect(await reader.steps == ["Stack Error 104", "C0DE", "16 bytes"])
        }
        #expect(told.isEmpty, "\(told)")
    }
}

/// A client that requests NDEF first and falls back to its own commands.
private final class PasswordTagReader: NSObject, NFCTagReaderSessionDelegate {
    private(set) var found: [String] = []
    private var session: NFCTagReaderSession?

    func start() {
        session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        session?.begin()
    }

    /// The events, once the session has ended.
    var steps: [String] {
        get async {
            await withCheckedContinuation { continuation in
                session?.sessionQueue.async { continuation.resume(returning: self.found) }
            }
        }
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard case .miFare(let tag)? = tags.first else { return session.invalidate(errorMessage: "No tag") }
        session.connect(to: tags[0]) { error in
            guard error == nil else { return session.invalidate(errorMessage: "Not connected") }
            tag.queryNDEFStatus { _, _, error in
                let code = (error as? NFCReaderError)?.errorCode ?? 0
                self.found.append("\(error?.localizedDescription ?? "") \(code)")
                self.authenticate(tag, session)
            }
        }
    }

    private func authenticate(_ tag: any NFCMiFareTag, _ session: NFCTagReaderSession) {
        tag.sendMiFareCommand(commandPacket: Data([0x1B, 0xDE, 0xAD, 0xBE, 0xEF])) { pack, error in
            guard error == nil else { return session.invalidate(errorMessage: "Wrong password") }
            self.found.append(pack.map { String(format: "%02X", $0) }.joined())
            tag.sendMiFareCommand(commandPacket: Data([0x30, 0x04])) { pages, error in
                guard error == nil else { return session.invalidate(errorMessage: "Not readable") }
                self.found.append("\(pages.count) bytes")
                session.invalidate()
            }
        }
    }
}
