import TapWire

/// The commands the engine can answer, and the single table that decides which are accepted.
///
/// The card is silent to a command that is missing here or in the profile's list, or not allowed in the current mode.
/// Sources: FeliCa Card User's Manual, excerpted edition, table of commands and modes; the modes of option commands are not
/// documented and are set by a switch.
enum FeliCaCardCommand: UInt8, Hashable, Sendable, CaseIterable {
    case polling
    case requestService, requestResponse, searchServiceCode, requestSystemCode
    case readWithoutEncryption, writeWithoutEncryption
    case requestServiceV2, getSystemStatus, requestProductInformation, requestSpecificationVersion, resetMode
    case requestBlockInformation, requestCodeList, requestBlockInformationEx, getAreaInformation, getNodeProperty
    case setParameter, getContainerIssueInformation, getContainerProperty, getContainerID
    case echo
    case authentication1, authentication2, authentication1V2, authentication2V2
    case secureRead, secureWrite, secureReadV2, secureWriteV2
    /// Commands that issuers send inside a session, for either cipher.
    case issuance
    case internalAuthenticateAndRead, externalAuthenticateAndWrite, updateRandomID

    /// Returns the table rows of the command: everything its description does not include.
    func rules(for profile: FeliCaProfile, _ pmm: PMm, _ time: FeliCaTime) -> [FeliCaCommandRule] {
        let option: FeliCaModeSet = profile.modeOfOptionCommands == .any ? .any : .mode0
        func rule(
            _ code: CommandCode, _ modes: FeliCaModeSet = .any, mostNodes: Int = FeliCaPacket.maximumNodes,
            refusesCounts: Bool = false, isOption: Bool = false
        ) -> FeliCaCommandRule {
            guard let description = CommandDescription.of(code) else {
                preconditionFailure("\(code) is described")
            }
            return FeliCaCommandRule(
                command: self, code: code,
                structure: FeliCaCommandRule.Structure(description, mostNodes: mostNodes, refusesCounts: refusesCounts),
                modes: isOption ? option : modes, isOption: isOption, isOnSomeChips: !Self.commonCodes.contains(code),
                time: FeliCaResponseTime(
                    pmm, description.timeClass, time, atLeast: code == .searchServiceCode ? profile.searchTime : 0),
                hasIDm: description.namesSystem,
                ignoresTrailingBytes: profile.trailingBytes.areIgnored(by: code))
        }
        return switch self {
        case .issuance:
            FeliCaCommandSet.desIssuance.union(.aesIssuance).codes.map { rule($0, .trusted) }
        // Polling is answered before mode and system are checked; `answerPolling` checks its length.
        case .polling: [rule(.polling)]
        case .requestService where profile.requestServiceBadCount == .answer: [rule(.requestService, mostNodes: .max)]
        case .requestService: [rule(.requestService)]
        case .requestResponse: [rule(.requestResponse)]
        case .searchServiceCode: [rule(.searchServiceCode)]
        case .requestSystemCode: [rule(.requestSystemCode)]
        case .readWithoutEncryption: [rule(.readWithoutEncryption, .mode0)]
        case .writeWithoutEncryption: [rule(.writeWithoutEncryption, .mode0)]
        case .requestServiceV2: [rule(.requestServiceV2, refusesCounts: true)]
        case .getSystemStatus: [rule(.getSystemStatus)]
        case .requestProductInformation: [rule(.requestProductInformation)]
        case .requestSpecificationVersion: [rule(.requestSpecificationVersion)]
        case .resetMode: [rule(.resetMode)]
        case .requestBlockInformation: [rule(.requestBlockInformation, isOption: true)]
        case .requestCodeList: [rule(.requestCodeList, isOption: true)]
        case .requestBlockInformationEx: [rule(.requestBlockInformationEx, refusesCounts: true, isOption: true)]
        case .getAreaInformation: [rule(.getAreaInformation, isOption: true)]
        case .getNodeProperty:
            [rule(.getNodeProperty, mostNodes: GetNodeProperty.maximumNodes, refusesCounts: true, isOption: true)]
        case .setParameter: [rule(.setParameter, isOption: true)]
        case .getContainerIssueInformation: [rule(.getContainerIssueInformation, isOption: true)]
        case .getContainerProperty: [rule(.getContainerProperty, isOption: true)]
        case .getContainerID: [rule(.getContainerID, isOption: true)]
        case .echo: [rule(.echo, isOption: true)]
        case .authentication1: [rule(.authentication1)]
        case .authentication2: [rule(.authentication2, .session)]
        case .authentication1V2: [rule(.authentication1V2)]
        case .authentication2V2: [rule(.authentication2V2, .session)]
        case .secureRead: [rule(.secureRead, .mode2)]
        case .secureWrite: [rule(.secureWrite, .mode2)]
        case .secureReadV2: [rule(.secureReadV2, .mode2)]
        case .secureWriteV2: [rule(.secureWriteV2, .mode2)]
        case .internalAuthenticateAndRead: [rule(.internalAuthenticateAndRead, .mode0)]
        case .externalAuthenticateAndWrite: [rule(.externalAuthenticateAndWrite, .mode1)]
        case .updateRandomID: [rule(.updateRandomID)]
        }
    }

