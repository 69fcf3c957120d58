import FuzzSupport
import TapField

@testable import TapTransports
@testable import TapReaders
@testable import TapWire

/// An open file of a USB reader, and the reader.
struct USBSession: TransportSession {
    private static let file = 1

    private let model: ReaderModel
    private var reader: any USBReader
    private var port: USBPort
    private var session: UsbfsSession
    private var world: World

    init(_ model: ReaderModel, _ world: World) {
        guard let reader = model.makeUSBReader() else { fatalError("\(model) is on the USB") }
        (self.model, self.reader, self.world) = (model, reader, world)
        port = USBPort(reader.device)
        port.open(Self.file)
        session = UsbfsSession(Self.file, address: 2)
    }

    /// The reader works between two pieces, so the blocks that can be reaped depend on the pieces.
    static var isSameInPieces: Bool { false }

    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool {
        guard let orders = session.receive(bytes, &port) else { return false }
        sent += orders
        while let job = port.takeJob() {
            switch job {
            case .transfer(let bytes, let endpoint): reader.receive(bytes, at: endpoint)
            case .begin: reader = model.makeUSBReader() ?? reader
            case .look: reader.rescan()
            }
            work()
        }
        sent += session.reapWaiting(&port)
        return true
    }

    private mutating func work() {
        while let action = reader.next() {
            switch action {
            case .send(let bytes, let endpoint): port.send(bytes, on: endpoint)
            case .drop(let endpoint): port.drop(endpoint)
            case .work: reader.work(in: &world)
            case .rest: break
            case .wait(let limit): if limit != nil { reader.giveUp() }
            }
        }
    }

    // A request of the preload library, with the memory that it is asked for.

    private static let address: UInt = 0x7F00_0000_1000
    private static let type = UInt(UInt8(ascii: "U")) << 8

    static func message(_ choices: inout Choices) -> [UInt8] {
        switch choices.number(below: 9) {
        case 0: PreloadWord.bytes(7, address, UInt(choices.byte()))
        case 1...3: submit(&choices, endpoint: choices.byte() % 16, output: transfer(&choices))
        case 4: submit(&choices, endpoint: 0x80 | choices.byte() % 16, output: [])
        case 5: ioctl(choices.pick([.reapAtOnce, .reap, .discard]), address &+ UInt(choices.byte() % 4))
        case 6: ioctl(.control, address) + setup(&choices) + [UInt8](repeating: 0, count: 16)
        case 7: whole(other(&choices))
        default: other(&choices)
        }
    }

    private static func ioctl(_ request: UsbfsRequest, _ argument: UInt) -> [UInt8] {
        PreloadWord.bytes(1, type | UInt(request.rawValue), argument)
    }

    private static func other(_ choices: inout Choices) -> [UInt8] {
        let number = choices.byte() % 40
        let count = UsbfsRequest(rawValue: number)?.argumentLength ?? 0
        let argument = choices.bytes(count)
        return PreloadWord.bytes(1, type | UInt(number), address) + argument
            + [UInt8](repeating: 0, count: count - argument.count)
    }

    /// Returns the request of a copied client: with its memory in one message.
    private static func whole(_ message: [UInt8]) -> [UInt8] {
        let words = PreloadWord.words(message)
        let memory = message.dropFirst(PreloadWord.messageLength)
        return PreloadWord.bytes(16, words[1] | UInt(memory.count) << 32, words[2]) + memory
    }

    private static func setup(_ choices: inout Choices) -> [UInt8] {
        [choices.pick([0x80, 0x00, 0xC0]), choices.pick([6, 0, 8]), choices.byte(), choices.byte() % 4]
            + [0, 0, choices.byte(), 0]
    }

    /// Returns a block: kind, endpoint, address and length of the buffer.
    private static func submit(_ choices: inout Choices, endpoint: UInt8, output: [UInt8]) -> [UInt8] {
        let kind = choices.pick([3, 3, 1, 2] as [UInt8])
        let count = output.isEmpty ? UInt32(choices.byte()) << UInt32(choices.byte() % 16) : UInt32(output.count)
        let place = address &+ UInt(choices.byte() % 4)
        var block = [kind, endpoint] + [UInt8](repeating: 0, count: 14)
        block += UInt64(address).littleEndianBytes + count.littleEndianBytes
        return ioctl(.submit, place) + block + [UInt8](repeating: 0, count: 28) + output
    }

    /// Returns a message for a reader: a frame of a PN53x, of the RC-S380, or of CCID.
    private static func transfer(_ choices: inout Choices) -> [UInt8] {
        switch choices.number(below: 4) {
        case 0: return WiredPN532.message(&choices)
        case 1:
            let code = choices.pick([0x04, 0x00, 0x02, 0x06, 0x20, 0x22, 0x28, 0x2A, 0xFE] as [UInt8])
            let frame = choices.cardFrame()
            let data = code == 0x04 ? [choices.byte(), 0] + frame : choices.counted(below: 16)
            return Port100Frame.packet([Port100Packet.toChip, code] + data).bytes
        case 2:
            let kind = choices.pick([0x62, 0x6F, 0x6B, 0x65, 0x63, 0x6C, 0x61, 0x6D, 0x72] as [UInt8])
            let data = kind == 0x6F || kind == 0x6B ? choices.commandAPDU() : choices.counted(below: 8)
            let head = [choices.byte() % 2, choices.byte(), 0, 0, 0]
            return [kind] + UInt32(data.count).littleEndianBytes + head + data
        default: return choices.counted(below: 64)
        }
    }
}
