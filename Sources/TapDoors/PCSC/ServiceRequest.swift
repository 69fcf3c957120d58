import TapField
import TapWire

/// A request of a client.
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

    /// Whether it may begin or end a connection to a card.
    var isOnConnections: Bool {
        switch self {
        case .release, .connect, .disconnect: true
        default: false
        }
    }

    /// Why bytes are no request; the connection is then closed, as pcscd does.
    enum Fault: Error, Hashable {
        case unknownCommand
        /// The structure of that command has another length.
        case wrongLength
        /// More data are announced than a reader takes.
        case tooLong
    }

    /// Longest command or answer: 64 KiB of data with a header, two lengths and a status word, in bytes.
    ///
    /// Source: pcsc-lite, MAX_BUFFER_SIZE_EXTENDED.
    static let maximumData = 4 + 3 + 65_536 + 3 + 2

    /// Reads the request at the beginning of bytes.
    ///
    /// - Returns: The request and the number of its bytes, or `nil` if some are still to come.
    /// - Throws: ``Fault`` as soon as it is seen.
    static func first(in bytes: ArraySlice<UInt8>) throws(Fault) -> (request: ServiceRequest, length: Int)? {
        guard bytes.count >= MessageHeader.size else { return nil }
        let header = MessageHeader(parsing: bytes)
        guard let size = header.command.structureSize else { throw .unknownCommand }
        guard header.length == size else { throw .wrongLength }
        let structure = bytes.dropFirst(MessageHeader.size)
        guard structure.count >= size else { return nil }
        let dataCount = try header.command.dataCount(behind: structure)
        guard structure.count >= size + dataCount else { return nil }
        let data = structure.dropFirst(size).prefix(dataCount)
        guard let request = try ServiceRequest(header.command, structure, data) else { throw .unknownCommand }
        return (request, MessageHeader.size + size + dataCount)
    }

    private init?(_ command: ServiceCommand, _ bytes: ArraySlice<UInt8>, _ data: ArraySlice<UInt8>) throws(Fault) {
        switch command {
        case .version: self = .version(ProtocolVersion(parsing: bytes))
        case .establish: self = .establish(EstablishMessage(parsing: bytes))
        case .release: self = .release(ContextMessage(parsing: bytes))
        case .connect: self = .connect(ConnectMessage(parsing: bytes))
        case .reconnect: self = .reconnect(ReconnectMessage(parsing: bytes))
        case .disconnect: self = .disconnect(DispositionMessage(parsing: bytes))
        case .beginTransaction: self = .beginTransaction(CardMessage(parsing: bytes))
        case .endTransaction: self = .endTransaction(DispositionMessage(parsing: bytes))
        case .transmit: self = .transmit(TransmitMessage(parsing: bytes), Array(data))
        case .control: self = .control(ControlMessage(parsing: bytes), Array(data))
        case .status: self = .status(CardMessage(parsing: bytes))
        case .cancel: self = .cancel(ContextMessage(parsing: bytes))
        case .getAttribute: self = .getAttribute(try AttributeMessage(checking: bytes))
        case .setAttribute: self = .setAttribute(try AttributeMessage(checking: bytes))
        case .readerStates: self = .readerStates
        case .waitForChange: self = .waitForChange
        case .stopWaiting: self = .stopWaiting
        case .readerEvents: self = .readerEvents
        case .readerCount: self = .readerCount
        case .readerArray: self = .readerArray
        default: return nil
        }
    }
}

extension AttributeMessage {
    fileprivate init(checking bytes: ArraySlice<UInt8>) throws(ServiceRequest.Fault) {
        self.init(parsing: bytes)
        guard length <= Self.valueSize else { throw .tooLong }
    }
}

extension ServiceCommand {
    /// Bytes of the structure that goes with the command, or `nil` for an unknown one.
    fileprivate var structureSize: Int? {
        switch self {
        case .version: ProtocolVersion.size
        case .establish: EstablishMessage.size
        case .release, .cancel: ContextMessage.size
        case .connect: ConnectMessage.size
        case .reconnect: ReconnectMessage.size
        case .disconnect, .endTransaction: DispositionMessage.size
        case .beginTransaction, .status: CardMessage.size
        case .transmit: TransmitMessage.size
        case .control: ControlMessage.size
        case .getAttribute, .setAttribute: AttributeMessage.size
        case .readerStates, .waitForChange, .stopWaiting, .readerEvents, .readerCount, .readerArray: 0
        default: nil
        }
    }

