import FuzzSupport
import TapField

@testable import TapTransports
@testable import TapReaders
@testable import TapWire

/// The connection of pcscd's vpcd driver to a card.
struct VpcdConnection: TransportSession {
    private var core: VpcdCore?
    private var reader: any PCSCReader
    private var world: World

    init(_ model: ReaderModel, _ world: World) {
        reader = model.makeReader()
        self.world = world
        core = VpcdCore(reader.look(in: &self.world))
    }

    static func message(_ choices: inout Choices) -> [UInt8] {
        let control = choices.number(below: 8)
        let payload = control < 5 ? [UInt8(control)] : choices.commandAPDU()
        return VpcdMessage.framed(payload) ?? []
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool {
        core?.receive(bytes)
        while let action = core?.next() {
            switch action {
            case .look: core?.finish(reader.look(in: &world))
            case .powerDown: reader.powerDown(in: &world)
            case .reset: _ = reader.reset(in: &world)
            case .transmit(let command):
                let answer = reader.carry(command, in: &world)
                core?.finish(answer, reader.look(in: &world))
            case .send(let bytes): sent += bytes
            case .hangUp, .breakOff: return false
            }
        }
        return true
    }
}

extension Choices {
    /// Returns an almost valid command for a reader.
    mutating func commandAPDU() -> [UInt8] {
        let headers: [[UInt8]] = [
            [0xFF, 0xCA, 0x00, 0x00], [0xFF, 0xCA, 0x01, 0x00], [0xFF, 0xB0, 0x00], [0xFF, 0xD6, 0x00],
            [0xFF, 0x00, 0x00, 0x00], [0xFF, 0xC2, 0x00, 0x00], [0xFF, 0xC2, 0x00, 0x01], [0xFF, 0xC2, 0x00, 0x02],
            [0xFF, 0x50, 0x00, 0x00], [0xFF, 0x50, 0x00, 0x01], [0xFF, 0xA4, 0x00, 0x01], [0xFF, 0xFE, 0x00, 0x00],
            [0xFF, 0x82, 0x00, 0x00], [0xFF, 0x86, 0x00, 0x00], [0xFF, 0x56, 0x00, 0x00], [0x00, 0xA4, 0x04, 0x00],
            [0xFF],
        ]
        var header = pick(headers)
        while header.count < 4 { header.append(byte()) }
        let data: [UInt8] =
            switch number(below: 5) {
            case 0: []
            case 1: cardFrame()
            case 2: [0xD4, pick([0x4A, 0x40, 0x42, 0x60, 0x06, 0x08, 0x32])] + counted(below: 24)
            case 3: objects()
            default: counted(below: 40)
            }
        return switch number(below: 6) {
        case 0: header
        case 1: header + [byte()]
        case 2: header + [0, 0, UInt8(truncatingIfNeeded: data.count)] + data + [0, 0]
        default: header + [UInt8(truncatingIfNeeded: data.count)] + data + (oneIn(2) ? [0] : [])
        }
    }

    /// Returns data objects of a transparent session.
    private mutating func objects() -> [UInt8] {
        let tags: [UInt16] = [0x80, 0x81, 0x82, 0x83, 0x84, 0x5F46, 0xFF6D, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x8F]
        return (0...number(below: 3)).flatMap { _ in
            let tag = SessionObject.Tag(pick(tags))
            return SessionObject(tag, oneIn(2) ? cardFrame() : counted(below: 6)).bytes
        }
    }
}
