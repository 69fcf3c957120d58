/// What the host and a PN532 say to each other, without the frame around it.
///
/// ```
/// host to chip   D4 | code | data
/// chip to host   D5 | code + 1 | data
/// chip to host   7F: the command is not known, or its syntax is wrong
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "frames structure".
public enum PN532Packet {
    /// TFI from the host to the chip.
    public static let toChip: UInt8 = 0xD4
    /// TFI from the chip to the host.
    public static let toHost: UInt8 = 0xD5
    /// What stands for TFI in an error frame.
    public static let syntaxError: UInt8 = 0x7F
    /// Most bytes of data behind the code.
    public static let maximumData = 263

    /// A command.
    public struct Command: WireValue {
        public var code: PN532Code
        /// What follows it.
        public var data: [UInt8]

        public init(_ code: PN532Code, _ data: [UInt8] = []) {
            self.code = code
            self.data = data
        }

        /// Reads a command.
        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            let (code, data) = try PN532Packet.parts(of: bytes, toChip)
            self.init(code, data)
        }

        public var bytes: [UInt8] { [toChip, code.rawValue] + data }
    }

    /// An answer.
    public enum Answer: WireValue {
        /// What a command is answered, under its own code plus one.
        case data(to: PN532Code, [UInt8])
        /// The command is not known, or its syntax is wrong.
        case syntaxError

        /// Reads an answer.
        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            if bytes.count == 1, bytes[0] == PN532Packet.syntaxError {
                self = .syntaxError
            } else {
                let (code, data) = try PN532Packet.parts(of: bytes, toHost)
                self = .data(to: PN532Code(code.rawValue &- 1), data)
            }
        }

        public var bytes: [UInt8] {
            switch self {
            case .data(let code, let data): [toHost, code.answer.rawValue] + data
            case .syntaxError: [PN532Packet.syntaxError]
            }
        }
    }

    private static func parts(of bytes: Span<UInt8>, _ tfi: UInt8) throws(WireError) -> (PN532Code, [UInt8]) {
        guard bytes.count >= 2 else { throw WireError(.truncated, at: bytes.count, in: "PN532 packet") }
        guard bytes[0] == tfi else {
            throw WireError(.wrongCode, at: 0, in: "TFI", "\(Hex.digits(tfi, width: 2)) is needed here")
        }
        return (PN532Code(bytes[1]), bytes.array(2..<bytes.count))
    }

    /// The data behind a code.
    ///
    /// - Throws: ``WireError`` if the packet goes the other way or has another code.
    static func data(of bytes: Span<UInt8>, _ tfi: UInt8, _ code: PN532Code) throws(WireError) -> [UInt8] {
        let (found, data) = try parts(of: bytes, tfi)
        guard found == code else {
            throw WireError(.wrongCode, at: 1, in: "PN532 packet", "\(found) instead of \(code)")
        }
        return data
    }
}

/// A PN532 command: its code and the two packets that belong to it.
public protocol PN532Command: Sendable {
    /// What the host sends.
    associatedtype Request: PN532Value
    /// What the chip answers.
    associatedtype Response: PN532Value

    static var code: PN532Code { get }
}

/// A PN532 packet of one command.
public protocol PN532Value: WireValue {
    static var tfi: UInt8 { get }
    static var packetCode: PN532Code { get }

    init(data: [UInt8]) throws(WireError)

    var data: [UInt8] { get }
}

extension PN532Value {
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try self.init(data: PN532Packet.data(of: bytes, Self.tfi, Self.packetCode))
    }

    /// The packet.
    public var bytes: [UInt8] { [Self.tfi, Self.packetCode.rawValue] + data }
}
