/// InDataExchange, code 40: sends data to a target and gives its answer.
///
/// ```
/// command  D4 | 40 | Tg | data
/// answer   D5 | 41 | status | data
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InDataExchange".
public enum InDataExchange: PN532Command {
    /// Command code.
    public static let code = PN532Code.inDataExchange

    /// The command; bit 6 of the target says that more data follow.
    public typealias Request = PN532TargetRequest<InDataExchange>
    /// The answer.
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
    /// Command code.
    public static let code = PN532Code.inCommunicateThru

    /// The command.
    public typealias Request = PN532DataRequest<InCommunicateThru>
    /// The answer.
    public typealias Response = PN532StatusResponse<InCommunicateThru>
}

/// InDeselect, code 44: deselects a target and remembers it.
public enum InDeselect: PN532Command {
    /// Command code.
    public static let code = PN532Code.inDeselect

    /// The command; target 0 is all.
    public typealias Request = PN532TargetRequest<InDeselect>
    /// The answer.
    public typealias Response = PN532StatusResponse<InDeselect>
}

/// InRelease, code 52: deselects a target and forgets it.
public enum InRelease: PN532Command {
    /// Command code.
    public static let code = PN532Code.inRelease

    /// The command; target 0 is all.
    public typealias Request = PN532TargetRequest<InRelease>
    /// The answer.
    public typealias Response = PN532StatusResponse<InRelease>
}

/// InSelect, code 54: selects a target found before.
public enum InSelect: PN532Command {
    /// Command code.
    public static let code = PN532Code.inSelect

    /// The command.
    public typealias Request = PN532TargetRequest<InSelect>
    /// The answer.
    public typealias Response = PN532StatusResponse<InSelect>
}

/// A packet to the chip that names a target.
///
/// ```
/// D4 | code | Tg | data
/// ```
public struct PN532TargetRequest<Command: PN532Command>: PN532Value {
    /// TFI of the packet.
    public static var tfi: UInt8 { PN532Packet.toChip }
    /// The code of the packet.
    public static var packetCode: PN532Code { Command.code }

    /// The number of the target.
    public var target: UInt8
    /// What follows it.
    public var payload: [UInt8]

    /// Creates a packet.
    public init(_ target: UInt8, _ payload: [UInt8] = []) {
        self.target = target
        self.payload = payload
    }

    /// Reads what follows the code.
    public init(data: [UInt8]) throws(WireError) {
        guard let target = data.first else { throw WireError(.truncated, at: 2, in: "Tg") }
        self.init(target, Array(data.dropFirst()))
    }

    /// What follows the code.
    public var data: [UInt8] { [target] + payload }
}
