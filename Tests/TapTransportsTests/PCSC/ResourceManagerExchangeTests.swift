import TapReaders
import TapWire
import Testing

@testable import TapTransports

/// Source for all return codes: winscard.c, winscard_svc.c and ifdwrapper.c of pcsc-lite 1.9.9.
@Suite struct `Exchanges through the resource manager` {
    @Test func `transfer command and answer`() {
        var run = ManagerRun()
        run.players[0]?.answer = .answer([1, 2, 0x90, 0x00])
        let card = run.connect().card
        let message = TransmitMessage(card: card, sendLength: 3, receiveLength: 4)
        let bytes = run.bytes(.transmit(message, [0xFF, 0xCA, 0]), 0)
        let answer = TransmitMessage(parsing: bytes[...])
        #expect(run.takeLog() == ["transmit FFCA00"])
        #expect(answer.result == .success)
        #expect(answer.receiveLength == 4)
        #expect(answer.receiveProtocol == message.receiveProtocol)
        #expect(bytes[32...] == [1, 2, 0x90, 0x00])
    }

    @Test(
        arguments: [
            (.t1, .success), (.t0, .protocolMismatch), (.raw, .success), (.anyAsOfOld, .success),
            ([], .protocolMismatch),
            ([.t0, .t1], .protocolMismatch),
        ] as [(PCSCProtocols, PCSCReturnCode)])
    func `need the protocol of the connection`(sendProtocol: PCSCProtocols, code: PCSCReturnCode) {
        var run = ManagerRun()
        let card = run.connect().card
        #expect(run.transmit(card, 0, sendProtocol).result == code)
    }

    @Test(arguments: [(0, false), (1, false), (3, false), (4, true), (65_548, true)])
    func `need room for the answer and report its size`(room: Int, fits: Bool) {
        var run = ManagerRun()
        run.players[0]?.answer = .answer([1, 2, 0x90, 0x00])
        let card = run.connect().card
        let message = TransmitMessage(card: card, sendLength: 0, receiveLength: UInt32(room))
        let bytes = run.bytes(.transmit(message, []), 0)
        #expect(bytes.count == (fits ? 36 : 32))
        #expect(TransmitMessage(parsing: bytes[...]).result == (fits ? .success : .insufficientBuffer))
        #expect(TransmitMessage(parsing: bytes[...]).receiveLength == 4)
        let control = run.control(card, 0, room: room)
        #expect(control.result == (fits ? .success : .insufficientBuffer))
        #expect(control.returnedLength == 4)
    }

    @Test(
        arguments: [
            (.failed, .notTransacted, .notTransacted), (.unsupported, .notTransacted, .unsupportedFeature),
            (.noCard, .noSmartCard, .notTransacted), (.answer([]), .success, .success),
        ] as [(ReaderAnswer, PCSCReturnCode, PCSCReturnCode)])
    func `report their outcome`(answer: ReaderAnswer, transmitCode: PCSCReturnCode, controlCode: PCSCReturnCode) {
        var run = ManagerRun()
        run.players[0]?.answer = answer
        let card = run.connect().card
        #expect(run.transmit(card).result == transmitCode)
        #expect(run.transmit(card).receiveLength == 0)
        #expect(run.control(card).result == controlCode)
    }

    @Test func `with the reader do not need a card`() {
        var run = ManagerRun(card: false)
        let card = run.connect(0, .direct, []).card
        #expect(run.control(card).result == .success)
        #expect(run.takeLog() == ["control 1 FF"])
    }

    @Test func `report attributes of card, reader and service`() {
        var run = ManagerRun()
        let card = run.connect().card
        let atr = run.attribute(card, .atr)
        #expect(atr.result == .success)
        #expect(Array(atr.value.prefix(Int(atr.length))) == StorageCardATR.ntag)
        #expect(run.attribute(card, .cardPresence).value.first == 2)
        #expect(run.attribute(card, .cardInterfaceStatus).value.first == 1)
        for attribute in [PCSCAttribute.friendlyName, .systemName] {
            let name = run.attribute(card, attribute)
            #expect(Array(name.value.prefix(Int(name.length))) == Array("Reader 00 00".utf8) + [0])
        }
        let channel = run.attribute(card, .channelID)
        #expect(Array(channel.value.prefix(Int(channel.length))) == [1, 1, 0x20, 0])
        #expect(run.attribute(card, PCSCAttribute(1)).result == .unsupportedFeature)
        run.players[0]?.attribute = Array("ACME".utf8)
        let vendor = run.attribute(card, PCSCAttribute(1))
        #expect(vendor.result == .success)
        #expect(vendor.length == 4)
    }

    @Test func `report an attribute only if it fits`() {
        var run = ManagerRun()
        let card = run.connect().card
        let message = AttributeMessage(card: card, attribute: .atr, length: 19)
        let answer = AttributeMessage(parsing: run.bytes(.getAttribute(message), 0)[...])
        #expect(answer.result == .insufficientBuffer)
        #expect(answer.length == 20)
    }

