import TapWire
import TestSupport
import Testing

@testable import TapDoors

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

    /// One of each kind.
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

@Suite struct `Requests to the PC/SC service` {
    @Test(arguments: ServiceRequest.samples)
    func `come whole or not at all`(request: ServiceRequest) throws {
        let bytes = request.bytes
        for count in 0..<bytes.count { #expect(try ServiceRequest.first(in: bytes[..<count]) == nil) }
        let (read, length) = try #require(try ServiceRequest.first(in: bytes[...]))
        #expect(read == request)
        #expect(length == bytes.count)
        let (first, rest) = try #require(try ServiceRequest.first(in: (bytes + bytes)[...]))
        #expect(first == request)
        #expect(rest == bytes.count)
    }

    @Test(
        arguments: [
            ("00000000 00000000", .unknownCommand), ("0C000000 03000000", .unknownCommand),
            ("00000000 18000000", .unknownCommand), ("FFFFFFFF FFFFFFFF", .unknownCommand),
            ("00000000 01000000", .wrongLength), ("0D000000 01000000", .wrongLength),
            ("FFFFFFFF 09000000", .wrongLength), ("01000000 12000000", .wrongLength),
        ] as [(String, ServiceRequest.Fault)])
    func `are refused by their header`(hex: String, fault: ServiceRequest.Fault) throws {
        let bytes = try Hex.bytes(hex)
        #expect(throws: fault) { try ServiceRequest.first(in: bytes[...]) }
    }

    @Test(arguments: [0, 4, 262, ServiceRequest.maximumData])
    func `take data up to the bound`(count: Int) throws {
        let data = [UInt8](repeating: 0xA5, count: count)
        let request = ServiceRequest.transmit(
            TransmitMessage(card: 1, sendLength: UInt32(count), receiveLength: 258), data)
        #expect(try ServiceRequest.first(in: request.bytes[...])?.request == request)
    }

    @Test(arguments: [ServiceRequest.maximumData + 1, Int(Int32.max), Int(UInt32.max)])
    func `announce no more data than the bound`(count: Int) {
        let transmit = ServiceRequest.transmit(
            TransmitMessage(card: 1, sendLength: UInt32(count), receiveLength: 2), [])
        let control = ServiceRequest.control(
            ControlMessage(card: 1, code: 0, sendLength: UInt32(count), receiveLength: 2), [])
        #expect(throws: ServiceRequest.Fault.tooLong) { try ServiceRequest.first(in: transmit.bytes[...]) }
        #expect(throws: ServiceRequest.Fault.tooLong) { try ServiceRequest.first(in: control.bytes[...]) }
    }

    @Test func `hold no longer value of an attribute than its field`() {
        let request = ServiceRequest.getAttribute(AttributeMessage(card: 1, attribute: .atr, length: 265))
        #expect(throws: ServiceRequest.Fault.tooLong) { try ServiceRequest.first(in: request.bytes[...]) }
    }

    @Test func `never trap, whatever the bytes`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(20_000) {
            var bytes =
                random.oneIn(2) ? random.bytes(random.number(0...400)) : random.pick(ServiceRequest.samples).bytes
            if !bytes.isEmpty, random.oneIn(2) { bytes[random.number(below: bytes.count)] = random.byte() }
            _ = try? ServiceRequest.first(in: bytes[...])
        }
    }
}
