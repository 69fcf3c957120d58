import TapWire

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
