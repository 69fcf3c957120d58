@preconcurrency import CoreNFC
import TapDocument
import TapSystem
import TapField
import TapPhone
import TapScenario
import TapWire
import Testing

@testable import TapTracing

/// Compares traces that an app records itself with the actual frames.
@Suite("A traced tag")
struct TracedTagSuite {
    private struct Mismatch: Error {}

    /// The app's trace of a tag, and all frames of the phone.
    private func traces(
        _ scenario: String, _ body: @escaping @Sendable (NFCTag) async throws -> Void
    ) async throws -> (own: [String], phone: [String], text: String) {
        let trace = TagTrace()
        return try await PhoneField.with(scenario) { phone in
            let failure = Lock<(any Error)?>(nil)
            let log = SessionLog { session, tags in
                Task {
                    do {
                        try await session.connect(to: tags[0])
                        try await body(tags[0].traced(into: trace))
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    session.invalidate()
                }
            }
            NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: log)?.begin()
            _ = try await PhoneField.end(of: phone)
            if let error = failure.withLock({ $0 }) { throw error }
            let own = trace.world.withLock { Self.lines($0.trace) }
            return (own, Self.lines(phone.host.snapshot.trace), trace.text)
        }
    }

    private static func lines(_ trace: Trace) -> [String] {
        trace.exchanges.map { exchange in
            let answer = exchange.answers.first.map { "\(Hex.text($0.frame.bytes)) of \($0.frame.bitCount) bits" }
            return "\(Hex.text(exchange.command.bytes)) \(answer ?? "silence")"
        }
    }

    @Test("has the frames of a FeliCa card, of which Core NFC shows only values")
    func felica() async throws {
        let (own, phone, text) = try await traces(PhoneField.suica) { tag in
            guard case .feliCa(let card) = tag else { throw Mismatch() }
            let history = Data([0x0F, 0x09])
            _ = try await card.polling(systemCode: Data([0x00, 0x03]), requestCode: .systemCode, timeSlot: .max1)
            _ = try await card.requestService(nodeCodeList: [history, Data([0x0F, 0x77])])
            _ = try await card.requestResponse()
            _ = try await card.requestSystemCode()
            _ = try await card.readWithoutEncryption(
                serviceCodeList: [history], blockList: (0..<3).map { Data([0x80, UInt8($0)]) })
            _ = try await card.readWithoutEncryption(
                serviceCodeList: [history], blockList: (0..<13).map { Data([0x80, UInt8($0)]) })
            _ = try await card.writeWithoutEncryption(
                serviceCodeList: [history], blockList: [Data([0x80, 0])], blockData: [Data(count: 16)])
            _ = try await card.sendFeliCaCommand(commandPacket: Data([0x0C]) + card.currentIDm)
            _ = try? await card.resetMode()
            _ = try? await card.requestSpecificationVersion()
            _ = try? await card.requestServiceV2(nodeCodeList: [history])
        }
        #expect(own.count == 11)
        // The phone polled before the app did; both see silence for unsupported commands.
        #expect(Array(phone.suffix(own.count)) == own)
        #expect(text.contains("\"felica\"") || text.contains("Read"), "\(text)")
    }

    @Test("has the frames of an NTAG, with an acknowledgement of four bits")
    func ntag() async throws {
        let scenario = """
            {"format": 1, "cards": {"tag": {"ic": "NTAG215", "ndef": [{"uri": "https://example.com/t/42"}]}}}
            """
        let (own, phone, text) = try await traces(scenario) { tag in
            guard case .miFare(let tag) = tag else { throw Mismatch() }
            _ = try await tag.sendMiFareCommand(commandPacket: Data([0x60]))
            _ = try await tag.sendMiFareCommand(commandPacket: Data([0x30, 0x04]))
            _ = try await tag.sendMiFareCommand(commandPacket: Data([0xA2, 0x10, 1, 2, 3, 4]))
        }
        #expect(own.count == 3 && own[2].hasSuffix("0A of 4 bits"), "\(own)")
        #expect(Array(phone.suffix(own.count)) == own)
        #expect(text.contains("the reader selected the card with UID"))
    }

    @Test("has the data sent over a link")
    func link() async throws {
        let scenario = """
            {"format": 1, "cards": {"tag": {"ic": "NTAG215", "ndef": [{"uri": "https://example.com/t/42"}]}}}
            """
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "tag.json", text: scenario)
        let loaded = try #require(ScenarioLoader(reader: JSONReader()).load(file, into: &diagnostics))
        let trace = TagTrace()
        var bare = VirtualLink(loaded.cases[0].makeWorld())
        var traced = TracedLink(bare, into: trace)
        let heard = try await talk(over: &bare)
        let heardTraced = try await talk(over: &traced)
        #expect(heard == heardTraced)
        let frames = Self.lines(bare.world.trace)
        #expect(frames.suffix(2).last?.hasSuffix("silence") == true)
        #expect(trace.world.withLock { Self.lines($0.trace) } == frames.suffix(2))
        #expect(trace.text.contains("the reader selected the card with UID"))
    }

    /// Reads a page and sends a command that no tag answers.
    private func talk(over link: inout some TagLink) async throws -> [[UInt8]?] {
        let timeout = Duration.milliseconds(10)
        let tag = try await link.activate(.typeA(), timeout: timeout)
        let page = try await link.transceive(RFFrame(.typeA106, [0x30, 0x04]), timeout: timeout)
        let nothing = try await link.transceive(RFFrame(.typeA106, [0x50, 0x00]), timeout: timeout)
        return [tag == nil ? nil : [], page?.bytes, nothing?.bytes]
    }
}
