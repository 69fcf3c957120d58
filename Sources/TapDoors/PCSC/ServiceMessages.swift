import TapWire

/// A structure of pcsc-lite's protocol between library and service.
///
/// All numbers are little-endian and four bytes long. A request is a ``MessageHeader`` and the structure; the answer is
/// the structure again, with results filled in and without a header. Source: pcsc-lite, the protocol of versions 4.4
/// to 4.6 in its header winscard_msg.h.
protocol ServiceMessage: Hashable, Sendable {
    /// Bytes of the structure.
    static var size: Int { get }

    /// Takes the fields in their order; there are enough bytes.
    init(from fields: inout FieldReader)

    /// Puts the fields in their order.
    func write(to fields: inout FieldWriter)
}

extension ServiceMessage {
    /// Reads the structure from as many bytes as it has.
    init(parsing bytes: ArraySlice<UInt8>) {
        var fields = FieldReader(bytes)
        self.init(from: &fields)
    }

    /// The structure as it is sent.
    var bytes: [UInt8] { bytes(followedBy: []) }

    /// The structure and data behind it.
    func bytes(followedBy data: [UInt8]) -> [UInt8] {
        var fields = FieldWriter(reserving: Self.size + data.count)
        write(to: &fields)
        fields.append(data)
        return fields.bytes
    }
}

/// What precedes every request: the length of its structure and its command.
struct MessageHeader: ServiceMessage {
    static let size = 8

    /// Bytes of the structure that follows; data behind it are not counted.
    let length: UInt32
    /// What is asked for.
    let command: ServiceCommand

    init(length: Int, command: ServiceCommand) {
        self.length = UInt32(truncatingIfNeeded: length)
        self.command = command
    }

    init(from fields: inout FieldReader) {
        length = fields.number()
        command = ServiceCommand(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(length)
        fields.append(command.rawValue)
    }
}

/// SCardEstablishContext: scope, context, return code.
struct EstablishMessage: ServiceMessage {
    static let size = 12

    var scope: UInt32
    var context: UInt32 = 0
    var result = PCSCReturnCode.success

    init(scope: UInt32) {
        self.scope = scope
    }

    init(from fields: inout FieldReader) {
        scope = fields.number()
        context = fields.number()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(scope)
        fields.append(context)
        fields.append(result.rawValue)
    }
}

/// SCardReleaseContext and SCardCancel: context, return code.
struct ContextMessage: ServiceMessage {
    static let size = 8

    var context: UInt32
    var result = PCSCReturnCode.success

    init(context: UInt32) {
        self.context = context
    }

    init(from fields: inout FieldReader) {
        context = fields.number()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(context)
        fields.append(result.rawValue)
    }
}

/// What comes when the waiting is over, and the answer to the question for events: a number, return code.
///
/// The number is 0 for the one and the count of events for the other.
struct CountMessage: ServiceMessage {
    static let size = 8

    var count: UInt32 = 0
    var result: PCSCReturnCode

    init(count: UInt32 = 0, _ result: PCSCReturnCode = .success) {
        self.count = count
        self.result = result
    }

    init(from fields: inout FieldReader) {
        count = fields.number()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(count)
        fields.append(result.rawValue)
    }
}

/// SCardConnect: context, name of the reader in 128 bytes, share mode, protocols, card, active protocol, return code.
struct ConnectMessage: ServiceMessage {
    static let size = 152

    var context: UInt32
    var reader: String
    var shareMode: PCSCShareMode
    var protocols: PCSCProtocols
    var card: Int32 = 0
    var activeProtocol: PCSCProtocols = []
    var result = PCSCReturnCode.success

    init(context: UInt32, reader: String, shareMode: PCSCShareMode, protocols: PCSCProtocols) {
        self.context = context
        self.reader = reader
        self.shareMode = shareMode
        self.protocols = protocols
    }

    init(from fields: inout FieldReader) {
        context = fields.number()
        reader = fields.text(ReaderState.nameSize)
        shareMode = PCSCShareMode(fields.number())
        protocols = PCSCProtocols(rawValue: fields.number())
        card = fields.signedNumber()
        activeProtocol = PCSCProtocols(rawValue: fields.number())
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(context)
        fields.append(reader.utf8, in: ReaderState.nameSize)
        fields.append(shareMode.rawValue)
        fields.append(protocols.rawValue)
        fields.append(card)
        fields.append(activeProtocol.rawValue)
        fields.append(result.rawValue)
    }
}

/// SCardReconnect: card, share mode, protocols, what becomes of the card, active protocol, return code.
struct ReconnectMessage: ServiceMessage {
    static let size = 24

