import FuzzSupport
import TapField

@testable import TapTransports

@testable import TapSystem
@testable import TapWire

/// Lines of hexadecimal text, as accepted by `tapsim exchange`.
struct LineSession: TransportSession {
    private var lines = LineBuffer(maximumLength: LineExchange.maximumLineLength)
    private var exchange: LineExchange

    init(_ world: World, hasCRC: Bool, isFeliCa: Bool) {
        exchange = LineExchange(world, technology: isFeliCa ? .felica212 : .typeA106, hasCRC: hasCRC)
    }

    static func message(_ choices: inout Choices) -> [UInt8] {
        switch choices.number(below: 8) {
        case 0: Array("@select\r\n".utf8)
        case 1: Array("\(choices.pick(["@off", "@on", "@cycle", " # ", ""]))\n".utf8)
        case 2: Array("\(Hex.text(choices.cardFrame())):\(choices.number(below: 20))\n".utf8)
        default: Array("\(Hex.text(choices.cardFrame(), separator: choices.pick(["", " "])))\n".utf8)
        }
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool {
        lines.append(bytes)
        while let line = lines.next() {
            let before = sent.count
            if exchange.answer(line, into: &sent) != nil {
                expect(sent[before...].elementsEqual("?\n".utf8), "a line that is not understood is answered with `?`")
            }
        }
        return true
    }
}

/// Datagrams of nfcpy's UDP driver.
struct NfcpySession: TransportSession {
    private var core = NfcpyCore()
    private var world: World

    init(_ world: World) {
        self.world = world
    }

    static var takesMessages: Bool { true }

    static func message(_ choices: inout Choices) -> [UInt8] {
        if choices.byte() >= 0xF0 { return NfcpyDatagram.fieldOff.bytes }
        let rate = choices.pick(["212F", "424F", "106A", "106B", "848A"])
        return NfcpyDatagram.frame(brty: rate, choices.cardFrame()).bytes
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool {
        core.receive(Array(bytes))
        while let action = core.next() {
            switch action {
            case .exchange(let frame): core.finish(world.exchangeWithOneCard(frame, waiting: nil))
            case .switchField(let on): world.switchField(on: on)
            case .send(let bytes):
                expect(NfcpyDatagram(bytes) != nil, "\(bytes) are a datagram")
                sent += bytes
            }
        }
        return true
    }
}