    @Test func `do not set attributes`() {
        var run = ManagerRun()
        let card = run.connect().card
        let message = AttributeMessage(card: card, attribute: .atr, value: [1], length: 1)
        let answer = AttributeMessage(parsing: run.bytes(.setAttribute(message), 0)[...])
        #expect(answer.result == .notTransacted)
    }
}

@Suite struct `Waiting for changes` {
    private let told = CountMessage(result: .success).bytes

    @Test func `is answered with the states, except with version 4.6`() {
        var run = ManagerRun()
        for (minor, count) in [(Int32(4), 2_944), (5, 2_944), (6, 0)] {
            _ = run.ask(.version(ProtocolVersion(minor: minor)))
            #expect(run.ask(.waitForChange) == .answer([]))
            #expect(run.takeNotices()[0]?.count ?? 0 == count)
            #expect(run.ask(.stopWaiting) == .answer([]))
            #expect(run.takeNotices() == [0: told])
        }
    }

    @Test(arguments: [PCSCReturnCode.success, .cancelled])
    func `with version 4.6 reports earlier changes after the states`(code: PCSCReturnCode) {
        var run = ManagerRun()
        _ = run.ask(.version(ProtocolVersion(minor: 6)))
        _ = run.ask(.waitForChange)
        if code == .success { run.remove() } else { _ = run.cancel(run.contexts[0] ?? 0, 1) }
        #expect(run.takeNotices() == [:])
        #expect(run.bytes(.readerCount, 0) == [16, 0, 0, 0])
        let states = run.bytes(.readerStates, 0)
        #expect(run.ask(.readerArray) == .answer([]))
        #expect(run.takeNotices() == [0: states + CountMessage(result: code).bytes])
        #expect(run.ask(.readerArray) == .answer(states))
        #expect(run.ask(.stopWaiting) == .answer([]))
        #expect(run.takeNotices() == [:])
    }

    @Test func `with version 4.6 eventually reports changes even if nobody requests the states`() {
        var run = ManagerRun()
        _ = run.ask(.version(ProtocolVersion(minor: 6)))
        _ = run.ask(.waitForChange)
        run.remove()
        run.manager.advance(0, .goOn)
        #expect(run.takeNotices() == [0: told])
        _ = run.ask(.waitForChange)
        run.manager.advance(0, .goOn)
        run.insert()
        #expect(run.takeNotices() == [0: told])
        _ = run.ask(.waitForChange)
        run.remove()
        #expect(run.ask(.stopWaiting) == .answer([]))
        #expect(run.takeNotices() == [0: told])
    }

    @Test func `ends with a single notice of a change`() {
        var run = ManagerRun()
        _ = run.ask(.waitForChange)
        _ = run.ask(.waitForChange, from: 1)
        _ = run.takeNotices()
        run.remove()
        #expect(run.takeNotices() == [0: told, 1: told])
        run.insert()
        #expect(run.takeNotices() == [:])
        #expect(run.ask(.stopWaiting) == .answer([]))
        #expect(run.takeNotices() == [:])
    }

    @Test(arguments: 0..<6)
    func `ends on any change`(kind: Int) {
        var run = ManagerRun()
        let card = run.connect(0).card
        _ = run.ask(.waitForChange, from: 1)
        _ = run.takeNotices()
        switch kind {
        case 0: run.connect(2)
        case 1: run.disconnect(card)
        case 2: run.swap()
        case 3: run.manager.unplug(0)
        case 4:
            _ = run.plug(1, "Reader")
            run.manager.follow(1, ReaderSlot.State())
        default: _ = run.reconnect(card, 0, .exclusive)
        }
        #expect(run.takeNotices() == [1: told])
    }

    @Test func `is cancelled through another connection`() {
        var run = ManagerRun()
        let context = run.contexts[0] ?? 0
        #expect(run.cancel(context, 1) == .invalidHandle)
        _ = run.ask(.waitForChange)
        _ = run.takeNotices()
        #expect(run.cancel(context, 1) == .success)
        #expect(run.takeNotices() == [0: CountMessage(result: .cancelled).bytes])
        #expect(run.cancel(context, 1) == .invalidHandle)
        #expect(run.cancel(0, 1) == .invalidHandle)
        #expect(run.cancel(1, 1) == .invalidHandle)
        run.remove()
        #expect(run.takeNotices() == [:])
    }

    @Test func `ends with its client`() {
        var run = ManagerRun()
        _ = run.ask(.waitForChange)
        run.leave(0)
        _ = run.takeNotices()
        run.remove()
        #expect(run.takeNotices() == [:])
    }

    @Test func `counts readers that come and go`() {
        var run = ManagerRun(readers: 2)
        func events() -> UInt32 { CountMessage(parsing: run.bytes(.readerEvents, 0)[...]).count }
        #expect(events() == 3)
        run.manager.unplug(1)
        #expect(events() == 4)
        run.manager.readerEvents = .max
        run.manager.unplug(0)
        #expect(events() == 1)
    }

    @Test func `with version 4.6 first requests the number of slots`() {
        var run = ManagerRun()
        #expect(run.bytes(.readerCount, 0) == [16, 0, 0, 0])
        #expect(run.bytes(.readerArray, 0) == run.bytes(.readerStates, 0))
    }
}
