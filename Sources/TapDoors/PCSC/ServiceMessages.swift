import TapWire

/// A structure of pcsc-lite's protocol between library and service.
///
/// All numbers are little-endian and four bytes long. A request is a ``MessageHeader`` and the structure; the answer is
/// the structure again, with results filled in and without a header. Source: pcsc-lite, the protocol of versions 4.4
/// to 4.6 in its header winscard_msg.h.
protocol ServiceMessage: Hashable, Sendable {
    /// Bytes of the structure.
    static var size: Int { get }

    /// A structure to be read into.
    init()

    /// Carries every field, in its order, between the structure and its bytes.
    mutating func carry(_ fields: inout MessageFields)
}

extension ServiceMessage {
    /// Reads the structure from as many bytes as it has.
    init(parsing bytes: ArraySlice<UInt8>) {
        self.init()
        var fields = MessageFields(reading: bytes)
        carry(&fields)
    }

    /// The structure as it is sent.
    var bytes: [UInt8] { bytes(followedBy: []) }

    /// The structure and data behind it.
    func bytes(followedBy data: [UInt8]) -> [UInt8] {
        var (copy, fields) = (self, MessageFields(reserving: Self.size + data.count))
        copy.carry(&fields)
        fields.append(data)
        return fields.written
    }
}

/// What precedes every request: the length of its structure and its command.
struct MessageHeader: ServiceMessage {
    static let size = 8

    /// Bytes of the structure that follows; data behind it are not counted.
    private(set) var length: UInt32 = 0
    /// What is asked for.
    private(set) var command = ServiceCommand(0)

    init(length: Int, command: ServiceCommand) {
        self.length = UInt32(truncatingIfNeeded: length)
        self.command = command
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&length)
        fields.carry(&command)
    }
}

/// SCardEstablishContext: scope, context, return code.
struct EstablishMessage: ServiceMessage {
    static let size = 12

    var scope: UInt32 = 0
    var context: UInt32 = 0
    var result = PCSCReturnCode.success

    init(scope: UInt32) {
        self.scope = scope
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&scope)
        fields.carry(&context)
        fields.carry(&result)
    }
}

/// SCardReleaseContext and SCardCancel: context, return code.
struct ContextMessage: ServiceMessage {
    static let size = 8

    var context: UInt32 = 0
    var result = PCSCReturnCode.success

    init(context: UInt32) {
        self.context = context
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&context)
        fields.carry(&result)
    }
}

/// What comes when the waiting is over, and the answer to the question for events: a number, return code.
///
/// The number is 0 for the one and the count of events for the other.
struct CountMessage: ServiceMessage {
    static let size = 8

    var count: UInt32 = 0
    var result = PCSCReturnCode.success

    init(count: UInt32 = 0, _ result: PCSCReturnCode = .success) {
        self.count = count
        self.result = result
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&count)
        fields.carry(&result)
    }
}

/// SCardConnect: context, name of the reader in 128 bytes, share mode, protocols, card, active protocol, return code.
struct ConnectMessage: ServiceMessage {
    static let size = 152

    var context: UInt32 = 0
    var reader = ""
    var shareMode = PCSCShareMode(0)
    var protocols: PCSCProtocols = []
    var card: Int32 = 0
    var activeProtocol: PCSCProtocols = []
    var result = PCSCReturnCode.success

    init(context: UInt32, reader: String, shareMode: PCSCShareMode, protocols: PCSCProtocols) {
        self.context = context
        self.reader = reader
        self.shareMode = shareMode
        self.protocols = protocols
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&context)
        fields.carry(&reader, in: ReaderState.nameSize)
        fields.carry(&shareMode)
        fields.carry(&protocols)
        fields.carry(&card)
        fields.carry(&activeProtocol)
        fields.carry(&result)
    }
}

/// SCardReconnect: card, share mode, protocols, what becomes of the card, active protocol, return code.
struct ReconnectMessage: ServiceMessage {
    static let size = 24

    var card: Int32 = 0
    var shareMode = PCSCShareMode(0)
    var protocols: PCSCProtocols = []
    var initialization = PCSCDisposition.leave
    var activeProtocol: PCSCProtocols = []
    var result = PCSCReturnCode.success

