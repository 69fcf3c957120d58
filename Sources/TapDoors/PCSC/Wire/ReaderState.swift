import TapWire

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