    var card: Int32
    var shareMode: PCSCShareMode
    var protocols: PCSCProtocols
    var initialization: PCSCDisposition
    var activeProtocol: PCSCProtocols = []
    var result = PCSCReturnCode.success

    init(card: Int32, shareMode: PCSCShareMode, protocols: PCSCProtocols, initialization: PCSCDisposition) {
        self.card = card
        self.shareMode = shareMode
        self.protocols = protocols
        self.initialization = initialization
    }

    init(from fields: inout FieldReader) {
        card = fields.signedNumber()
        shareMode = PCSCShareMode(fields.number())
        protocols = PCSCProtocols(rawValue: fields.number())
        initialization = PCSCDisposition(fields.number())
        activeProtocol = PCSCProtocols(rawValue: fields.number())
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(card)
        fields.append(shareMode.rawValue)
        fields.append(protocols.rawValue)
        fields.append(initialization.rawValue)
        fields.append(activeProtocol.rawValue)
        fields.append(result.rawValue)
    }
}

/// SCardDisconnect and SCardEndTransaction: card, disposition, return code.
struct DispositionMessage: ServiceMessage {
    static let size = 12

    var card: Int32
    var disposition: PCSCDisposition
    var result = PCSCReturnCode.success

    init(card: Int32, _ disposition: PCSCDisposition) {
        self.card = card
        self.disposition = disposition
    }

    init(from fields: inout FieldReader) {
        card = fields.signedNumber()
        disposition = PCSCDisposition(fields.number())
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(card)
        fields.append(disposition.rawValue)
        fields.append(result.rawValue)
    }
}

/// SCardBeginTransaction and SCardStatus: card, return code.
struct CardMessage: ServiceMessage {
    static let size = 8

    var card: Int32
    var result = PCSCReturnCode.success

    init(card: Int32) {
        self.card = card
    }

    init(from fields: inout FieldReader) {
        card = fields.signedNumber()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(card)
        fields.append(result.rawValue)
    }
}

/// SCardGetAttrib and SCardSetAttrib: card, attribute, value in 264 bytes, length of the value, return code.
struct AttributeMessage: ServiceMessage {
    static let size = 280
    /// Bytes a value has at most.
    static let valueSize = 264

    var card: Int32
    var attribute: PCSCAttribute
    var value: [UInt8] = []
    /// How many bytes of the field count; what the client offers may be more than there is.
    var length: UInt32
    var result = PCSCReturnCode.success

    init(card: Int32, _ attribute: PCSCAttribute, value: [UInt8] = [], length: Int = Self.valueSize) {
        self.card = card
        self.attribute = attribute
        self.value = value
        self.length = UInt32(truncatingIfNeeded: length)
    }

    init(from fields: inout FieldReader) {
        card = fields.signedNumber()
        attribute = PCSCAttribute(fields.number())
        value = fields.bytes(Self.valueSize)
        length = fields.number()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(card)
        fields.append(attribute.rawValue)
        fields.append(value, in: Self.valueSize)
        fields.append(length)
        fields.append(result.rawValue)
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

    var card: Int32
    var sendProtocol: PCSCProtocols
    var sendControlLength: UInt32 = 16
    var sendLength: UInt32
    var receiveProtocol: PCSCProtocols = [.t0, .t1]
    var receiveControlLength: UInt32 = 16
    /// In the request what the client has room for, in the answer what there is.
    var receiveLength: UInt32
    var result = PCSCReturnCode.success

    init(card: Int32, sendProtocol: PCSCProtocols = .t1, sendLength: Int, receiveLength: Int) {
        self.card = card
        self.sendProtocol = sendProtocol
        self.sendLength = UInt32(truncatingIfNeeded: sendLength)
        self.receiveLength = UInt32(truncatingIfNeeded: receiveLength)
    }

    init(from fields: inout FieldReader) {
        card = fields.signedNumber()
        sendProtocol = PCSCProtocols(rawValue: fields.number())
        sendControlLength = fields.number()
        sendLength = fields.number()
        receiveProtocol = PCSCProtocols(rawValue: fields.number())
        receiveControlLength = fields.number()
        receiveLength = fields.number()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(card)
        fields.append(sendProtocol.rawValue)
        fields.append(sendControlLength)
        fields.append(sendLength)
        fields.append(receiveProtocol.rawValue)
        fields.append(receiveControlLength)
        fields.append(receiveLength)
        fields.append(result.rawValue)
    }
}

/// SCardControl: card, control code, length sent, room for what is received, length received, return code; data as
/// in ``TransmitMessage``.
struct ControlMessage: ServiceMessage {
    static let size = 24
    /// Where the length of what is sent stands.
    static let sendLengthPlace = 8

