import TapWire

/// How long a phone waits for a card.
///
/// What Apple's phones wait is not published; these are longer than any card takes that keeps its own word.
enum PhonePatience {
    /// For an answer to a search: sixteen time slots of a Polling end 23 ms after it.
    static let search = Duration.milliseconds(25)
    /// The shortest wait for an answer of a FeliCa card; the maximum response times of some cards are too short.
    static let feliCa = Duration.milliseconds(5)
    /// For an answer of a Type 2 tag, whose data sheet allows 10 ms for writing.
    static let miFare = Duration.milliseconds(100)
    /// For a NAK to HLTA, after which silence means that the card rests.
    static let halt = Duration.milliseconds(1)
    /// Until a call to a tag that has left comes back.
    static let absent = Duration.milliseconds(100)
    /// How often a phone polls again while FeliCa cards keep choosing the same time slots.
    static let pollingRounds = 8

    /// For an answer to a raw packet: as long as the PMm gives the card for that command.
    static func feliCa(_ packet: [UInt8], _ pmm: PMm) -> Duration {
        let slice = packet[...]
        guard let code = CommandCode(of: slice.span) else { return feliCa }
        let nodes = packet.count > nodeCountOffset ? Int(packet[nodeCountOffset]) : 1
        let blocks = BlockAccessLayout(slice.span)?.blockCount ?? 1
        return switch code {
        case .requestService, .requestServiceV2: feliCa(pmm, .requestService, nodes)
        case .requestResponse, .requestSystemCode, .requestSpecificationVersion, .resetMode: feliCa(pmm, .fixed)
        case .readWithoutEncryption: feliCa(pmm, .read, blocks)
        case .writeWithoutEncryption: feliCa(pmm, .write, blocks)
        default: longest(pmm)
        }
    }

    /// For an answer to a command of a class.
    static func feliCa(_ pmm: PMm, _ commandClass: PMm.CommandClass, _ count: Int = 0) -> Duration {
        max(feliCa, pmm.maximumResponseTime(commandClass, count: count))
    }

    /// For a command whose class and count are not known here: what any class has for one unit.
    private static func longest(_ pmm: PMm) -> Duration {
        PMm.CommandClass.allCases.map { feliCa(pmm, $0, 1) }.max() ?? feliCa
    }

    private static let nodeCountOffset = 10
}
