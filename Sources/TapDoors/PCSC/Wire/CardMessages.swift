import TapWire

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
