/// The code of a FeliCa command or response: one byte, or two from C0 upward.
///
/// Every packet has one, known or not. A command's first byte is even, its response's is one more; only Echo answers
/// with its own code.
/// Sources: FeliCa Card User's Manual, excerpted edition, "command packet" and "response packet"; two-byte codes from
/// the annotations of the Proxmark3 client and measurements by felica-tool.
public struct CommandCode: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Lowest first byte of a code of two bytes.
    @inlinable static var firstOfTwoByteCodes: UInt8 { 0xC0 }

    /// The first byte.
    public let first: UInt8
    /// The second byte of a two-byte code; zero for a code of one byte.
    public let function: UInt8

    /// Creates a code; `function` counts only for codes of two bytes.
    @inlinable
    public init(_ first: UInt8, _ function: UInt8 = 0) {
        self.first = first
        self.function = first >= Self.firstOfTwoByteCodes ? function : 0
    }

    /// Reads the code of a packet, or nothing if the packet ends before it does.
    @inlinable
    public init?(of packet: Span<UInt8>) {
        guard packet.count >= 2 else { return nil }
        let isLong = packet[1] >= Self.firstOfTwoByteCodes
        guard packet.count >= (isLong ? 3 : 2) else { return nil }
        self.init(packet[1], isLong ? packet[2] : 0)
    }

    /// Number of bytes, 1 or 2.
    @inlinable
    public var byteCount: Int { first >= Self.firstOfTwoByteCodes ? 2 : 1 }

    /// Whether the packet is a response, which a card ignores.
    @inlinable
    public var isResponse: Bool { first & 1 == 1 }

    /// The code of the response to this command; a response code stays as it is.
    @inlinable
    public var response: CommandCode { self == .echo ? self : CommandCode(first | 1, function) }

    /// The code of the command this is the response to; a command code stays as it is.
    @inlinable
    public var command: CommandCode { CommandCode(first & 0xFE, function) }

    /// Whether a code comes first in ascending order.
    public static func < (left: CommandCode, right: CommandCode) -> Bool {
        (left.first, left.function) < (right.first, right.function)
    }

    /// Two hexadecimal digits, or four.
    public var description: String {
        byteCount == 1 ? Hex.digits(first, width: 2) : Hex.text([first, function])
    }
}

extension CommandCode {
    /// The entry of the table of known commands for this command or response.
    public var entry: CodeEntry<CommandCode>? {
        Self.entries[command]
    }

    private static let entries = Dictionary(known.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The manual's name of the command, with `response` behind it where the code is one.
    public var name: String {
        guard let entry else { return "\(isResponse ? "unknown response" : "unknown command") \(self)" }
        return isResponse ? "\(entry.name) response" : entry.name
    }
}

// The codes of the commands that others speak of by name.
//
// Those of every tap, and Echo, with which the code of every answer is compared, are computed: that makes them
// constants in the module of the cards as well.

extension CommandCode {
    /// Finds cards by system code.
    @inlinable public static var polling: CommandCode { CommandCode(0x00) }
    /// Asks for key versions of nodes.
    @inlinable public static var requestService: CommandCode { CommandCode(0x02) }
    /// Asks for the mode.
    public static let requestResponse = CommandCode(0x04)
    /// Reads blocks without a session.
    @inlinable public static var readWithoutEncryption: CommandCode { CommandCode(0x06) }
    /// Writes blocks without a session.
    public static let writeWithoutEncryption = CommandCode(0x08)
    /// Enumerates areas and services.
    public static let searchServiceCode = CommandCode(0x0A)
    /// Lists the systems of the card.
    public static let requestSystemCode = CommandCode(0x0C)
    /// Asks for the block counts of nodes.
    public static let requestBlockInformation = CommandCode(0x0E)
    /// Starts a DES session.
    public static let authentication1 = CommandCode(0x10)
    /// Completes a DES session.
    public static let authentication2 = CommandCode(0x12)
    /// Lists the nodes below an area.
    public static let requestCodeList = CommandCode(0x1A)
    /// Asks for assigned and free blocks of nodes.
    public static let requestBlockInformationEx = CommandCode(0x1E)
    /// Chooses encryption and packet type.
    public static let setParameter = CommandCode(0x20)
    /// Asks for format, carrier and phone model.
    public static let getContainerIssueInformation = CommandCode(0x22)
    /// Asks about an area.
    public static let getAreaInformation = CommandCode(0x24)
    /// Asks for the options of nodes.
    public static let getNodeProperty = CommandCode(0x28)
    /// Asks for a property of the container.
    public static let getContainerProperty = CommandCode(0x2E)
    /// Asks for key versions and kinds of keys.
    public static let requestServiceV2 = CommandCode(0x32)
    /// Asks for the status of the system.
    public static let getSystemStatus = CommandCode(0x38)
    /// Asks for product information.
    public static let requestProductInformation = CommandCode(0x3A)
    /// Asks for the versions of specification and options.
    public static let requestSpecificationVersion = CommandCode(0x3C)
    /// Goes back to Mode0.
    public static let resetMode = CommandCode(0x3E)
    /// Starts an AES session.
    static let authentication1V2 = CommandCode(0x40)
    /// Completes an AES session.
    static let authentication2V2 = CommandCode(0x42)
    /// Asks for the IDm of the container.
    public static let getContainerID = CommandCode(0x70)
    /// Returns what was sent.
    @inlinable public static var echo: CommandCode { CommandCode(0xF0, 0x00) }

    /// The commands with a published name, in the order of their codes.
    public static let known = (openCommands + optionCommands + sessionCommands + issuanceCommands).sorted {
        $0.code < $1.code
    }
}

/// One line of a table that explains codes: a name for lists, a sentence for people, and what to know beyond it.
public struct CodeEntry<Code: Hashable & Sendable>: Hashable, Sendable {
    public let code: Code
    /// Its name, as the manuals write it.
    public let name: String
    /// What it means, one sentence.
    public let explanation: String
    /// What refuses a command, or what to do about an error; sentences.
    public let notes: [String]
    /// Where it is documented; empty where the table as a whole says so.
    public let source: String

    init(_ code: Code, _ name: String, _ explanation: String, notes: [String] = [], source: String = "") {
        self.code = code
        self.name = name
        self.explanation = explanation
        self.notes = notes
        self.source = source
    }
}
