import TapWire

/// A structure of pcsc-lite's protocol between library and service.
///
/// All numbers are little-endian and four bytes long. A request is a ``MessageHeader`` and the structure; the answer is
/// the structure again, with results filled in and without a header. Source: pcsc-lite, the protocol of versions 4.4
/// to 4.6 in its header winscard_msg.h.
protocol ServiceMessage: Hashable, Sendable {
    /// The size of the structure in bytes.
    static var size: Int { get }

    init()

    /// Reads or writes every field, in order.
    mutating func carry(_ fields: inout MessageFields)
}

extension ServiceMessage {
    /// Reads the structure from at least ``size`` bytes.
    init(parsing bytes: ArraySlice<UInt8>) {
        self.init()
        var fields = MessageFields(reading: bytes)
        carry(&fields)
    }

    var bytes: [UInt8] { bytes(followedBy: []) }

    func bytes(followedBy data: [UInt8]) -> [UInt8] {
        var (copy, fields) = (self, MessageFields(reserving: Self.size + data.count))
        copy.carry(&fields)
        fields.append(data)
        return fields.written
    }
}

/// A structure with a return code.
protocol ResultMessage: ServiceMessage {
    var result: PCSCReturnCode { get set }

    /// Returns the encoded structure with the return code of a failed call.
    func refused(_ code: PCSCReturnCode) -> [UInt8]
}

/// A structure about a connection to a card.
protocol HandleMessage: ResultMessage {
    var card: Int32 { get }
}

extension ResultMessage {
    /// Returns the encoded structure with a return code.
    func answered(_ code: PCSCReturnCode) -> [UInt8] {
        var answer = self
        answer.result = code
        return answer.bytes
    }

    func refused(_ code: PCSCReturnCode) -> [UInt8] { answered(code) }
}

/// A command whose data follow the structure, as the data of its answer do.
protocol ExchangeMessage: HandleMessage {
    /// The offset of the length of the command.
    static var sendLengthPlace: Int { get }
    /// The number of bytes that the client has room for.
    var receiveLength: UInt32 { get }
    /// The number of bytes in the answer.
    var returnedLength: UInt32 { get set }
}

extension ExchangeMessage {
    /// Returns the encoded structure without answer data.
    func refused(_ code: PCSCReturnCode) -> [UInt8] {
        var answer = self
        answer.returnedLength = 0
        return answer.answered(code)
    }
}

/// The header of every request: the length of its structure and its command.
struct MessageHeader: ServiceMessage {
    static let size = 8

    /// The number of bytes in the structure that follows, without the data after it.
    var length: UInt32 = 0
    var command = ServiceCommand(0)

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&length)
        fields.carry(&command)
    }
}

/// SCardEstablishContext: scope, context, return code.
struct EstablishMessage: ResultMessage {
    static let size = 12

    var scope: UInt32 = 0
    var context: UInt32 = 0
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&scope)
        fields.carry(&context)
        fields.carry(&result)
    }
}

/// SCardReleaseContext and SCardCancel: context, return code.
struct ContextMessage: ResultMessage {
    static let size = 8

    var context: UInt32 = 0
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&context)
        fields.carry(&result)
    }
}

/// The end of a wait, with the number 0, or the count of events: number, return code.
struct CountMessage: ServiceMessage {
    static let size = 8

    var count: UInt32 = 0
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&count)
        fields.carry(&result)
    }
}

/// SCardConnect: context, name of the reader in 128 bytes, share mode, protocols, card, active protocol, return code.
struct ConnectMessage: ResultMessage {
    static let size = 152

    var context: UInt32 = 0
    var reader = ""
    var shareMode = PCSCShareMode(0)
    var protocols: PCSCProtocols = []
    var card: Int32 = 0
    var activeProtocol: PCSCProtocols = []
    var result = PCSCReturnCode.success

    /// Returns the encoded structure without a connection.
    func refused(_ code: PCSCReturnCode) -> [UInt8] {
        var answer = self
        answer.card = 0
        return answer.answered(code)
    }

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

/// SCardReconnect: card, share mode, protocols, initialization of the card, active protocol, return code.
struct ReconnectMessage: HandleMessage {
    static let size = 24

    var card: Int32 = 0
    var shareMode = PCSCShareMode(0)
    var protocols: PCSCProtocols = []
    var initialization = PCSCDisposition.leave
    var activeProtocol: PCSCProtocols = []
    var result = PCSCReturnCode.success

    /// Returns the encoded structure without a protocol.
    func refused(_ code: PCSCReturnCode) -> [UInt8] {
        var answer = self
        answer.activeProtocol = []
        return answer.answered(code)
    }

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
struct DispositionMessage: HandleMessage {
    static let size = 12

    var card: Int32 = 0
    var disposition = PCSCDisposition.leave
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&disposition)
        fields.carry(&result)
    }
}

/// SCardBeginTransaction and SCardStatus: card, return code.
struct CardMessage: HandleMessage {
    static let size = 8

