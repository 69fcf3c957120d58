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

    /// Whether a connection to a card may begin or end with it.
    var isOnConnections: Bool {
        switch self {
        case .release, .connect, .disconnect: true
        default: false
        }
    }

    /// Why bytes are no request; the connection is broken then, as pcscd does it.
    enum Fault: Error, Hashable {
        /// There is no such command.
        case unknownCommand
        /// The structure of that command has another length.
        case wrongLength
        /// More data are announced than a reader takes.
        case tooLong
    }

    /// Bytes a command or its answer has at most: 64 KiB of data with a header, two lengths and a status word.
    ///
    /// Source: pcsc-lite, MAX_BUFFER_SIZE_EXTENDED.
    static let maximumData = 4 + 3 + 65_536 + 3 + 2

    /// Reads the request at the beginning of bytes.
    ///
    /// - Returns: The request and the number of its bytes, or nothing if some are still to come.
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
    /// Bytes of the structure that goes with the command, or nothing for an unknown one.
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
        var field = FieldReader(structure.dropFirst(place))
        let count = field.number()
        guard count <= ServiceRequest.maximumData else { throw .tooLong }
        return Int(count)
    }
}
