import TapWire

/// The commands the engine can answer, and the one table that decides what is heard.
///
/// A command that is not here, or not in the profile's list, or not allowed in the current mode, is met with silence.
/// Sources: FeliCa Card User's Manual, excerpted edition, table of commands and modes; modes of option commands are
/// not documented and follow a switch.
enum FeliCaCardCommand: UInt8, Hashable, Sendable, CaseIterable {
    case polling
    case requestService, requestResponse, searchServiceCode, requestSystemCode
    case readWithoutEncryption, writeWithoutEncryption
    case requestServiceV2, getSystemStatus, requestProductInformation, requestSpecificationVersion, resetMode
    case requestBlockInformation, requestCodeList, requestBlockInformationEx, getAreaInformation, getNodeProperty
    case setParameter, getContainerIssueInformation, getContainerProperty, getContainerID
    case echo

    /// The line of the table.
    func rule(for profile: FeliCaProfile, _ pmm: PMm) -> FeliCaCommandRule {
        let option: FeliCaModeSet = profile.modeOfOptionCommands == .any ? .any : .mode0
        let nodes = FeliCaCommandRule.Structure.nodes(
            at: behindIDm, most: UInt8(FeliCaPacket.maximumNodes), isRefused: false)
        let nodesOrA1 = FeliCaCommandRule.Structure.nodes(
            at: behindIDm, most: UInt8(FeliCaPacket.maximumNodes), isRefused: true)
        func rule(
            _ code: CommandCode, _ structure: FeliCaCommandRule.Structure, _ modes: FeliCaModeSet,
            _ timeClass: PMm.CommandClass = .fixed, hasIDm: Bool = true
        ) -> FeliCaCommandRule {
            FeliCaCommandRule(
                command: self, code: code, structure: structure, modes: modes,
                time: FeliCaResponseTime(pmm, timeClass), hasIDm: hasIDm,
                ignoresTrailingBytes: profile.trailingBytes.areIgnored(by: code))
        }
        return switch self {
        // Polling is answered before mode and system are looked at: see `answerPolling`, which minds this length.
        case .polling: rule(.polling, .fixed(Polling.Request.length), .any, hasIDm: false)
        case .requestService where profile.requestServiceBadCount == .answer:
            rule(.requestService, .nodes(at: behindIDm, most: .max, isRefused: false), .any, .requestService)
        case .requestService: rule(.requestService, nodes, .any, .requestService)
        case .requestResponse: rule(.requestResponse, .fixed(behindIDm), .any)
        case .searchServiceCode: rule(.searchServiceCode, .fixed(SearchServiceCode.Request.length), .any)
        case .requestSystemCode: rule(.requestSystemCode, .fixed(behindIDm), .any)
        case .readWithoutEncryption: rule(.readWithoutEncryption, .read, .mode0, .read)
        case .writeWithoutEncryption: rule(.writeWithoutEncryption, .write, .mode0, .write)
        case .requestServiceV2: rule(.requestServiceV2, nodesOrA1, .any, .requestService)
        case .getSystemStatus: rule(.getSystemStatus, .reserved(at: behindIDm), .any)
        case .requestProductInformation: rule(.requestProductInformation, .fixed(behindIDm), .any)
        case .requestSpecificationVersion: rule(.requestSpecificationVersion, .reserved(at: behindIDm), .any)
        case .resetMode: rule(.resetMode, .reserved(at: behindIDm), .any)
        case .requestBlockInformation: rule(.requestBlockInformation, nodes, option, .requestService)
        case .requestCodeList:
            rule(.requestCodeList, .fixed(RequestCodeList.Request.length), option, .requestService)
        case .requestBlockInformationEx: rule(.requestBlockInformationEx, nodesOrA1, option, .requestService)
        case .getAreaInformation: rule(.getAreaInformation, .fixed(GetAreaInformation.Request.length), option)
        case .getNodeProperty: rule(.getNodeProperty, .propertyNodes, option, .requestService)
        case .setParameter: rule(.setParameter, .fixed(SetParameter.Request.length), option)
        case .getContainerIssueInformation: rule(.getContainerIssueInformation, .reserved(at: behindIDm), option)
        case .getContainerProperty:
            rule(.getContainerProperty, .fixed(GetContainerProperty.Request.length), option, hasIDm: false)
        case .getContainerID: rule(.getContainerID, .reserved(at: behindCode), option, hasIDm: false)
        case .echo: rule(.echo, .free(atLeast: UInt8(Echo.minimumLength)), option, hasIDm: false)
        }
    }

    /// Offset of the first field of a command with IDm.
    private var behindIDm: UInt8 { UInt8(FeliCaPacket.idmLength) }
    /// Offset of the first field of a command without IDm.
    private var behindCode: UInt8 { UInt8(FeliCaPacket.minimumLength) }

    /// The rules of a chip by the first byte of the command code.
    static func rules(for profile: FeliCaProfile, _ pmm: PMm) -> [FeliCaCommandRule?] {
        var rules: [FeliCaCommandRule?] = Array(repeating: nil, count: 256)
        for command in allCases {
            let rule = command.rule(for: profile, pmm)
            if profile.supportedCommands.contains(rule.code) { rules[Int(rule.code.first)] = rule }
        }
        return rules
    }

    /// The codes of all commands the engine can answer.
    static let allCodes = FeliCaCommandSet(allCases.map { $0.rule(for: FeliCaProfile(), PMm(0)).code })
}