    /// Returns the rules of a chip, indexed by the first byte of the command code.
    static func rules(for profile: FeliCaProfile, _ pmm: PMm, _ time: FeliCaTime) -> [FeliCaCommandRule?] {
        var rules: [FeliCaCommandRule?] = Array(repeating: nil, count: 256)
        for rule in allCases.flatMap({ $0.rules(for: profile, pmm, time) })
        where profile.supportedCommands.contains(rule.code) { rules[Int(rule.code.first)] = rule }
        return rules
    }

    /// The commands answered by every measured chip.
    private static let commonCodes: FeliCaCommandSet = [
        .polling, .requestService, .requestResponse, .readWithoutEncryption, .writeWithoutEncryption,
    ]

    static let allCodes = FeliCaCommandSet(
        allCases.flatMap { $0.rules(for: FeliCaProfile(), PMm(0), .typical) }.map(\.code))
}

/// The conditions a packet must meet before a command is carried out.
struct FeliCaCommandRule: Hashable, Sendable {
    /// The way to find the end of a command; every position in a packet fits in a byte.
    enum Structure: Hashable, Sendable {
        case fixed(UInt8)
        /// All fields are at fixed positions; the last two bytes are reserved and must be zero, or the packet is malformed.
        case reserved(at: UInt8)
        /// A counted list of nodes ends it; a count of zero or above `most` is refused or malformed.
        case nodes(at: UInt8, most: UInt8, isRefused: Bool)
        case read
        case write
        case free(atLeast: UInt8)
        /// A command that needs keys and checks its fields itself.
        case keyed

        /// Derives the structure from the layout in the command's description.
        init(_ description: CommandDescription, mostNodes: Int, refusesCounts: Bool) {
            if description.needsKey {
                self = .keyed
            } else if description.carriesBlocks {
                self = description.timeClass == .write ? .write : .read
            } else if let offset = description.nodeCountOffset {
                self = .nodes(at: UInt8(offset), most: UInt8(clamping: mostNodes), isRefused: refusesCounts)
            } else if let length = description.commandLength {
                self = description.isReserved ? .reserved(at: UInt8(length - 2)) : .fixed(UInt8(length))
            } else {
                self = .free(atLeast: UInt8(1 + description.code.byteCount))
            }
        }
    }

    let command: FeliCaCardCommand
    let code: CommandCode
    let structure: Structure
    let modes: FeliCaModeSet
    /// A Boolean value that indicates whether the command belongs to phones or options, whose modes are not documented.
    let isOption: Bool
    /// A Boolean value that indicates whether only some chips know the command.
    let isOnSomeChips: Bool
    let time: FeliCaResponseTime
    /// A Boolean value that indicates whether the command names the system it is for.
    let hasIDm: Bool
    /// A Boolean value that indicates whether bytes after its end are ignored.
    let ignoresTrailingBytes: Bool

    /// Returns whether a packet that begins with the first byte of the code also has the second, if there is one.
    @inline(__always)
    func hasCode(_ packet: Span<UInt8>) -> Bool {
        code.byteCount == 1 || packet.count > 2 && packet[2] == code.function
    }
}

