import TapWire

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
