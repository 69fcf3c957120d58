/// A packet to the chip whose data are bytes without a layout of their own.
public struct PN532DataRequest<Command: PN532Command>: PN532Value {
    public static var tfi: UInt8 { PN532Packet.toChip }
    public static var packetCode: PN532Code { Command.code }

    public var data: [UInt8]

    public init(_ data: [UInt8] = []) {
        self.data = data
    }

    /// Takes what follows the code.
    public init(data: [UInt8]) {
        self.init(data)
    }
}

/// An answer of the chip whose data are bytes without a layout of their own.
public struct PN532DataResponse<Command: PN532Command>: PN532Value {
    public static var tfi: UInt8 { PN532Packet.toHost }
    public static var packetCode: PN532Code { Command.code.answer }

    public var data: [UInt8]

    public init(_ data: [UInt8] = []) {
        self.data = data
    }

    /// Takes what follows the code.
    public init(data: [UInt8]) {
        self.init(data)
    }
}

/// An answer of the chip that begins with a status.
///
/// ```
/// D5 | code + 1 | status | data
/// ```
public struct PN532StatusResponse<Command: PN532Command>: PN532Value {
    public static var tfi: UInt8 { PN532Packet.toHost }
    public static var packetCode: PN532Code { Command.code.answer }

    /// Whether the command was carried out.
    public var status: PN532Status
    /// What the target answered.
    public var answer: [UInt8]

    public init(_ status: PN532Status, _ answer: [UInt8] = []) {
        self.status = status
        self.answer = answer
    }

    public init(data: [UInt8]) throws(WireError) {
        guard let status = data.first else { throw WireError(.truncated, at: 2, in: "status") }
        self.init(PN532Status(status), Array(data.dropFirst()))
    }

    public var data: [UInt8] { [status.rawValue] + answer }
}
