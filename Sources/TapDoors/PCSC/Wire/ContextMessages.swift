import TapWire

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
