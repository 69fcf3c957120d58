/// The code of a FeliCa command or response: one byte, or two from C0 upward.
///
/// Every packet has one, known or not. A command's first byte is even, its response's is one more; only Echo answers
/// with its own code.
/// Sources: FeliCa Card User's Manual, excerpted edition, "command packet" and "response packet"; two-byte codes from
/// the annotations of the Proxmark3 client and measurements by felica-tool.
public struct CommandCode: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Lowest first byte of a code of two bytes.
    @inlinable static var firstOfTwoByteCodes: UInt8 { 0xC0 }

    public let first: UInt8
    /// The second byte of a two-byte code; zero for a code of one byte.
    public let function: UInt8

    /// Creates a code; `function` counts only for codes of two bytes.
    @inlinable
    public init(_ first: UInt8, _ function: UInt8 = 0) {
        self.first = first
        self.function = first >= Self.firstOfTwoByteCodes ? function : 0
    }

    /// Reads the code of a packet, or `nil` if the packet ends before it does.
    @inlinable
    public init?(of packet: Span<UInt8>) {
        guard packet.count >= 2 else { return nil }
        let isLong = packet[1] >= Self.firstOfTwoByteCodes
        guard packet.count >= (isLong ? 3 : 2) else { return nil }
        self.init(packet[1], isLong ? packet[2] : 0)
    }

    @inlinable public var byteCount: Int { first >= Self.firstOfTwoByteCodes ? 2 : 1 }

    /// Whether the packet is a response, which a card ignores.
    @inlinable public var isResponse: Bool { first & 1 == 1 }

    /// The code of the response to this command; a response code stays as it is.
    @inlinable public var response: CommandCode { self == .echo ? self : CommandCode(first | 1, function) }

    /// The code of the command this is the response to; a command code stays as it is.
    @inlinable public var command: CommandCode { CommandCode(first & 0xFE, function) }

    public static func < (left: CommandCode, right: CommandCode) -> Bool {
        (left.first, left.function) < (right.first, right.function)
    }

    /// Two hexadecimal digits, or four.
    public var description: String {
        byteCount == 1 ? Hex.digits(first, width: 2) : Hex.text([first, function])
    }
}

extension CommandCode {
    /// The manual's name of the command, with `response` behind it where the code is one.
    public var name: String {
        guard let name = CommandDescription.of(self)?.name else {
            return "\(isResponse ? "unknown response" : "unknown command") \(self)"
        }
        return isResponse ? "\(name) response" : name
    }
}

/// One line of a table that explains codes: a name for lists, a sentence for people, and what to know beyond it.
public struct CodeEntry<Code: Hashable & Sendable>: Hashable, Sendable {
    package let code: Code
    /// Its name, as the manuals write it.
    package let name: String
    package let explanation: String
    /// What refuses a command, or what to do about an error; sentences.
    package let notes: [String]
    /// Where it is documented; empty where the table as a whole says so.
    package let source: String

    init(_ code: Code, _ name: String, _ explanation: String, notes: [String] = [], source: String = "") {
        self.code = code
        self.name = name
        self.explanation = explanation
        self.notes = notes
        self.source = source
    }
}
