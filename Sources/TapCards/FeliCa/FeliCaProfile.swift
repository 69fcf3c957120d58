import TapWire

/// What differs from chip to chip: limits, and points on which sources or products disagree.
///
/// The defaults are those of a Suica-class chip of the DES generation, or else the manual's. ``switches`` explains each
/// property, its values and the evidence for them.
public struct FeliCaProfile: QuirkSet {
    public var maxReadBlocks = 12
    public var maxWriteBlocks = 10
    /// How status flag 1 gives the place of an error.
    public var statusLocation = StatusLocation.ordinal
    /// Which status flag 2 answers a Read or Write that breaks both limits.
    public var countErrorPreference = StatusFlag2.serviceCount
    /// What a card does with a Read or Write without services, with too many, or without blocks.
    public var serviceCountErrors = Reaction.answer
    /// What a card does with a Read or Write of too many blocks whose block list or data is cut off.
    public var cutBlockList = Reaction.answer
    /// What a card does with a Read or Write that ends behind a number of services it does not take.
    public var cutServiceList = Reaction.silence
    public var serviceListCheck = ServiceListCheck.lazy
    /// Whether service codes and block list elements have to come in ascending order.
    public var requireAscendingLists = false
    /// What a card does with bytes behind the end of a command.
    public var trailingBytes = TrailingBytes.ignore
    public var pollingRequestCodes = PollingRequestCodes.upToPerformance
    /// What a card does with request codes of Polling it does not know.
    public var pollingReservedCodes = Reaction.answer
    /// What Polling returns for request code 02, the first byte on the wire highest.
    public var performanceBytes = PerformanceBytes(0x0083)
    public var supportedCommands = FeliCaCommandSet.des
    public var echoMax = Echo.maximumDataLength
    /// What a card does with a Request Service that holds a code of no defined attribute.
    public var requestServiceUnknownAttribute = Reaction.answer
    /// What a card does with a Request Service of more than 32 nodes.
    public var requestServiceBadCount = Reaction.silence
    /// Status flag 2 of a plain access to a service that needs authentication.
    public var authRequiredPlainAccess = StatusFlag2.accessDenied
    /// Status flag 2 of a Write to another block of a cyclic service than 0.
    public var cyclicWriteBlockNonZero = StatusFlag2.accessDenied
    /// Status flag 2 of an access to a service with PIN that does not exist.
    public var absentPINService = StatusFlag2.targetMissing
    public var purseDirectRaise = false
    /// Whether a Write with direct access may bring value and cashback of a purse above four bytes together.
    public var purseDirectSum = PurseSum.unchecked
    /// When a Write checks what purses would hold.
    public var purseCheckOrder = PurseCheckOrder.last
    /// How the amount of a decrement or cashback of a purse with limits is read.
    public var limitedPurseAmount = PurseAmount.unsigned
    /// Status flag 1 beside the warning that memory was rewritten too often.
    public var warning71Flag1 = WarningFlag(0x00)
    /// What Request Service v2 lists on a card with DES keys alone.
    public var encryptionListOrder = EncryptionListOrder.des
    /// Whether the areas around each service have to be in the area list of Authentication1.
    public var authNodePath = AuthenticationPath.any
    /// What a card does with issuers' commands inside a session.
    public var issuerCommands = IssuerCommands.refuse
    public var blockInfoArea = BlockInfoArea.descendants
    public var modeOfOptionCommands = OptionCommandModes.any
    /// Microseconds that Search Service Code takes at least, whatever the PMm states.
    public var searchTime = 0
    /// Whether a time slot is drawn, or always the first one taken.
    public var randomSlot = true

    public init() {}
}

// The types of the properties of a profile.

extension FeliCaProfile {
    /// How status flag 1 gives the place of an error in a list.
    public enum StatusLocation: String, Hashable, Sendable, CaseIterable {
        /// The number of the entry, from 1.
        case ordinal
        /// One bit for each of eight entries; entries 1, 9 and so on share bit 0.
        case bitmap
        case flag

        /// Status flag 1 for an error at an index from 0.
        func flag1(at index: Int) -> UInt8 {
            switch self {
            case .ordinal: UInt8(truncatingIfNeeded: index + 1)
            case .bitmap: 1 << UInt8(truncatingIfNeeded: index & 7)
            case .flag: StatusFlags.noPosition
            }
        }
    }

    /// What a card does with a command it need not answer.
    public enum Reaction: String, Hashable, Sendable, CaseIterable {
        case answer
        case silence
    }

    /// Which entries of a service code list are checked.
    public enum ServiceListCheck: String, Hashable, Sendable, CaseIterable {
        /// Those a block list element refers to.
        case lazy
        /// All of them, before the block list.
        case eager
    }

    /// What a Write with direct access checks besides the rule against raising.
    public enum PurseSum: String, Hashable, Sendable, CaseIterable {
        case unchecked
        /// Value and cashback together have to fit four bytes, so that a cashback cannot overflow.
        case checked
    }

    public enum PurseCheckOrder: String, Hashable, Sendable, CaseIterable {
        /// After the checks of all elements.
        case last
        /// With the checks of its element, before those of the next one.
        case inOrder
    }

    public enum PurseAmount: String, Hashable, Sendable, CaseIterable {
        case unsigned
        /// As the value itself is, so that a decrement of FFFFFFFF adds 1.
        case signed
    }

    /// What Request Service v2 lists on a card with DES keys alone.
    public enum EncryptionListOrder: String, Hashable, Sendable, CaseIterable {
        /// One list, of DES key versions.
        case des
        /// A list of FFFF in the place of AES key versions, then the DES key versions.
        case both
    }

