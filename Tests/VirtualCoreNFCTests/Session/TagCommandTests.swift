@preconcurrency import CoreNFC
import TapSystem
import TapField
import TapPhone
import Testing

@Suite("Commands of detected tags")
struct TagCommandSuite {
    /// Runs `body` with the first tag found, and returns the record of the session.
    private func withTag(
        _ scenario: String, _ body: @escaping @Sendable (NFCTag) async throws -> Void
    ) async throws -> SessionRecord {
        try await PhoneField.with(scenario) { phone in
            let failure = Lock<(any Error)?>(nil)
            let log = SessionLog { session, tags in
                Task {
                    do {
                        try await session.connect(to: tags[0])
                        try await body(tags[0])
                    } catch {
                        failure.withLock { $0 = error }
                    }
                    session.invalidate()
                }
            }
            NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            if let error = failure.withLock({ $0 }) { throw error }
            return record
        }
    }

    @Test("read a Suica: its services, its history and its rejections")
    func suica() async throws {
        let record = try await withTag(PhoneField.suica) { tag in
            guard case .feliCa(let card) = tag else { throw Mismatch() }
            #expect(card.currentSystemCode == Data([0x00, 0x03]))
            #expect(card.currentIDm.count == 8)
            let keys = try await card.requestService(nodeCodeList: [Data([0x0F, 0x09]), Data([0x0F, 0x77])])
            #expect(keys[0] != Data([0xFF, 0xFF]))
            #expect(keys[1] == Data([0xFF, 0xFF]))
            let list = (0..<10).map { Data([0x80, UInt8($0)]) }
            let (first, second, blocks) = try await card.readWithoutEncryption(
                serviceCodeList: [Data([0x0F, 0x09])], blockList: list)
            #expect((first, second, blocks.count) == (0, 0, 10))
            #expect(Array(blocks[0][10...11]) == [0x30, 0x0C])
            let many = (0..<13).map { Data([0x80, UInt8($0)]) }
            let refused = try await card.readWithoutEncryption(serviceCodeList: [Data([0x0F, 0x09])], blockList: many)
            #expect((refused.0, refused.1) == (0xFF, 0xA2))
            #expect(refused.2.isEmpty)
        }
        #expect(record.commands == ["felica.request_service", "felica.read", "felica.read"])
    }

    @Test("appear in the trace with the exchanges they caused and with their errors")
    func trace() async throws {
        let calls = try await PhoneField.with(PhoneField.suica) { phone in
            let log = SessionLog { session, tags in
                Task {
                    try? await session.connect(to: tags[0])
                    if case .feliCa(let card) = tags[0] {
                        _ = try? await card.requestService(nodeCodeList: [])
                        _ = try? await card.requestResponse()
                    }
                    session.invalidate()
                }
            }
            NFCTagReaderSession(pollingOption: [.iso18092], delegate: log)?.begin()
            _ = try await PhoneField.end(of: phone)
            return phone.host.snapshot.trace.events.compactMap { event -> HostCall? in
                if case .call(let call) = event.kind { call } else { nil }
            }
        }
        let commands = calls.filter { $0.layer == .phone(.command) }
        #expect(commands.map(\.exchangeCount) == [0, 1])
        #expect(commands.last?.outcome == .returned("ok"))
        #expect(commands.first != commands.last && commands.first?.outcome != .returned("ok"))
        #expect(calls.first?.layer == .phone(.activated))
        #expect(calls.contains { $0.layer == .phone(.connected) && $0.outcome == .returned("ok") })
        #expect(calls.last?.layer == .phone(.ended))
    }

    @Test("poll another system of a card, but never one with FF")
    func polling() async throws {
        _ = try await withTag(PhoneField.suica) { tag in
            guard case .feliCa(let card) = tag else { throw Mismatch() }
            let systems = try await card.requestSystemCode()
            #expect(systems.contains(Data([0x00, 0x03])))
            await #expect(throws: NFCReaderError.self) {
                _ = try await card.polling(systemCode: Data([0xFF, 0xFF]), requestCode: .noRequest, timeSlot: .max1)
            }
            #expect(card.currentSystemCode == Data([0x00, 0x03]))
            let (pmm, data) = try await card.polling(
                systemCode: Data([0x00, 0x03]), requestCode: .systemCode, timeSlot: .max1)
            #expect((pmm.count, data) == (8, Data([0x00, 0x03])))
        }
    }

    @Test("read a tag with a password page by page, while its message stays protected")
    func password() async throws {
        let tag = """
            {"format": 1, "cards": {"tag": {"ic": "NTAG215", "uid": "04 A1 B2 C3 D4 E5 80",
              "ndef": [{"uri": "https://example.com/t/42"}],
              "config": {"pwd": "DE AD BE EF", "pack": "C0 DE", "auth0": 4, "prot": "read_write"}}}}
            """
        let record = try await withTag(tag) { tag in
            guard case .miFare(let tag) = tag else { throw Mismatch() }
            #expect(tag.mifareFamily == .ultralight)
            #expect(tag.identifier == Data([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]))
            #expect(tag.historicalBytes == nil)
            let pack = try await tag.sendMiFareCommand(commandPacket: Data([0x1B, 0xDE, 0xAD, 0xBE, 0xEF]))
            #expect(pack == Data([0xC0, 0xDE]))
            let pages = try await tag.sendMiFareCommand(commandPacket: Data([0x30, 0x04]))
            #expect(pages.prefix(2) == Data([0x03, 0x15]) || pages.first == 0x03)
            let ack = try await tag.sendMiFareCommand(commandPacket: Data([0xA2, 0x20, 1, 2, 3, 4]))
            #expect(ack == Data([0x0A]))
            await #expect(throws: NFCReaderError.self) { _ = try await tag.readNDEF() }
        }
        #expect(record.commands.first == "ntag.pwd_auth")
    }

    @Test("report that the tag is gone when it leaves during a command")
    func lost() async throws {
        let leaving = """
            {"format": 1, "cards": {"suica": {"template": "suica"}},
             "timeline": [{"tap": "suica"}, {"when": "felica.request_response", "remove": "suica"}]}
            """
        _ = try await withTag(leaving) { tag in
            guard case .feliCa(let card) = tag else { throw Mismatch() }
            #expect(try await card.requestResponse() == 0)
            do {
                _ = try await card.requestResponse()
                Issue.record("the card is gone")
            } catch let error as NFCReaderError {
                #expect(error.code == .readerTransceiveErrorTagConnectionLost)
                #expect(!card.isAvailable)
            }
        }
    }

    private struct Mismatch: Error {}
}
