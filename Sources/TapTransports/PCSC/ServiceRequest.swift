import TapField
import TapWire

enum ServiceRequest: Hashable, Sendable {
    case version(ProtocolVersion)
    case establish(EstablishMessage)
    case release(ContextMessage)
    case connect(ConnectMessage)
    case reconnect(ReconnectMessage)
    case disconnect(DispositionMessage)
    case beginTransaction(CardMessage)
    case endTransaction(DispositionMessage)
    case transmit(TransmitMessage, [UInt8])
    case control(ControlMessage, [UInt8])
    case status(CardMessage)
    case cancel(ContextMessage)
    case getAttribute(AttributeMessage)
    case setAttribute(AttributeMessage)
    case readerStates
    case waitForChange
    case stopWaiting
    case readerEvents
    case readerCount
    case readerArray

    /// The reason why bytes are not a request; the connection is then closed, as pcscd does.
    enum Fault: Error, Hashable {
        case unknownCommand
        /// The structure does not have the length of its command.
        case wrongLength
        /// The announced data are longer than a reader accepts.
        case tooLong
    }

    /// The maximum length of a command or answer in bytes: 64 KiB of data with a header, two lengths and a status word.
    ///
    /// Source: pcsc-lite, MAX_BUFFER_SIZE_EXTENDED.
    static let maximumData = 4 + 3 + 65_536 + 3 + 2

    /// Reads the request at the start of the bytes.
    ///
    /// - Returns: The request and its length in bytes; `nil` if more bytes must arrive first.
    /// - Throws: ``Fault`` as soon as it is detected.
    static func first(in bytes: ArraySlice<UInt8>) throws(Fault) -> (request: ServiceRequest, length: Int)? {
        guard bytes.count >= MessageHeader.size else { return nil }
        let header = MessageHeader(parsing: bytes)
        guard let function = ServiceFunction.of(header.command) else { throw .unknownCommand }
        guard header.length == function.size else { throw .wrongLength }
        let structure = bytes.dropFirst(MessageHeader.size)
        guard structure.count >= function.size else { return nil }
        let dataCount = try function.dataCount(after: structure)
        guard structure.count >= function.size + dataCount else { return nil }
        let request = function.read(structure, Array(structure.dropFirst(function.size).prefix(dataCount)))
        if let attribute = request.message as? AttributeMessage, attribute.length > AttributeMessage.valueSize {
            throw .tooLong
        }
        return (request, MessageHeader.size + function.size + dataCount)
    }
}