    init(card: Int32, shareMode: PCSCShareMode, protocols: PCSCProtocols, initialization: PCSCDisposition) {
        self.card = card
        self.shareMode = shareMode
        self.protocols = protocols
        self.initialization = initialization
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&shareMode)
        fields.carry(&protocols)
        fields.carry(&initialization)
        fields.carry(&activeProtocol)
        fields.carry(&result)
    }
}

/// SCardDisconnect and SCardEndTransaction: card, disposition, return code.
struct DispositionMessage: ServiceMessage {
    static let size = 12

    var card: Int32 = 0
    var disposition = PCSCDisposition.leave
    var result = PCSCReturnCode.success

    init(card: Int32, _ disposition: PCSCDisposition) {
        self.card = card
        self.disposition = disposition
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&disposition)
        fields.carry(&result)
    }
}

/// SCardBeginTransaction and SCardStatus: card, return code.
struct CardMessage: ServiceMessage {
    static let size = 8

    var card: Int32 = 0
    var result = PCSCReturnCode.success

    init(card: Int32) {
        self.card = card
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&result)
    }
}

/// SCardGetAttrib and SCardSetAttrib: card, attribute, value in 264 bytes, length of the value, return code.
struct AttributeMessage: ServiceMessage {
    static let size = 280
    /// Bytes a value has at most.
    static let valueSize = 264

    var card: Int32 = 0
    var attribute = PCSCAttribute(0)
    var value: [UInt8] = []
    /// How many bytes of the field count; what the client offers may be more than there is.
    var length: UInt32 = 0
    var result = PCSCReturnCode.success

    init(card: Int32, _ attribute: PCSCAttribute, value: [UInt8] = [], length: Int = Self.valueSize) {
        self.card = card
        self.attribute = attribute
        self.value = value
        self.length = UInt32(truncatingIfNeeded: length)
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&attribute)
        fields.carry(&value, in: Self.valueSize)
        fields.carry(&length)
        fields.carry(&result)
    }
}

/// SCardTransmit: card; protocol and structure length of what is sent, its length; the same of what is received;
/// return code.
///
/// The command follows the request, the answer follows the answer if it worked.
struct TransmitMessage: ServiceMessage {
    static let size = 32
    /// Where the length of what is sent stands.
    static let sendLengthPlace = 12

    var card: Int32 = 0
    var sendProtocol: PCSCProtocols = []
    var sendControlLength: UInt32 = 16
    var sendLength: UInt32 = 0
    var receiveProtocol: PCSCProtocols = [.t0, .t1]
    var receiveControlLength: UInt32 = 16
    /// In the request what the client has room for, in the answer what there is.
    var receiveLength: UInt32 = 0
    var result = PCSCReturnCode.success

    init(card: Int32, sendProtocol: PCSCProtocols = .t1, sendLength: Int, receiveLength: Int) {
        self.card = card
        self.sendProtocol = sendProtocol
        self.sendLength = UInt32(truncatingIfNeeded: sendLength)
        self.receiveLength = UInt32(truncatingIfNeeded: receiveLength)
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&sendProtocol)
        fields.carry(&sendControlLength)
        fields.carry(&sendLength)
        fields.carry(&receiveProtocol)
        fields.carry(&receiveControlLength)
        fields.carry(&receiveLength)
        fields.carry(&result)
    }
}

/// SCardControl: card, control code, length sent, room for what is received, length received, return code; data as
/// in ``TransmitMessage``.
struct ControlMessage: ServiceMessage {
    static let size = 24
    /// Where the length of what is sent stands.
    static let sendLengthPlace = 8

    var card: Int32 = 0
    var code: UInt32 = 0
    var sendLength: UInt32 = 0
    var receiveLength: UInt32 = 0
    var returnedLength: UInt32 = 0
    var result = PCSCReturnCode.success

    init(card: Int32, code: UInt32, sendLength: Int, receiveLength: Int) {
        self.card = card
        self.code = code
        self.sendLength = UInt32(truncatingIfNeeded: sendLength)
        self.receiveLength = UInt32(truncatingIfNeeded: receiveLength)
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&code)
        fields.carry(&sendLength)
        fields.carry(&receiveLength)
        fields.carry(&returnedLength)
        fields.carry(&result)
    }
}

