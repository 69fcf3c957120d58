import TapWire

@testable import TapTransports

extension ServiceRequest {
    /// The request as a client sends it.
    var bytes: [UInt8] {
        switch self {
        case .version(let message): Self.bytes(.version, message)
        case .establish(let message): Self.bytes(.establish, message)
        case .release(let message): Self.bytes(.release, message)
        case .connect(let message): Self.bytes(.connect, message)
        case .reconnect(let message): Self.bytes(.reconnect, message)
        case .disconnect(let message): Self.bytes(.disconnect, message)
        case .beginTransaction(let message): Self.bytes(.beginTransaction, message)
        case .endTransaction(let message): Self.bytes(.endTransaction, message)
        case .transmit(let message, let data): Self.bytes(.transmit, message) + data
        case .control(let message, let data): Self.bytes(.control, message) + data
        case .status(let message): Self.bytes(.status, message)
        case .cancel(let message): Self.bytes(.cancel, message)
        case .getAttribute(let message): Self.bytes(.getAttribute, message)
        case .setAttribute(let message): Self.bytes(.setAttribute, message)
        case .readerStates: MessageHeader(length: 0, command: .readerStates).bytes
        case .waitForChange: MessageHeader(length: 0, command: .waitForChange).bytes
        case .stopWaiting: MessageHeader(length: 0, command: .stopWaiting).bytes
        case .readerEvents: MessageHeader(length: 0, command: .readerEvents).bytes
        case .readerCount: MessageHeader(length: 0, command: .readerCount).bytes
        case .readerArray: MessageHeader(length: 0, command: .readerArray).bytes
        }
    }

    private static func bytes<Message: ServiceMessage>(_ command: ServiceCommand, _ message: Message) -> [UInt8] {
        MessageHeader(length: UInt32(Message.size), command: command).bytes + message.bytes
    }

    /// One request of each kind.
    static let samples: [ServiceRequest] = [
        .version(ProtocolVersion(minor: 6)), .establish(EstablishMessage(scope: 2)),
        .release(ContextMessage(context: 7)),
        .connect(ConnectMessage(context: 7, reader: "R 00 00", shareMode: .shared, protocols: [.t0, .t1])),
        .reconnect(ReconnectMessage(card: 9, shareMode: .direct, protocols: [], initialization: .reset)),
        .disconnect(DispositionMessage(card: 9, disposition: .unpower)), .beginTransaction(CardMessage(card: 9)),
        .endTransaction(DispositionMessage(card: 9, disposition: .leave)),
        .transmit(TransmitMessage(card: 9, sendLength: 5, receiveLength: 258), [0xFF, 0xCA, 0, 0, 0]),
        .transmit(TransmitMessage(card: 9, sendLength: 0, receiveLength: 258), []),
        .control(ControlMessage(card: 9, code: 0x4200_0D48, sendLength: 2, receiveLength: 64), [1, 2]),
        .status(CardMessage(card: 9)), .cancel(ContextMessage(context: 7)),
        .getAttribute(AttributeMessage(card: 9, attribute: .atr, value: [UInt8](repeating: 0, count: 264))),
        .setAttribute(AttributeMessage(card: 9, attribute: .atr, value: [UInt8](repeating: 3, count: 264), length: 1)),
        .readerStates, .waitForChange, .stopWaiting, .readerEvents, .readerCount, .readerArray,
    ]
}