/// A function of the service, one row each: its command, its structure, and the traits of its requests.
struct ServiceFunction: Sendable {
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        /// May begin or end a connection to a card.
        static let connections = Traits(rawValue: 1)
        /// Is shown in the trace whatever its result.
        ///
        /// Commands that a reader has answered are shown as calls of the reader, and waiting depends on the clock: both are
        /// shown only if they fail.
        static let recorded = Traits(rawValue: 2)
        /// Is repeated by clients until a card arrives.
        static let search = Traits(rawValue: 4)
        /// Is still answered once the service is retired and its clients may only finish what they have begun.
        static let ending = Traits(rawValue: 8)
    }

    let command: ServiceCommand
    /// The PC/SC call that causes the request; `nil` for requests that the library makes on its own.
    let call: PCSCCall?
    let traits: Traits
    /// The size of the structure in bytes.
    let size: Int
    /// The offset of the length of the data that follow the structure; `nil` for a function without data.
    let dataLengthPlace: Int?
    /// Creates the request from the structure and the data.
    let read: @Sendable (ArraySlice<UInt8>, [UInt8]) -> ServiceRequest

    /// Creates a function with a structure.
    private init<Message: ServiceMessage>(
        _ command: ServiceCommand, _ call: PCSCCall?, _ traits: Traits = [],
        _ request: @escaping @Sendable (Message) -> ServiceRequest
    ) {
        (self.command, self.call, self.traits, size, dataLengthPlace) = (command, call, traits, Message.size, nil)
        read = { structure, _ in request(Message(parsing: structure)) }
    }

    /// Creates a function with a structure and data.
    private init<Message: ExchangeMessage>(
        _ command: ServiceCommand, _ call: PCSCCall, _ request: @escaping @Sendable (Message, [UInt8]) -> ServiceRequest
    ) {
        (self.command, self.call, traits, size) = (command, call, [], Message.size)
        dataLengthPlace = Message.sendLengthPlace
        read = { structure, data in request(Message(parsing: structure), data) }
    }

    /// Creates a function without a structure.
    private init(_ command: ServiceCommand, _ call: PCSCCall?, _ traits: Traits, _ request: ServiceRequest) {
        (self.command, self.call, self.traits, size, dataLengthPlace) = (command, call, traits, 0, nil)
        read = { _, _ in request }
    }

    private static let all = [
        ServiceFunction(.version, nil) { .version($0) },
        ServiceFunction(.establish, .establishContext, .recorded) { .establish($0) },
        ServiceFunction(.release, .releaseContext, [.connections, .recorded, .ending]) { .release($0) },
        ServiceFunction(.connect, .connect, [.connections, .recorded, .search]) { .connect($0) },
        ServiceFunction(.reconnect, .reconnect, [.recorded, .search]) { .reconnect($0) },
        ServiceFunction(.disconnect, .disconnect, [.connections, .recorded, .ending]) { .disconnect($0) },
        ServiceFunction(.beginTransaction, .beginTransaction, .recorded) { .beginTransaction($0) },
        ServiceFunction(.endTransaction, .endTransaction, [.recorded, .ending]) { .endTransaction($0) },
        ServiceFunction(.transmit, .transmit) { .transmit($0, $1) },
        ServiceFunction(.control, .control) { .control($0, $1) },
        ServiceFunction(.status, .status) { .status($0) },
        ServiceFunction(.cancel, .cancel, .ending) { .cancel($0) },
        ServiceFunction(.getAttribute, .getAttribute) { .getAttribute($0) },
        ServiceFunction(.setAttribute, .setAttribute) { .setAttribute($0) },
        ServiceFunction(.readerStates, nil, [], .readerStates),
        ServiceFunction(.waitForChange, .getStatusChange, .search, .waitForChange),
        ServiceFunction(.stopWaiting, nil, .ending, .stopWaiting),
        ServiceFunction(.readerEvents, nil, [], .readerEvents),
        ServiceFunction(.readerCount, nil, [], .readerCount),
        ServiceFunction(.readerArray, nil, [], .readerArray),
    ]

    /// The functions, indexed by the number of their command.
    private static let byCommand: [ServiceFunction?] = {
        var rows = [ServiceFunction?](repeating: nil, count: Int(all.map(\.command.rawValue).max() ?? 0) + 1)
        for function in all { rows[Int(function.command.rawValue)] = function }
        return rows
    }()

    /// Returns the function of a command; `nil` for an unknown command.
    static func of(_ command: ServiceCommand) -> ServiceFunction? {
        command.rawValue < byCommand.count ? byCommand[Int(command.rawValue)] : nil
    }

    /// Returns the number of bytes that follow the structure.
    fileprivate func dataCount(after structure: ArraySlice<UInt8>) throws(ServiceRequest.Fault) -> Int {
        guard let dataLengthPlace else { return 0 }
        var count: UInt32 = 0
        var field = MessageFields(reading: structure.dropFirst(dataLengthPlace))
        field.carry(&count)
        guard count <= ServiceRequest.maximumData else { throw .tooLong }
        return Int(count)
    }
}

/// A command of pcsc-lite's protocol.
struct ServiceCommand: Hashable, Sendable {
    let rawValue: UInt32

    init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    static let establish = ServiceCommand(0x01)
    static let release = ServiceCommand(0x02)
    static let connect = ServiceCommand(0x04)
    static let reconnect = ServiceCommand(0x05)
    static let disconnect = ServiceCommand(0x06)
    static let beginTransaction = ServiceCommand(0x07)
    static let endTransaction = ServiceCommand(0x08)
    static let transmit = ServiceCommand(0x09)
    static let control = ServiceCommand(0x0A)
    static let status = ServiceCommand(0x0B)
    static let cancel = ServiceCommand(0x0D)
    static let getAttribute = ServiceCommand(0x0F)
    static let setAttribute = ServiceCommand(0x10)
    static let version = ServiceCommand(0x11)
    /// The states of all sixteen reader positions.
    static let readerStates = ServiceCommand(0x12)
    /// A notice when a reader or card changes; answered with the sixteen states up to 4.5, with nothing in 4.6.
    static let waitForChange = ServiceCommand(0x13)
    static let stopWaiting = ServiceCommand(0x14)
    /// The number of times readers were plugged in or unplugged; since 4.5.
    static let readerEvents = ServiceCommand(0x15)
    /// The number of reader positions; since 4.6.
    static let readerCount = ServiceCommand(0x16)
    /// The states of that many positions; since 4.6.
    static let readerArray = ServiceCommand(0x17)
}

