import FuzzSupport
import TapField

@testable import TapTransports
@testable import TapReaders
@testable import TapWire

/// A client of the PC/SC service: messages of pcsc-lite's library in, answers out.
struct ServiceSession: TransportSession {
    private static let (client, slot) = (1, 1)

    private var input: [UInt8] = []
    private var manager = ResourceManager()
    private var reader: any PCSCReader
    private var world: World

    init(_ model: ReaderModel, _ world: World) {
        reader = model.makeReader()
        self.world = world
        _ = manager.plug(Self.slot, model: reader.name)
        manager.admit(Self.client)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool {
        input += bytes
        while true {
            guard let found = try? ServiceRequest.first(in: input[...]) else { break }
            input.removeFirst(found.length)
            guard let answer = run(manager.perform(targeted(found.request), for: Self.client)) else { return false }
            // Handles are random, so only the length of an answer is always the same.
            sent += UInt32(answer.count).littleEndianBytes
        }
        return !isBroken
    }

    /// A Boolean value that indicates whether the bytes can no longer become a request.
    private var isBroken: Bool {
        do { return try ServiceRequest.first(in: input[...]) != nil } catch { return true }
    }

    /// Lets the reader work until an answer remains; returns `nil` to hang up.
    private mutating func run(_ first: ServiceStep) -> [UInt8]? {
        var step = first
        while true {
            switch step {
            case .answer(let bytes): return bytes
            case .close: return nil
            case .wait(let answer): return answer ?? []
            case .start(let then):
                manager.follow(Self.slot, ReaderSlot.State(content: reader.look(in: &world), changes: 0))
                step = then(&manager)
            case .power(_, let change, let then):
                if change != .reset { reader.powerDown(in: &world) }
                let content = change == .down ? reader.look(in: &world) : reader.reset(in: &world)
                step = then(&manager, ReaderSlot.State(content: content, changes: 0))
            case .transmit(_, let command, _, let then): step = then(&manager, reader.carry(command, in: &world))
            case .control(_, let code, let data, let then):
                step = then(&manager, reader.carry(code, data, in: &world))
            case .attribute(_, let attribute, let then):
                step = then(&manager, reader.attribute(attribute.rawValue))
            }
        }
    }

    /// Returns a request with the client's own context and connections in place of 0.
    private func targeted(_ request: ServiceRequest) -> ServiceRequest {
        guard let own = manager.clients[Self.client] else { return request }
        let card = own.cards.last ?? 0
        func about<Message>(_ message: Message, _ change: (inout Message) -> Void) -> Message {
            var message = message
            change(&message)
            return message
        }
        return switch request {
        case .release(let message) where message.context == 0: .release(about(message) { $0.context = own.context })
        case .cancel(let message) where message.context == 0: .cancel(about(message) { $0.context = own.context })
        case .connect(let message) where message.context == 0:
            .connect(
                about(message) {
                    $0.context = own.context
                    if $0.reader.isEmpty { $0.reader = manager.readers[Self.slot]?.state.name ?? "" }
                })
        case .reconnect(let message) where message.card == 0: .reconnect(about(message) { $0.card = card })
        case .disconnect(let message) where message.card == 0: .disconnect(about(message) { $0.card = card })
        case .beginTransaction(let message) where message.card == 0:
            .beginTransaction(about(message) { $0.card = card })
        case .endTransaction(let message) where message.card == 0: .endTransaction(about(message) { $0.card = card })
        case .status(let message) where message.card == 0: .status(about(message) { $0.card = card })
        case .transmit(let message, let data) where message.card == 0:
            .transmit(about(message) { $0.card = card }, data)
        case .control(let message, let data) where message.card == 0: .control(about(message) { $0.card = card }, data)
        case .getAttribute(let message) where message.card == 0: .getAttribute(about(message) { $0.card = card })
        case .setAttribute(let message) where message.card == 0: .setAttribute(about(message) { $0.card = card })
        default: request
        }
    }

    // Messages: header, structure, data.

    static func message(_ choices: inout Choices) -> [UInt8] {
        switch choices.number(below: 18) {
        case 0: request(.version, version(&choices).bytes)
        case 1: request(.establish, EstablishMessage(scope: UInt32(choices.byte() % 5)).bytes)
        case 2: request(.release, ContextMessage(context: any(&choices)).bytes)
        case 3, 4: request(.connect, connect(&choices).bytes)
        case 5: request(.reconnect, reconnect(&choices).bytes)
        case 6: request(.disconnect, disposition(&choices).bytes)
        case 7: request(.beginTransaction, CardMessage(card: Int32(bitPattern: any(&choices))).bytes)
        case 8: request(.endTransaction, disposition(&choices).bytes)
        case 9...11: transmit(&choices)
        case 12: control(&choices)
        case 13: request(.status, CardMessage(card: Int32(bitPattern: any(&choices))).bytes)
        case 14: request(.cancel, ContextMessage(context: any(&choices)).bytes)
        case 15: attribute(&choices)
        case 16:
            request(
                choices.pick([
                    .readerStates, .waitForChange, .stopWaiting, .readerEvents, .readerCount, .readerArray,
                ]), [])
        default: request(ServiceCommand(UInt32(choices.byte())), choices.counted(below: 32))
        }
    }

    private static func request(_ command: ServiceCommand, _ structure: [UInt8], _ data: [UInt8] = []) -> [UInt8] {
        MessageHeader(length: UInt32(structure.count), command: command).bytes + structure + data
    }

    /// Returns mostly 0, for the client's own context or connection.
    private static func any(_ choices: inout Choices) -> UInt32 {
        choices.byte() < 0xE0 ? 0 : UInt32(choices.byte())
    }

    private static func version(_ choices: inout Choices) -> ProtocolVersion {
        var message = ProtocolVersion()
        (message.major, message.minor) = (choices.pick([4, 4, 4, 3]), Int32(choices.byte() % 8))
        return message
    }

    private static func connect(_ choices: inout Choices) -> ConnectMessage {
        var message = ConnectMessage()
        message.context = any(&choices)
        message.shareMode = PCSCShareMode(UInt32(choices.byte() % 5))
        message.protocols = PCSCProtocols(rawValue: UInt32(choices.byte() % 8))
        return message
    }

    private static func reconnect(_ choices: inout Choices) -> ReconnectMessage {
        var message = ReconnectMessage()
        message.card = Int32(bitPattern: any(&choices))
        message.shareMode = PCSCShareMode(UInt32(choices.byte() % 5))
        message.protocols = PCSCProtocols(rawValue: UInt32(choices.byte() % 8))
        message.initialization = PCSCDisposition(UInt32(choices.byte() % 5))
        return message
    }

    private static func disposition(_ choices: inout Choices) -> DispositionMessage {
        var message = DispositionMessage()
        message.card = Int32(bitPattern: any(&choices))
        message.disposition = PCSCDisposition(UInt32(choices.byte() % 5))
        return message
    }

    private static func transmit(_ choices: inout Choices) -> [UInt8] {
        var message = TransmitMessage()
        let command = choices.commandAPDU()
        message.card = Int32(bitPattern: any(&choices))
        message.sendLength = UInt32(command.count)
        message.receiveLength = choices.oneIn(4) ? UInt32(choices.byte()) : 264
        return request(.transmit, message.bytes, command)
    }

    private static func control(_ choices: inout Choices) -> [UInt8] {
        var message = ControlMessage()
        let data = choices.commandAPDU()
        message.card = Int32(bitPattern: any(&choices))
        message.code = choices.pick([0x4200_0001, 0x4200_0D48, 0x4233_0012])
        message.sendLength = UInt32(data.count)
        message.receiveLength = 264
        return request(.control, message.bytes, data)
    }

    private static func attribute(_ choices: inout Choices) -> [UInt8] {
        var message = AttributeMessage()
        message.card = Int32(bitPattern: any(&choices))
        message.attribute = PCSCAttribute(choices.pick([0x9_0303, 0x1_0100, 0x7_A007, 0x7FFF_0003, 0x2_0110]))
        return request(choices.oneIn(4) ? .setAttribute : .getAttribute, message.bytes)
    }
}