    /// What Request Block Information says about an area.
    public enum BlockInfoArea: String, Hashable, Sendable, CaseIterable {
        case descendants
        case free
    }

    public enum AuthenticationPath: String, Hashable, Sendable, CaseIterable {
        /// Any areas that exist.
        case any
        /// All areas around each service.
        case full
    }

    public enum IssuerCommands: String, Hashable, Sendable, CaseIterable {
        /// FF C2, inside the encryption.
        case refuse
        case silence
    }

    public enum OptionCommandModes: String, Hashable, Sendable, CaseIterable {
        case any
        case mode0
    }

    /// What a card does with bytes behind the end of a command.
    public enum TrailingBytes: Hashable, Sendable {
        case ignore
        case silence
        /// It is silent to these commands if they have some.
        case silenceFor(FeliCaCommandSet)

        /// Whether a command with bytes behind its end is answered.
        func areIgnored(by command: CommandCode) -> Bool {
            switch self {
            case .ignore: true
            case .silence: false
            case .silenceFor(let commands): !commands.contains(command)
            }
        }
    }

    /// The request codes of Polling a card knows: all up to one.
    public enum PollingRequestCodes: String, Hashable, Sendable, CaseIterable {
        case none = "00"
        /// 00 and 01, the system code.
        case upToSystemCode = "00 01"
        /// 00, 01 and 02, the communication performance.
        case upToPerformance = "00 01 02"

        @inline(__always)
        func contains(_ code: Polling.RequestCode) -> Bool {
            switch code {
            case .none: true
            case .systemCode: self != .none
            case .communicationPerformance: self == .upToPerformance
            default: false
            }
        }
    }

    /// The communication performance of a card, two bytes.
    ///
    /// Byte 0 is 00; byte 1 has bit 0 for 212 kbit/s, bit 1 for 424 kbit/s, bit 7 for automatic detection of the rate.
    /// Source: FeliCa Card User's Manual, excerpted edition, table of communication performance.
    public struct PerformanceBytes: OpenCode {
        /// The two bytes, the first on the wire highest.
        public let rawValue: UInt16

        public init(_ rawValue: UInt16) {
            self.rawValue = rawValue
        }
    }

    /// Status flag 1 of an answer whose status flag 2 is a warning.
    public struct WarningFlag: OpenCode {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }
    }
}

/// Commands in ascending order of their codes, each once.
public struct FeliCaCommandSet: Hashable, Sendable, ExpressibleByArrayLiteral {
    public let codes: [CommandCode]

    public init(_ codes: some Sequence<CommandCode>) {
        self.codes = Set(codes).sorted()
    }

    public init(arrayLiteral codes: CommandCode...) {
        self.init(codes)
    }

    public func contains(_ code: CommandCode) -> Bool {
        codes.contains(code)
    }

    /// The set with those of another.
    public func union(_ other: FeliCaCommandSet) -> FeliCaCommandSet {
        FeliCaCommandSet(codes + other.codes)
    }

    /// The set without those of another.
    public func subtracting(_ other: FeliCaCommandSet) -> FeliCaCommandSet {
        FeliCaCommandSet(codes.filter { !other.contains($0) })
    }
}

extension FeliCaCommandSet {
    /// What cards of the DES generation answer.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition; Echo and Authentication1 measured by felica-tool; the
    /// commands inside a session from the unofficial edition of the manual.
    public static let des = FeliCaCommandSet([
        .polling, .requestService, .requestResponse, .readWithoutEncryption, .writeWithoutEncryption,
        .searchServiceCode, .requestSystemCode, .echo, .authentication1, .authentication2, .secureRead, .secureWrite,
    ]).union(.desIssuance)

    /// What issuers send inside a session with DES keys.
    public static let desIssuance: FeliCaCommandSet = [
        CommandCode(0x80), CommandCode(0x82), CommandCode(0x84), CommandCode(0x86), CommandCode(0x88),
        CommandCode(0x8E),
    ]

    /// What issuers send inside a session with AES keys.
    public static let aesIssuance: FeliCaCommandSet = [
        .deleteKey, CommandCode(0x52), CommandCode(0x54), CommandCode(0x56), CommandCode(0x58), CommandCode(0x5C),
        CommandCode(0x5E), .setNodeProperty,
    ]

    /// What follows on Authentication1 or its version 2, of either cipher.
    public static let session = desIssuance.union(aesIssuance).union([
        .authentication2, .secureRead, .secureWrite, .authentication2V2, .secureReadV2, .secureWriteV2,
    ])

    /// What cards with AES answer.
    ///
    /// Source: measured by felica-tool; the commands inside a session from FeliCa Card User's Manual (Unofficial
    /// Edition).
    public static let aes = des.union([
        .requestServiceV2, .getSystemStatus, .requestProductInformation, .requestSpecificationVersion, .resetMode,
        .authentication1V2, .authentication2V2, .secureReadV2, .secureWriteV2,
    ]).union(.aesIssuance)

    /// What chips with the MAC option answer.
    ///
    /// Source: 34 measured by felica-tool.
    public static let macOption: FeliCaCommandSet = [.internalAuthenticateAndRead, .externalAuthenticateAndWrite]

    /// What Mobile FeliCa 4.1 answers besides the commands of cards with AES.
    ///
    /// Source: measured by felica-tool.
    public static let mobile: FeliCaCommandSet = [
        .requestBlockInformation, .requestCodeList, .requestBlockInformationEx, .setParameter,
        .getContainerIssueInformation, .getAreaInformation, .getContainerProperty, .getContainerID,
    ]
}