/// The progress of the session with the current system.
///
/// Source: FeliCa Card User's Manual, excerpted edition, "mode transitions".
public enum FeliCaMode: UInt8, Hashable, Sendable, CaseIterable {
    /// No session: after power-on, after a switch of systems, after Reset Mode.
    case mode0
    /// The card has answered Authentication1.
    case mode1
    /// Reader and card have authenticated each other.
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
    static let mode1 = FeliCaModeSet(rawValue: 0b0010)
    static let mode2 = FeliCaModeSet(rawValue: 0b0100)
    /// From the start of a session until issuance begins.
    static let session = FeliCaModeSet(rawValue: 0b0110)
    /// Reader and card have authenticated each other.
    static let trusted = FeliCaModeSet(rawValue: 0b1100)
    static let any = FeliCaModeSet(rawValue: 0b1111)

    @inline(__always)
    func contains(_ mode: FeliCaMode) -> Bool { rawValue &>> mode.rawValue & 1 == 1 }
}

/// The time a card takes for a command: `fixed + perUnit · n` carrier periods for n nodes or blocks.
struct FeliCaResponseTime: Hashable, Sendable {
    /// The divisor that turns the maximum response time into the typical one.
    ///
    /// No source gives the times of chips. libpafe as used by webpasori reads cards with a 3 ms timeout in an RC-S380, less
    /// than a quarter of the maximum for a Read on RC-S95x, RC-S962 and SD1; a sixteenth fits all of them and is likely. For
    /// other commands nothing contradicts a quarter, which is inferred.
    private static func typicalShare(_ commandClass: PMm.CommandClass) -> UInt32 { commandClass == .read ? 16 : 4 }
    /// The shortest time between the end of a command and an answer, in carrier periods.
    ///
    /// Source: JIS X 6319-4, as implemented by the FeliCa listener of the Flipper firmware.
    static let minimumPeriods: UInt32 = 2_672

    private let fixed: UInt32
    private let perUnit: UInt32
    private let shareOfMaximum: UInt32
    private let shortest: UInt32

    /// - Parameter microseconds: The minimum time the chip is known to take; ignored by the time `pmm`.
    init(
        _ pmm: PMm, _ commandClass: PMm.CommandClass, _ time: FeliCaTime, atLeast microseconds: Int = 0
    ) {
        shareOfMaximum = time == .typical ? Self.typicalShare(commandClass) : 1
        let known = time == .pmm ? 0 : UInt32(microseconds * 1_356 / 100)
        shortest = max(Self.minimumPeriods, known)
        // Maxima are multiples of 4,096, which the share divides. Even the maximum for 255 blocks is far below 2³² periods, so
        // 32 bits need no overflow check.
        let maximum = (0...1).map { UInt32(pmm.maximumResponsePeriods(commandClass, count: $0)) }
        fixed = maximum[0] / shareOfMaximum
        perUnit = (maximum[1] - maximum[0]) / shareOfMaximum
    }

    @inline(__always)
    func duration(count: Int) -> Duration {
        TransmissionTime.carrierPeriods(Int(max(shortest, periods(count))))
    }

    /// The maximum response time for a number of nodes or blocks, as a reader computes it from the PMm.
    func maximum(count: Int) -> Duration {
        TransmissionTime.carrierPeriods(Int(max(Self.minimumPeriods, shareOfMaximum &* periods(count))))
    }

    @inline(__always)
    private func periods(_ count: Int) -> UInt32 { fixed &+ perUnit &* UInt32(truncatingIfNeeded: count) }
}

/// The time slots in which a card answers a Polling.
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
    /// The time slot byte is 00, 01, 03, 07 or 0F, one less than the number of slots. The effect of other values depends on the
    /// product; here the low four bits are a mask of the slots a card may use, which is inferred.
    @inline(__always)
    static func draw(_ timeSlot: UInt8, from random: inout SeededGenerator) -> UInt8 {
        let mask = timeSlot & 0x0F
        return mask == 0 ? 0 : UInt8(truncatingIfNeeded: random.next(below: 16)) & mask
    }

    /// The start of the answer in a slot.
    @inline(__always)
    static func delay(_ slot: UInt8) -> Duration {
        TransmissionTime.carrierPeriods(Int(firstPeriods &+ UInt32(slot) &* periods))
    }
}