extension ServiceRequest {
    var command: ServiceCommand {
        switch self {
        case .version: .version
        case .establish: .establish
        case .release: .release
        case .connect: .connect
        case .reconnect: .reconnect
        case .disconnect: .disconnect
        case .beginTransaction: .beginTransaction
        case .endTransaction: .endTransaction
        case .transmit: .transmit
        case .control: .control
        case .status: .status
        case .cancel: .cancel
        case .getAttribute: .getAttribute
        case .setAttribute: .setAttribute
        case .readerStates: .readerStates
        case .waitForChange: .waitForChange
        case .stopWaiting: .stopWaiting
        case .readerEvents: .readerEvents
        case .readerCount: .readerCount
        case .readerArray: .readerArray
        }
    }

    /// The structure about a connection to a card; `nil` for other requests.
    private var handleMessage: (any HandleMessage)? {
        switch self {
        case .reconnect(let message): message
        case .disconnect(let message), .endTransaction(let message): message
        case .beginTransaction(let message), .status(let message): message
        case .transmit(let message, _): message
        case .control(let message, _): message
        case .getAttribute(let message), .setAttribute(let message): message
        default: nil
        }
    }

    /// The structure that the answer repeats with a return code; `nil` if the answer has no return code.
    var message: (any ResultMessage)? {
        switch self {
        case .establish(let message): message
        case .release(let message), .cancel(let message): message
        case .connect(let message): message
        default: handleMessage
        }
    }

    private var traits: ServiceFunction.Traits { ServiceFunction.of(command)?.traits ?? [] }

    /// The PC/SC call that causes the request; `nil` for requests that the library makes on its own.
    var call: PCSCCall? { ServiceFunction.of(command)?.call }
    var isOnConnections: Bool { traits.contains(.connections) }
    var isRecorded: Bool { traits.contains(.recorded) }
    var looksForCard: Bool { traits.contains(.search) }

    /// The connection to a card that the request is about.
    var card: Int32? { handleMessage?.card }

    /// The answer of a retired service, whose clients may only finish what they have begun; `nil` if the connection is to be
    /// closed.
    var farewell: [UInt8]? {
        self == .stopWaiting ? [] : refusal(traits.contains(.ending) ? .success : .noService)
    }

    /// Returns an answer that only reports a failed call; `nil` if the answer has no return code.
    func refusal(_ code: PCSCReturnCode) -> [UInt8]? { message?.refused(code) }

    /// The bytes for the card or reader.
    var data: [UInt8] {
        switch self {
        case .transmit(_, let bytes), .control(_, let bytes): bytes
        default: []
        }
    }

    /// Returns the return code in the answer to a function that the trace may show.
    func result(in answer: [UInt8]) -> PCSCReturnCode? {
        func code<Message: ResultMessage>(_: Message) -> PCSCReturnCode? {
            answer.count >= Message.size ? Message(parsing: answer[...]).result : nil
        }
        return message.flatMap { code($0) }
    }

    func connection(in answer: [UInt8]) -> Int32? {
        guard case .connect = self, answer.count >= ConnectMessage.size else { return nil }
        return ConnectMessage(parsing: answer[...]).card
    }

    /// Returns the answer to a command without its last bytes; any other answer unchanged.
    func cut(_ answer: [UInt8], by count: Int) -> [UInt8] {
        guard case .transmit = self, answer.count > TransmitMessage.size else { return answer }
        var message = TransmitMessage(parsing: answer[..<TransmitMessage.size])
        let data = answer[TransmitMessage.size...].dropLast(count)
        message.receiveLength = UInt32(data.count)
        return message.bytes(followedBy: Array(data))
    }
}
