@preconcurrency import CoreNFC
import TapTesting
import Testing

/// Cards with an app whose Info.plist the test does not name.
@Suite struct AssumedCodesTests {
    /// A client that shows the system at which the card was found.
    private static func systemCode() -> TagClient {
        TagClient(.iso18092) { session, tag in
            guard case .feliCa(let card) = tag else { return session.invalidate(errorMessage: "no card") }
            session.alertMessage = card.currentSystemCode.map { String(format: "%02X", $0) }.joined()
            session.invalidate()
        }
    }

    @Test(
        arguments: [
            (.nanaco(), "FE00"), (.waon(), "FE00"), (.edy(), "FE00"), ("edy-ampm", "FE00"), ("waon-local", "FE00"),
            (.suica(), "0003"), ("hayakaken", "0003"), ("iruca", "80DE"), ("okica", "8FC1"), ("ryuto", "8B5D"),
            ("felica-lite", "88B4"), ("luluca", "04A6"),
            (.feliCa(systems: ["FE00": ["services": ["1A8B": 1]], "0003": ["services": ["008B": 1]]]), "0003"),
        ] as [(VirtualCard, String)])
    func aCardIsFoundByTheSystemThatAppsDeclare(card: VirtualCard, code: String) async throws {
        try await withVirtualNFC(.card(card)) {
            let client = Self.systemCode()
            client.start()
            let end = try await VirtualNFC.sessionEnd()
            #expect(end.alerts == [code])
            #expect(end.notes.contains { $0.hasSuffix("was found at \(code); does your Info.plist list \(code)?") })
        }
    }

    /// Public readers request a WAON card's history in one command: NFCReader 6 blocks, TRETJapanNFCReader 9.
    @Test(arguments: [6, 9])
    func aWAONCardHasTheBlocksThatPublicReadersRequest(count: Int) async throws {
        try await withVirtualNFC(.card(.waon())) {
            let blocks = (0..<count).map { Data([0x80, UInt8($0)]) }
            let client = TagClient(.iso18092) { session, tag in
                guard case .feliCa(let card) = tag else { return session.invalidate(errorMessage: "no card") }
                card.readWithoutEncryption(serviceCodeList: [Data([0x0B, 0x68])], blockList: blocks) {
                    status1, status2, data, _ in
                    session.alertMessage = "\(status1) \(status2) \(data.count)"
                    session.invalidate()
                }
            }
            client.start()
            let end = try await VirtualNFC.sessionEnd()
            #expect(end.alerts == ["0 0 \(count)"])
        }
    }

    @Test(
        arguments: [
            (.suica(balance: 7), "suica:balance=7"), ("suica:balance=7", "suica:balance=7"), (.waon(), "waon"),
            (VirtualCard("suica:balance=7").with(["trips": 3]), "suica:balance=7,trips=3"),
            (.suica(balance: 7).with(["balance": 8]), "suica:balance=8"),
            (.feliCa(systems: ["0003": [:]]), "felica"), (.ndef(uri: "https://example.com"), "ndef"),
        ] as [(VirtualCard, String)])
    func aCardPrintsAsItsNameAndPlainValues(card: VirtualCard, text: String) {
        #expect("\(card)" == text)
    }
}