/// What has to be true of a packet before a command is carried out.
struct FeliCaCommandRule: Hashable, Sendable {
    /// How the end of a command is found; no place in a packet is beyond a byte.
    enum Structure: Hashable, Sendable {
        /// All fields lie at fixed places.
        case fixed(UInt8)
        /// All fields lie at fixed places; the last two bytes are reserved and zero, or the packet is malformed.
        case reserved(at: UInt8)
        /// A counted list of nodes ends it; a count of zero or above `most` is refused, or malformed.
        case nodes(at: UInt8, most: UInt8, isRefused: Bool)
        /// The lists of a Read.
        case read
        /// The lists of a Write, and its data.
        case write
        case free(atLeast: UInt8)

        /// The nodes of Get Node Property, behind its type.
        static let propertyNodes = nodes(
            at: UInt8(GetNodeProperty.Request.countOffset), most: UInt8(GetNodeProperty.maximumNodes),
            isRefused: true)

        /// All fields lie in a packet of one length.
        static func fixed(_ length: Int) -> Structure { fixed(UInt8(length)) }
    }

    /// What to carry out.
    let command: FeliCaCardCommand
    let code: CommandCode
    /// How its end is found.
    let structure: Structure
    let modes: FeliCaModeSet
    /// How long an answer takes.
    let time: FeliCaResponseTime
    /// Whether it names the system it is for.
    let hasIDm: Bool
    /// Whether bytes behind its end do no harm.
    let ignoresTrailingBytes: Bool

    /// Whether a packet that begins with the first byte of the code has the other one as well, if there is one.
    @inline(__always)
    func hasCode(_ packet: Span<UInt8>) -> Bool {
        code.byteCount == 1 || packet.count > 2 && packet[2] == code.function
    }
}

/// How far a session with the current system has come.
///
/// Source: FeliCa Card User's Manual, excerpted edition, "mode transitions".
public enum FeliCaMode: UInt8, Hashable, Sendable, CaseIterable {
    /// No session: after power-on, after a switch of systems, after Reset Mode.
    case mode0
    /// The card has answered Authentication1.
    case mode1
    /// Reader and card know each other.
    case mode2
    /// Issuance has begun.
    case mode3
}

/// Modes in which a command is answered.
struct FeliCaModeSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let mode0 = FeliCaModeSet(rawValue: 0b0001)
    static let any = FeliCaModeSet(rawValue: 0b1111)

    @inline(__always)
    func contains(_ mode: FeliCaMode) -> Bool { rawValue &>> mode.rawValue & 1 == 1 }
}

/// How long a card takes for a command: `fixed + perUnit · n` carrier periods for n nodes or blocks.
struct FeliCaResponseTime: Hashable, Sendable {
    /// The part of its maximum response time a card takes, one over this number.
    ///
    /// No source tells how long chips really take; a quarter of what they allow themselves is inferred.
    static let shareOfMaximum: UInt32 = 4
    /// The shortest time between the end of a command and an answer, in carrier periods.
    ///
    /// Source: JIS X 6319-4, as the FeliCa listener of the Flipper firmware keeps it.
    static let minimumPeriods: UInt32 = 2_672

    private let fixed: UInt32
    private let perUnit: UInt32

    init(_ pmm: PMm, _ commandClass: PMm.CommandClass) {
        // Maxima are multiples of 4,096, which the share divides. Even that of 255 blocks is far below 2³² periods, so
        // that 32 bits need no check of overflow.
        let maximum = (0...1).map { UInt32(pmm.maximumResponsePeriods(commandClass, count: $0)) }
        fixed = maximum[0] / Self.shareOfMaximum
        perUnit = (maximum[1] - maximum[0]) / Self.shareOfMaximum
    }

    /// The time for a count of nodes or blocks.
    @inline(__always)
    func duration(count: Int) -> Duration {
        AirTime.carrierPeriods(Int(max(Self.minimumPeriods, periods(count))))
    }

    /// The maximum response time for a count of nodes or blocks, as a reader computes it from the PMm.
    func maximum(count: Int) -> Duration {
        AirTime.carrierPeriods(Int(max(Self.minimumPeriods, Self.shareOfMaximum &* periods(count))))
    }

    @inline(__always)
    private func periods(_ count: Int) -> UInt32 { fixed &+ perUnit &* UInt32(truncatingIfNeeded: count) }
}

/// When a card answers a Polling.
enum FeliCaTimeSlot {
    /// The time until the first slot, in carrier periods.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling", 2.417 ms.
    static let firstPeriods: UInt32 = 512 * 64
    /// The length of a slot, in carrier periods.
    ///
    /// Source: FeliCa Card User's Manual, excerpted edition, "Polling", 1.208 ms.
    static let periods: UInt32 = 256 * 64

    /// Chooses a slot.
    ///
    /// The time slot byte is 00, 01, 03, 07 or 0F, one less than the number of slots. Other values depend on the
    /// product; here the low four bits are a mask of the slots a card may take, which is inferred.
    @inline(__always)
    static func draw(_ timeSlot: UInt8, from random: inout SeededGenerator) -> Int {
        let mask = Int(timeSlot & 0x0F)
        return mask == 0 ? 0 : random.next(below: 16) & mask
    }

    /// When the answer in a slot begins.
    @inline(__always)
    static func delay(_ slot: Int) -> Duration {
        AirTime.carrierPeriods(Int(firstPeriods &+ UInt32(truncatingIfNeeded: slot) &* periods))
    }
}
