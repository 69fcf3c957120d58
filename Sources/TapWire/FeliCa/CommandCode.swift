/// The code of a FeliCa command or response: one byte, or two bytes from C0 upward.
///
/// Every packet has a code, known or unknown. A command's first byte is even; its response has that byte plus one. Only Echo
/// answers with its own code. Sources: FeliCa Card User's Manual, excerpted edition, "command packet" and "response packet";
/// two-byte codes from the annotations of the Proxmark3 client and measurements by felica-tool.
public struct CommandCode: Hashable, Comparable, Sendable, CustomStringConvertible {
    @inlinable static var firstOfTwoByteCodes: UInt8 { 0xC0 }

    public let first: UInt8
    /// The second byte of a two-byte code; zero for a one-byte code.
    public let function: UInt8

    /// Creates a code; `function` is ignored unless the code has two bytes.
    @inlinable
    public init(_ first: UInt8, _ function: UInt8 = 0) {
        self.first = first
        self.function = first >= Self.firstOfTwoByteCodes ? function : 0
    }

    /// Reads the code of a packet, or returns `nil` if the packet ends inside the code.
    @inlinable
    public init?(of packet: Span<UInt8>) {
        guard packet.count >= 2 else { return nil }
        let isLong = packet[1] >= Self.firstOfTwoByteCodes
        guard packet.count >= (isLong ? 3 : 2) else { return nil }
        self.init(packet[1], isLong ? packet[2] : 0)
    }

    @inlinable public var byteCount: Int { first >= Self.firstOfTwoByteCodes ? 2 : 1 }

    /// A Boolean value that indicates whether the packet is a response, which a card ignores.
    @inlinable public var isResponse: Bool { first & 1 == 1 }

    /// The code of the response to this command; a response code is returned unchanged.
    @inlinable public var response: CommandCode { self == .echo ? self : CommandCode(first | 1, function) }

    /// The code of the command for this response; a command code is returned unchanged.
    @inlinable public var command: CommandCode { CommandCode(first & 0xFE, function) }

    public static func < (left: CommandCode, right: CommandCode) -> Bool {
        (left.first, left.function) < (right.first, right.function)
    }

    /// Two or four hexadecimal digits.
    public var description: String {
        byteCount == 1 ? Hex.digits(first, width: 2) : Hex.text([first, function])
    }
}

extension CommandCode {
    /// The manual's name of the command, followed by `response` for a response code.
    public var name: String {
        guard let name = CommandDescription.of(self)?.name else {
            return "\(isResponse ? "unknown response" : "unknown command") \(self)"
        }
        return isResponse ? "\(name) response" : name
    }
}

/// An entry in a table of codes: a name for lists, an explanatory sentence and further notes.
public struct CodeEntry<Code: Hashable & Sendable>: Hashable, Sendable {
    package let code: Code
    /// The name used in the manuals.
    package let name: String
    package let explanation: String
    /// Reasons for refusing a command, or ways to handle an error, as sentences.
    package let notes: [String]
    /// The documentation of the entry; empty if the whole table has the same source.
    package let source: String

    init(_ code: Code, _ name: String, _ explanation: String, notes: [String] = [], source: String = "") {
        self.code = code
        self.name = name
        self.explanation = explanation
        self.notes = notes
        self.source = source
    }
}
