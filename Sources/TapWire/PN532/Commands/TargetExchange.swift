/// InDataExchange, code 40: sends data to a target and gives its answer.
///
/// ```
/// command  D4 | 40 | Tg | data
/// answer   D5 | 41 | status | data
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InDataExchange".
public enum InDataExchange: PN532Command {
    public static let code = PN532Code.inDataExchange

    /// The command; bit 6 of the target says that more data follow.
    public typealias Request = PN532TargetRequest<InDataExchange>
    public typealias Response = PN532StatusResponse<InDataExchange>
}

/// InCommunicateThru, code 42: sends bytes as they are and gives what comes back.
///
/// ```
/// command  D4 | 42 | data
/// answer   D5 | 43 | status | data
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InCommunicateThru".
public enum InCommunicateThru: PN532Command {
    public static let code = PN532Code.inCommunicateThru

    public typealias Request = PN532DataRequest<InCommunicateThru>
    public typealias Response = PN532StatusResponse<InCommunicateThru>
}

/// InDeselect, code 44: deselects a target and remembers it.
public enum InDeselect: PN532Command {
    public static let code = PN532Code.inDeselect

    /// The command; target 0 is all.
    public typealias Request = PN532TargetRequest<InDeselect>
    public typealias Response = PN532StatusResponse<InDeselect>
}

/// InRelease, code 52: deselects a target and forgets it.
public enum InRelease: PN532Command {
    public static let code = PN532Code.inRelease

    /// The command; target 0 is all.
    public typealias Request = PN532TargetRequest<InRelease>
    public typealias Response = PN532StatusResponse<InRelease>
}

/// InSelect, code 54: selects a target found before.
public enum InSelect: PN532Command {
    public static let code = PN532Code.inSelect

    public typealias Request = PN532TargetRequest<InSelect>
    public typealias Response = PN532StatusResponse<InSelect>
}

/// A packet to the chip that names a target.
///
/// ```
/// D4 | code | Tg | data
/// ```
public struct PN532TargetRequest<Command: PN532Command>: PN532Value {
    public static var tfi: UInt8 { PN532Packet.toChip }
    public static var packetCode: PN532Code { Command.code }

    /// The number of the target.
    public var target: UInt8
    /// What follows it.
    public var payload: [UInt8]

    public init(_ target: UInt8, _ payload: [UInt8] = []) {
        self.target = target
        self.payload = payload
    }

    public init(data: [UInt8]) throws(WireError) {
        guard let target = data.first else { throw WireError(.truncated, at: 2, in: "Tg") }
        self.init(target, Array(data.dropFirst()))
    }

    public var data: [UInt8] { [target] + payload }
}
