@testable import TapTransports
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `The vpcd protocol` {
    private static let atr = hex("3B8F8001804F0CA000000306030003000000 0068")

    private func content(visit: Int = 1, atr: [UInt8] = atr) -> SlotContent {
        .card(SlotCard(card: 0, visit: visit, atr: atr))
    }

    /// Feeds bytes and returns the requested actions, while the slot contains `present` and answers every command with 9000.
    private func actions(
        _ core: inout VpcdCore, _ bytes: String, present: SlotContent? = nil,
        answer: ReaderAnswer = .answer([0x90, 0x00])
    ) -> [VpcdAction] {
        core.receive(hex(bytes)[...])
        var actions: [VpcdAction] = []
        while let action = core.next() {
            switch action {
            case .look: core.finish(present ?? content())
            case .transmit:
                actions.append(action)
                core.finish(answer, content())
            default: actions.append(action)
            }
        }
        return actions
    }

    private func newCore() throws -> VpcdCore { try #require(VpcdCore(content())) }

    private static let atrMessage = VpcdAction.send([0x00, 0x14] + atr)

    /// The order of messages from pcscd 1.9.9 with vpcd 3.3 when a card arrives, is used and is released.
    @Test func `inserts, powers, serves and unpowers a card`() throws {
        var core = try newCore()
        #expect(actions(&core, "0001 04") == [Self.atrMessage])
        #expect(actions(&core, "0001 04  0001 01  0001 04") == [Self.atrMessage, .reset, Self.atrMessage])
        #expect(actions(&core, "0005 FFCA000000") == [.transmit(hex("FFCA000000")), .send(hex("0002 9000"))])
        #expect(actions(&core, "0001 02 0001 04") == [.reset, Self.atrMessage])
        #expect(actions(&core, "0001 04 0001 00") == [Self.atrMessage, .powerDown])
    }

    @Test func `accepts messages byte by byte`() throws {
        var core = try newCore()
        var seen: [VpcdAction] = []
        for byte in hex("0001 04 0001 01 0004 FFCA0000") {
            core.receive([byte])
            while let action = core.next() {
                seen.append(action)
                if action == .look { core.finish(content()) }
                if case .transmit = action { core.finish(.answer([0x6D, 0x00]), content()) }
            }
        }
        #expect(
            seen == [
                .look, Self.atrMessage, .reset, .transmit(hex("FFCA0000")), .send(hex("0002 6D00")),
            ])
    }

    @Test(arguments: [
        SlotContent.empty, .card(SlotCard(card: 0, visit: 2, atr: [0x3B])),
        .card(SlotCard(card: 1, visit: 1, atr: [0x3B])),
    ])
    func `does not answer a request for the ATR when the card has gone or was replaced`(
        present: SlotContent
    ) throws {
        var core = try newCore()
        _ = actions(&core, "0001 04 0001 01")
        #expect(actions(&core, "0001 04", present: present) == [.hangUp])
    }

    @Test func `disconnects on a command to a card that was replaced`() throws {
        var core = try newCore()
        _ = actions(&core, "0001 04 0001 01")
        core.receive(hex("0005 FFCA000000")[...])
        #expect(core.next() == .transmit(hex("FFCA000000")))
        core.finish(.noCard, content(visit: 2))
        #expect(core.next() == .breakOff)
    }

    private static let failures: [ReaderAnswer] = [
        .failed, .noCard, .unsupported, .answer([]), .answer([UInt8](repeating: 0, count: 0x10000)),
    ]

    @Test func `a failed exchange gives status word 6F00 while the card is present`() throws {
        for answer in Self.failures {
            var core = try newCore()
            #expect(actions(&core, "0005 FFCA000000", answer: answer).last == .send(hex("0002 6F00")))
        }
    }

    @Test func `an exchange during which the card leaves disconnects`() throws {
        for answer in Self.failures {
            var core = try newCore()
            core.receive(hex("0005 FFCA000000")[...])
            #expect(core.next() == .transmit(hex("FFCA000000")))
            core.finish(answer, .empty)
            #expect(core.next() == .breakOff)
        }
    }

    @Test func `keeps the ATR it started with`() throws {
        var core = try newCore()
        #expect(actions(&core, "0001 04", present: content(atr: [0x3B, 0x00])) == [Self.atrMessage])
    }

    @Test func `rejects a card whose ATR a driver cannot carry`() {
        #expect(VpcdCore(.empty) == nil)
        #expect(VpcdCore(content(atr: [])) == nil)
        #expect(VpcdCore(content(atr: Array(repeating: 0x3B, count: 34))) == nil)
        #expect(VpcdCore(content(atr: Array(repeating: 0x3B, count: 33))) != nil)
    }

    @Test func `reconnects if pcscd mistakes the card for the previous one`() throws {
        var core = try newCore()
        for _ in 0..<VpcdCore.requestsBeforePower { #expect(actions(&core, "0001 04") == [Self.atrMessage]) }
        #expect(actions(&core, "0001 04") == [.hangUp])
    }

    @Test func `a single byte that is not a control code is a command`() throws {
        var core = try newCore()
        #expect(actions(&core, "0001 03") == [.transmit([0x03]), .send(hex("0002 9000"))])
    }

    @Test func `accepts the longest command, and skips empty messages`() throws {
        var core = try newCore()
        let longest = [UInt8](repeating: 0xA5, count: 0xFFFF)
        core.receive(([0, 0, 0xFF, 0xFF] + longest)[...])
        #expect(core.next() == .transmit(longest))
    }

    @Test func `any bytes, in any pieces, end in actions and never in a trap`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(300) {
            var core = try newCore()
            for part in random.list(upTo: 20, { $0.bytes($0.number(below: 12)) }) {
                core.receive(part[...])
                while let action = core.next() {
                    if action == .look { core.finish(random.oneIn(4) ? .empty : content()) }
                    if case .transmit = action { core.finish(.answer(random.bytes(3)), .empty) }
                }
            }
        }
    }
}

private func hex(_ text: String) -> [UInt8] {
    guard let bytes = try? Hex.bytes(text) else { fatalError("`\(text)` is not hexadecimal") }
    return bytes
}
