import TapWire

/// The differences between chips: limits, and points on which sources or products disagree.
///
/// The defaults are those of a Suica-class chip of the DES generation, or else the manual's. ``switches`` documents each
/// property, its values and the evidence for them.
public struct FeliCaProfile: QuirkSet {
    public var maxReadBlocks = 12
    public var maxWriteBlocks = 10
    /// The form in which status flag 1 gives the position of an error.
    public var statusLocation = StatusLocation.ordinal
    /// Status flag 2 for a Read or Write that exceeds both limits.
    public var countErrorPreference = StatusFlag2.serviceCount
    /// The reaction to a Read or Write without services, with too many services, or without blocks.
    public var serviceCountErrors = Reaction.answer
    /// The reaction to a Read or Write of too many blocks whose block list or data is truncated.
    public var cutBlockList = Reaction.answer
    /// The reaction to a Read or Write that ends after an invalid number of services.
    public var cutServiceList = Reaction.silence
    public var serviceListCheck = ServiceListCheck.lazy
    /// A Boolean value that indicates whether service codes and block list elements must be in ascending order.
    public var requireAscendingLists = false
    /// The reaction to bytes after the end of a command.
    public var trailingBytes = TrailingBytes.ignore
    public var pollingRequestCodes = PollingRequestCodes.upToPerformance
    /// The reaction to unknown request codes of Polling.
    public var pollingReservedCodes = Reaction.answer
    /// The bytes Polling returns for request code 02, most significant byte first on the wire.
    public var performanceBytes = PerformanceBytes(0x0083)
    public var supportedCommands = FeliCaCommandSet.des
    public var echoMax = Echo.maximumDataLength
    /// The reaction to a Request Service that contains a code with an undefined attribute.
    public var requestServiceUnknownAttribute = Reaction.answer
    /// The reaction to a Request Service of more than 32 nodes.
    public var requestServiceBadCount = Reaction.silence
    /// Status flag 2 for a plain access to a service that needs authentication.
    public var authRequiredPlainAccess = StatusFlag2.accessDenied
    /// Status flag 2 for a Write to a block of a cyclic service other than 0.
    public var cyclicWriteBlockNonZero = StatusFlag2.accessDenied
    /// Status flag 2 for an access to a nonexistent service with PIN.
    public var absentPINService = StatusFlag2.targetMissing
    public var purseDirectRaise = false
    /// The check on the sum of value and cashback of a purse when a Write uses direct access.
    public var purseDirectSum = PurseSum.unchecked
    /// The point at which a Write checks the resulting values of purses.
    public var purseCheckOrder = PurseCheckOrder.last
    /// The signedness of the amount of a decrement or cashback of a purse with limits.
    public var limitedPurseAmount = PurseAmount.unsigned
    /// Status flag 1 sent with the warning that memory was rewritten too often.
    public var warning71Flag1 = WarningFlag(0x00)
    /// The key versions Request Service v2 lists for a card that has only DES keys.
    public var encryptionListOrder = EncryptionListOrder.des
    /// The areas around each service that the area list of Authentication1 must contain.
    public var authNodePath = AuthenticationPath.any
    /// The reaction to issuers' commands inside a session.
    public var issuerCommands = IssuerCommands.refuse
    public var blockInfoArea = BlockInfoArea.descendants
    public var modeOfOptionCommands = OptionCommandModes.any
    /// The minimum time of Search Service Code in microseconds, regardless of the PMm.
    public var searchTime = 0
    /// A Boolean value that indicates whether a time slot is drawn at random; otherwise the first one is used.
    public var randomSlot = true

    public init() {}
}

// The types of the properties of a profile.

extension FeliCaProfile {
    /// The form in which status flag 1 gives the position of an error in a list.
    public enum StatusLocation: String, Hashable, Sendable, CaseIterable {
        /// The number of the entry, counted from 1.
        case ordinal
        /// One bit for each of eight entries; entries 1, 9 and so on share bit 0.
        case bitmap
        case flag

        /// Returns status flag 1 for an error at an index counted from 0.
        func flag1(at index: Int) -> UInt8 {
            switch self {
            case .ordinal: UInt8(truncatingIfNeeded: index + 1)
            case .bitmap: 1 << UInt8(truncatingIfNeeded: index & 7)
            case .flag: StatusFlags.noPosition
            }
        }
    }

    /// The reaction to a command that a card need not answer.
    public enum Reaction: String, Hashable, Sendable, CaseIterable {
        case answer
        case silence
    }

    /// The entries of a service code list that are checked.
    public enum ServiceListCheck: String, Hashable, Sendable, CaseIterable {
        /// Only the entries a block list element refers to.
        case lazy
        /// All of them, before the block list.
        case eager
    }

    /// The checks of a Write with direct access, in addition to the rule against raising.
    public enum PurseSum: String, Hashable, Sendable, CaseIterable {
        case unchecked
        /// Value and cashback together must fit in four bytes, so that a cashback cannot overflow.
        case checked
    }

