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