    var card: Int32 = 0
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&result)
    }
}

/// SCardGetAttrib and SCardSetAttrib: card, attribute, value in 264 bytes, length of the value, return code.
struct AttributeMessage: HandleMessage {
    static let size = 280
    static let valueSize = 264

    var card: Int32 = 0
    var attribute = PCSCAttribute(0)
    var value: [UInt8] = []
    /// The number of bytes used in the field; in a request, the room that the client has.
    var length = UInt32(Self.valueSize)
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&attribute)
        fields.carry(&value, in: Self.valueSize)
        fields.carry(&length)
        fields.carry(&result)
    }
}

/// SCardTransmit: card; protocol, structure length and length of the command; the same for the answer; return code.
///
/// The command follows the request; the card's answer, if there is one, follows the answer.
struct TransmitMessage: ExchangeMessage {
    static let size = 32
    static let sendLengthPlace = 12

    var card: Int32 = 0
    var sendProtocol = PCSCProtocols.t1
    var sendControlLength: UInt32 = 16
    var sendLength: UInt32 = 0
    var receiveProtocol: PCSCProtocols = [.t0, .t1]
    var receiveControlLength: UInt32 = 16
    /// In a request, the room that the client has; in an answer, the length of the card's answer.
    var receiveLength: UInt32 = 0
    var result = PCSCReturnCode.success

    var returnedLength: UInt32 {
        get { receiveLength }
        set { receiveLength = newValue }
    }

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

/// SCardControl: card, control code, length of the command, room for the answer, its length, return code; data follow as in
/// ``TransmitMessage``.
struct ControlMessage: ExchangeMessage {
    static let size = 24
    static let sendLengthPlace = 8

    var card: Int32 = 0
    var code: UInt32 = 0
    var sendLength: UInt32 = 0
    var receiveLength: UInt32 = 0
    var returnedLength: UInt32 = 0
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&card)
        fields.carry(&code)
        fields.carry(&sendLength)
        fields.carry(&receiveLength)
        fields.carry(&returnedLength)
        fields.carry(&result)
    }
}

/// The state of a reader position: name in 128 bytes, event counter, state, sharing, ATR in 33 bytes and 3 of padding, ATR
/// length, protocol.
struct ReaderState: ServiceMessage {
    static let size = 184
    /// The size of a name with its final zero byte.
    static let nameSize = 128
    /// The maximum length of an ATR in bytes (ISO/IEC 7816-3, section 8.1).
    static let atrSize = 33
    /// The number of reader positions: versions up to 4.5 are built with this number; a client of 4.6 asks for it, but fails if
    /// it ever changes.
    static let places = 16

    /// The name of the reader with its two numbers; empty without a reader.
    var name = ""
    /// The number of times a card was inserted or removed, modulo 65536.
    var eventCounter: UInt32 = 0
    var flags: Flags = []
    /// The number of connections that share the reader; -1 if a connection has exclusive use.
    var sharing: Int32 = 0
    var atr: [UInt8] = []
    var activeProtocol: PCSCProtocols = []

    struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt32

        static let absent = Flags(rawValue: 0x02)
        static let present = Flags(rawValue: 0x04)
        /// The card does not answer.
        static let swallowed = Flags(rawValue: 0x08)
        static let powered = Flags(rawValue: 0x10)
        static let negotiable = Flags(rawValue: 0x20)
        static let ready: Flags = [.present, .powered, .negotiable]
    }

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

/// The first message of a connection and its answer: major and minor version, both signed, return code.
struct ProtocolVersion: ServiceMessage {
    static let size = 12

    /// The only major version since pcsc-lite 1.6.
    static let major: Int32 = 4
    /// The supported minor versions: 4.4 since pcsc-lite 1.8.24, 4.5 since 2.3.0, 4.6 since 2.5.0.
    static let minors: ClosedRange<Int32> = 4...6

    var major = Self.major
    var minor: Int32 = 0
    var result = PCSCReturnCode.success

    mutating func carry(_ fields: inout MessageFields) {
        fields.carry(&major)
        fields.carry(&minor)
        fields.carry(&result)
    }

    /// The answer to a client of this version: the same version, or a refusal with the nearest supported version, with which a
    /// newer client tries again.
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

    /// One byte: 0 for no card, 2 for a card.
    static let cardPresence = PCSCAttribute(0x0009_0300)
    /// One byte: 1 if the card has power.
    static let cardInterfaceStatus = PCSCAttribute(0x0009_0301)
    static let atr = PCSCAttribute(0x0009_0303)
    /// Four bytes: the connection of the reader.
    static let channelID = PCSCAttribute(0x0002_0110)
    /// The name of the reader with its numbers and a zero byte.
    static let friendlyName = PCSCAttribute(0x7FFF_0003)
    /// The same name.
    static let systemName = PCSCAttribute(0x7FFF_0004)
}