    var card: Int32
    var code: UInt32
    var sendLength: UInt32
    var receiveLength: UInt32
    var returnedLength: UInt32 = 0
    var result = PCSCReturnCode.success

    init(card: Int32, code: UInt32, sendLength: Int, receiveLength: Int) {
        self.card = card
        self.code = code
        self.sendLength = UInt32(truncatingIfNeeded: sendLength)
        self.receiveLength = UInt32(truncatingIfNeeded: receiveLength)
    }

    init(from fields: inout FieldReader) {
        card = fields.signedNumber()
        code = fields.number()
        sendLength = fields.number()
        receiveLength = fields.number()
        returnedLength = fields.number()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(card)
        fields.append(code)
        fields.append(sendLength)
        fields.append(receiveLength)
        fields.append(returnedLength)
        fields.append(result.rawValue)
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

    init(from fields: inout FieldReader) {
        name = fields.text(Self.nameSize)
        eventCounter = fields.number()
        flags = Flags(rawValue: fields.number())
        sharing = fields.signedNumber()
        let atr = fields.bytes(36)
        self.atr = Array(atr.prefix(min(Int(fields.number()), Self.atrSize)))
        activeProtocol = PCSCProtocols(rawValue: fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(name.utf8, in: Self.nameSize)
        fields.append(eventCounter)
        fields.append(flags.rawValue)
        fields.append(sharing)
        fields.append(atr.prefix(Self.atrSize), in: 36)
        fields.append(UInt32(min(atr.count, Self.atrSize)))
        fields.append(activeProtocol.rawValue)
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

    var major: Int32
    var minor: Int32
    var result = PCSCReturnCode.success

    init(major: Int32 = Self.major, minor: Int32) {
        self.major = major
        self.minor = minor
    }

    init(from fields: inout FieldReader) {
        major = fields.signedNumber()
        minor = fields.signedNumber()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(major)
        fields.append(minor)
        fields.append(result.rawValue)
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

/// Takes the fields of a structure out of its bytes one after another; the caller has checked the length.
struct FieldReader {
    private let bytes: ArraySlice<UInt8>
    private var offset: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex
    }

    /// The next four bytes, the low one first.
    mutating func number() -> UInt32 {
        precondition(offset + 4 <= bytes.endIndex, "the caller has checked the length")
        defer { offset += 4 }
        let place = offset - bytes.startIndex
        let number = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
        return UInt32(littleEndian: number)
    }

    /// The next four bytes as a number with a sign.
    mutating func signedNumber() -> Int32 { Int32(bitPattern: number()) }

    /// The next bytes as they are.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// A text that ends with a zero or with its field.
    mutating func text(_ count: Int) -> String {
        String(decoding: bytes(count).prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// Puts the fields of a structure one after another.
struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving count: Int) {
        bytes.reserveCapacity(count)
    }

    /// Four bytes, the low one first.
    mutating func append(_ number: UInt32) {
        bytes.append(UInt8(truncatingIfNeeded: number))
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
        bytes.append(UInt8(truncatingIfNeeded: number >> 16))
        bytes.append(UInt8(truncatingIfNeeded: number >> 24))
    }

    /// Four bytes of a number with a sign.
    mutating func append(_ number: Int32) { append(UInt32(bitPattern: number)) }

    /// Bytes as they are.
    mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

    /// Bytes in a field of their own, cut or filled with zeros.
    mutating func append(_ more: some Collection<UInt8>, in count: Int) {
        append(more.prefix(count))
        append(repeatElement(0, count: max(0, count - more.count)))
    }
}