/// What clients are told of a place for a reader.
///
/// Name in 128 bytes, event counter, state, sharing, ATR in 33 bytes and 3 to fill up, ATR length, protocol.
struct ReaderState: ServiceMessage {
    static let size = 184
    /// Bytes of the field for a name, one of them for the zero at its end.
    static let nameSize = 128
    /// Bytes an ATR has at most.
    ///
    /// Source: ISO/IEC 7816-3, section 8.1.
    static let atrSize = 33
    /// How many places there are: with that number versions up to 4.5 are built.
    ///
    /// At 4.6 a client asks for it, but cannot bear that it ever changes; so it is the same.
    static let places = 16

    /// The name of the reader with its two numbers; empty where there is none.
    var name = ""
    /// How often a card has come or gone, from 0 to 65535 and again.
    var eventCounter: UInt32 = 0
    var flags: Flags = []
    /// How many connections share the reader, or -1 if one has it alone.
    var sharing: Int32 = 0
    var atr: [UInt8] = []
    /// The protocol connections have agreed on.
    var activeProtocol: PCSCProtocols = []

    /// What is known of the card, as bits.
    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        static let absent = Flags(rawValue: 0x02)
        static let present = Flags(rawValue: 0x04)
        /// The card does not answer.
        static let swallowed = Flags(rawValue: 0x08)
        static let powered = Flags(rawValue: 0x10)
        static let negotiable = Flags(rawValue: 0x20)
        /// A card that has power and answered.
        static let ready: Flags = [.present, .powered, .negotiable]
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        atr = Array(atr.prefix(Self.atrSize))
        var count = UInt32(atr.count)
        fields.carry(&name, in: Self.nameSize)
        fields.carry(&eventCounter)
        fields.carry(&flags)
        fields.carry(&sharing)
        fields.carry(&atr, in: 36)
        fields.carry(&count)
        fields.carry(&activeProtocol)
        atr = Array(atr.prefix(min(Int(count), Self.atrSize)))
    }
}

/// A version of the protocol, the first message of a connection and its answer.
///
/// major and minor, each with a sign, and the return code.
struct ProtocolVersion: ServiceMessage {
    static let size = 12

    /// The only major version since pcsc-lite 1.6.
    static let major: Int32 = 4
    /// The versions that are spoken here: 4.4 since pcsc-lite 1.8.24, 4.5 since 2.3.0, 4.6 since 2.5.0.
    static let minors: ClosedRange<Int32> = 4...6

    var major = Self.major
    var minor: Int32 = 0
    var result = PCSCReturnCode.success

    init(major: Int32 = Self.major, minor: Int32) {
        self.major = major
        self.minor = minor
    }

    init() {}

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&major)
        fields.carry(&minor)
        fields.carry(&result)
    }

    /// What the service says to a client of this version: the same version, or the nearest it speaks and a refusal.
    ///
    /// A newer client then tries again with the version it was told.
    var answer: ProtocolVersion {
        var answer = ProtocolVersion(minor: min(max(minor, Self.minors.lowerBound), Self.minors.upperBound))
        answer.result = major == answer.major && minor == answer.minor ? .success : .serviceStopped
        return answer
    }
}

/// An attribute of a reader or of the card in it.
///
/// Source: PC/SC part 3, section 3.1.4, and reader.h of pcsc-lite.
struct PCSCAttribute: Hashable, Sendable {
    let rawValue: UInt32

    init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// One byte: 0 no card, 2 a card.
    static let cardPresence = PCSCAttribute(0x0009_0300)
    /// One byte: whether the card has power.
    static let cardInterfaceStatus = PCSCAttribute(0x0009_0301)
    /// The ATR.
    static let atr = PCSCAttribute(0x0009_0303)
    /// Four bytes: where the reader is connected.
    static let channelID = PCSCAttribute(0x0002_0110)
    /// The name of the reader with its numbers and a zero.
    static let friendlyName = PCSCAttribute(0x7FFF_0003)
    /// The same.
    static let systemName = PCSCAttribute(0x7FFF_0004)
}