    public enum PurseCheckOrder: String, Hashable, Sendable, CaseIterable {
        /// After the checks of all elements.
        case last
        /// With the checks of its element, before those of the next element.
        case inOrder
    }

    public enum PurseAmount: String, Hashable, Sendable, CaseIterable {
        case unsigned
        /// Signed like the value itself, so a decrement of FFFFFFFF adds 1.
        case signed
    }

    /// The key versions Request Service v2 lists for a card that has only DES keys.
    public enum EncryptionListOrder: String, Hashable, Sendable, CaseIterable {
        /// One list, of DES key versions.
        case des
        /// A list of FFFF in place of AES key versions, then the DES key versions.
        case both
    }

    /// The number Request Block Information reports for an area.
    public enum BlockInfoArea: String, Hashable, Sendable, CaseIterable {
        case descendants
        case free
    }

    public enum AuthenticationPath: String, Hashable, Sendable, CaseIterable {
        case any
        /// All areas around each service.
        case full
    }

    public enum IssuerCommands: String, Hashable, Sendable, CaseIterable {
        /// Refused with FF C2, inside the encryption.
        case refuse
        case silence
    }

    public enum OptionCommandModes: String, Hashable, Sendable, CaseIterable {
        case any
        case mode0
    }

    /// The reaction to bytes after the end of a command.
    public enum TrailingBytes: Hashable, Sendable {
        case ignore
        case silence
        /// Silent to these commands if trailing bytes follow.
        case silenceFor(FeliCaCommandSet)

        /// Returns whether a command with bytes after its end is answered.
        func areIgnored(by command: CommandCode) -> Bool {
            switch self {
            case .ignore: true
            case .silence: false
            case .silenceFor(let commands): !commands.contains(command)
            }
        }
    }

    /// The request codes of Polling that a card knows: all codes up to a limit.
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
        /// The two bytes, most significant first on the wire.
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

/// Commands in ascending order of their codes, without duplicates.
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

    public func union(_ other: FeliCaCommandSet) -> FeliCaCommandSet {
        FeliCaCommandSet(codes + other.codes)
    }

    public func subtracting(_ other: FeliCaCommandSet) -> FeliCaCommandSet {
        FeliCaCommandSet(codes.filter { !other.contains($0) })
    }
}

extension FeliCaCommandSet {
    /// The commands cards of the DES generation answer.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition; Echo and Authentication1 measured by felica-tool; the
    /// commands inside a session from the unofficial edition of the manual.
    public static let des = FeliCaCommandSet([
        .polling, .requestService, .requestResponse, .readWithoutEncryption, .writeWithoutEncryption,
        .searchServiceCode, .requestSystemCode, .echo, .authentication1, .authentication2, .secureRead, .secureWrite,
    ]).union(.desIssuance)

    /// Commands that issuers send inside a session with DES keys.
    public static let desIssuance: FeliCaCommandSet = [
        CommandCode(0x80), CommandCode(0x82), CommandCode(0x84), CommandCode(0x86), CommandCode(0x88),
        CommandCode(0x8E),
    ]

    /// Commands that issuers send inside a session with AES keys.
    public static let aesIssuance: FeliCaCommandSet = [
        .deleteKey, CommandCode(0x52), CommandCode(0x54), CommandCode(0x56), CommandCode(0x58), CommandCode(0x5C),
        CommandCode(0x5E), .setNodeProperty,
    ]

    /// Commands that follow Authentication1 or Authentication1 v2, for either cipher.
    public static let session = desIssuance.union(aesIssuance).union([
        .authentication2, .secureRead, .secureWrite, .authentication2V2, .secureReadV2, .secureWriteV2,
    ])

    /// The commands cards with AES answer.
    ///
    /// Source: measured by felica-tool; the commands inside a session from FeliCa Card User's Manual (Unofficial
    /// Edition).
    public static let aes = des.union([
        .requestServiceV2, .getSystemStatus, .requestProductInformation, .requestSpecificationVersion, .resetMode,
        .authentication1V2, .authentication2V2, .secureReadV2, .secureWriteV2,
    ]).union(.aesIssuance)

    /// The commands chips with the MAC option answer.
    ///
    /// Source: 34 measured by felica-tool.
    public static let macOption: FeliCaCommandSet = [.internalAuthenticateAndRead, .externalAuthenticateAndWrite]

    /// The commands Mobile FeliCa 4.1 answers in addition to those of cards with AES.
    ///
    /// Source: measured by felica-tool.
    public static let mobile: FeliCaCommandSet = [
        .requestBlockInformation, .requestCodeList, .requestBlockInformationEx, .setParameter,
        .getContainerIssueInformation, .getAreaInformation, .getContainerProperty, .getContainerID,
    ]
}
