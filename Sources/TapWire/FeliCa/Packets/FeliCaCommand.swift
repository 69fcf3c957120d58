/// A command: its code and the two packets that belong to it.
public protocol FeliCaCommand: Sendable {
    /// What a reader sends.
    associatedtype Request: FrameValue
    /// What a card answers.
    associatedtype Response: FrameValue

    static var code: CommandCode { get }
}

/// A packet of one length, whose fields lie at fixed places.
public protocol FixedLengthPacket: FrameValue {
    /// The code the packet begins with.
    static var packetCode: CommandCode { get }
    static var length: Int { get }

    /// Reads the fields of a packet of at least ``length`` bytes, whose code the caller has checked.
    init(unchecked packet: Span<UInt8>)
}

extension FixedLengthPacket {
    public init(parsing packet: Span<UInt8>) throws(WireError) {
        try FeliCaPacket.check(packet, Self.packetCode, length: Self.length...Self.length)
        self.init(unchecked: packet)
    }
}