    /// Bytes that follow the structure.
    fileprivate func dataCount(behind structure: ArraySlice<UInt8>) throws(ServiceRequest.Fault) -> Int {
        let place: Int
        switch self {
        case .transmit: place = TransmitMessage.sendLengthPlace
        case .control: place = ControlMessage.sendLengthPlace
        default: return 0
        }
        var count: UInt32 = 0
        var field = MessageFields(reading: structure.dropFirst(place))
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
    /// The states of all sixteen places for readers.
    static let readerStates = ServiceCommand(0x12)
    /// A message when a reader or card changes; answered with the sixteen states up to 4.5, with nothing at 4.6.
    static let waitForChange = ServiceCommand(0x13)
    static let stopWaiting = ServiceCommand(0x14)
    /// How many readers were plugged in and unplugged; since 4.5.
    static let readerEvents = ServiceCommand(0x15)
    /// How many places for readers there are; since 4.6.
    static let readerCount = ServiceCommand(0x16)
    /// The states of that many places; since 4.6.
    static let readerArray = ServiceCommand(0x17)
}

extension ServiceRequest {
    /// The PC/SC call behind the request; `nil` for requests the library makes on its own.
    var call: PCSCCall? {
        switch self {
        case .establish: .establishContext
        case .release: .releaseContext
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
        case .waitForChange: .getStatusChange
        case .version, .readerStates, .stopWaiting, .readerEvents, .readerCount, .readerArray: nil
        }
    }

    /// The connection to a card that the request is about.
    var card: Int32? {
        switch self {
        case .reconnect(let message): message.card
        case .disconnect(let message), .endTransaction(let message): message.card
        case .beginTransaction(let message), .status(let message): message.card
        case .transmit(let message, _): message.card
        case .control(let message, _): message.card
        case .getAttribute(let message), .setAttribute(let message): message.card
        default: nil
        }
    }

    /// The answer of a service that has nothing left but clients that end what they have begun; `nil` if the connection is
    /// to be closed.
    var farewell: [UInt8]? {
        switch self {
        case .disconnect, .endTransaction, .release, .cancel: refusal(.success)
        case .stopWaiting: []
        default: refusal(.noService)
        }
    }

    /// An answer that says only that the call failed; `nil` for a request whose answer has no return code.
    func refusal(_ code: PCSCReturnCode) -> [UInt8]? {
        switch self {
        case .establish(let message): message.answered(code)
        case .release(let message), .cancel(let message): message.answered(code)
        case .connect(let message): message.answered(code)
        case .reconnect(let message): message.answered(code)
        case .disconnect(let message), .endTransaction(let message): message.answered(code)
        case .beginTransaction(let message), .status(let message): message.answered(code)
        case .transmit(let message, _): message.refused(code)
        case .control(let message, _): message.refused(code)
        case .getAttribute(let message), .setAttribute(let message): message.answered(code)
        default: nil
        }
    }

    /// Whether the trace shows it as a function whatever came of it.
    ///
    /// Commands that a reader has answered are calls of that, and waiting depends on the clock: these are shown where they
    /// fail.
    var isRecorded: Bool {
        switch self {
        case .establish, .release, .connect, .reconnect, .disconnect, .beginTransaction, .endTransaction: true
        default: false
        }
    }

    /// Whether clients repeat this request until a card arrives.
    var looksForCard: Bool {
        switch self {
        case .waitForChange, .connect, .reconnect: true
        default: false
        }
    }

    /// The bytes for card or reader.
    var command: [UInt8] {
        switch self {
        case .transmit(_, let bytes), .control(_, let bytes): bytes
        default: []
        }
    }

    /// The return code in the answer to a function that the trace may show.
    func result(in answer: [UInt8]) -> PCSCReturnCode? {
        func code<Message: ResultMessage>(_: Message) -> PCSCReturnCode? {
            answer.count >= Message.size ? Message(parsing: answer[...]).result : nil
        }
        return switch self {
        case .establish(let message): code(message)
        case .release(let message): code(message)
        case .connect(let message): code(message)
        case .reconnect(let message): code(message)
        case .disconnect(let message), .endTransaction(let message): code(message)
        case .beginTransaction(let message), .status(let message): code(message)
        case .transmit(let message, _): code(message)
        case .control(let message, _): code(message)
        case .getAttribute(let message), .setAttribute(let message): code(message)
        default: nil
        }
    }

    /// The connection that an answer has opened.
    func connection(in answer: [UInt8]) -> Int32? {
        guard case .connect = self, answer.count >= ConnectMessage.size else { return nil }
        return ConnectMessage(parsing: answer[...]).card
    }

    /// The answer to a command without its last bytes; any other answer unchanged.
    func cut(_ answer: [UInt8], by count: Int) -> [UInt8] {
        guard case .transmit = self, answer.count > TransmitMessage.size else { return answer }
        var message = TransmitMessage(parsing: answer[..<TransmitMessage.size])
        let data = answer[TransmitMessage.size...].dropLast(count)
        message.receiveLength = UInt32(data.count)
        return message.bytes(followedBy: Array(data))
    }
}
