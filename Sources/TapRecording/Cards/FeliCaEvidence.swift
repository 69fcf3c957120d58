import TapCards
import TapWire

/// Evidence from the exchanges of a session about the switches of a FeliCa card: its limits, and its way of refusing.
struct FeliCaEvidence {
    private var values: [(name: String, text: String)] = []
    private var answered: Set<CommandCode> = []
    private var silent: Set<CommandCode> = []

    private var mostTaken = 0
    private var fewestRefused = Int.max

    /// Commands that a card either answers or does not know; it may ignore other commands because of their content.
    private static let plain: [CommandCode] = [
        .requestResponse, .requestSystemCode, .searchServiceCode, .requestService, .requestServiceV2,
        .requestProductInformation, .requestSpecificationVersion,
    ]
    /// The index at which an element of a block list distinguishes number and bitmap.
    private static let distinguishingIndex = 2

    init(_ session: RecordedSession) {
        let exchanges = session.exchanges
        // The last exchanges may be unanswered because the card has left.
        let last = exchanges.lastIndex { $0.answer != nil } ?? -1
        for exchange in exchanges[..<(last + 1)] {
            let command = SessionWalk.packet(exchange.command)
            take(command, exchange.answer.map { SessionWalk.packet($0.bytes) })
        }
        guard mostTaken > 0, fewestRefused == mostTaken + 1 || mostTaken == ReadWithoutEncryption.maximumBlocks else {
            return
        }
        set("maxReadBlocks", "\(mostTaken)")
    }

    private mutating func set(_ name: String, _ text: String) {
        if !values.contains(where: { $0.name == name }) { values.append((name, text)) }
    }

    private mutating func take(_ command: [UInt8], _ answer: [UInt8]?) {
        let packet = command[...]
        guard let code = CommandCode(of: packet.span) else { return }
        if Self.plain.contains(code) {
            if answer != nil { answered.insert(code) } else { silent.insert(code) }
        }
        if let request = try? Polling.Request(parsing: command) {
            take(request, answer.flatMap { try? Polling.Response(parsing: $0) })
        } else if let request = try? RequestService.Request(parsing: command), code == .requestService {
            take(request, isAnswered: answer != nil)
        } else if let request = try? ReadWithoutEncryption.Request(parsing: command),
            let answer = answer.flatMap({ try? ReadWithoutEncryption.Response(parsing: $0) })
        {
            take(request, answer.status)
        }
    }

    private mutating func take(_ request: Polling.Request, _ answer: Polling.Response?) {
        switch request.requestCode {
        case .none: break
        case .systemCode: if answer != nil, answer?.requestData == nil { set("pollingRequestCodes", "00") }
        case .communicationPerformance:
            guard let answer else { return }
            guard let data = answer.requestData else { return set("pollingRequestCodes", "00 01") }
            set("pollingRequestCodes", "00 01 02")
            set("performanceBytes", Hex.digits(data, width: 4))
        default: set("pollingReservedCodes", answer == nil ? "silence" : "answer")
        }
    }

    private mutating func take(_ request: RequestService.Request, isAnswered: Bool) {
        guard request.nodes.contains(where: { $0 != .system && $0.attribute.kind == .undefined }) else { return }
        set("requestServiceUnknownAttribute", isAnswered ? "answer" : "silence")
        // This silence does not mean that the card does not know the command.
        if !isAnswered { silent.remove(.requestService) }
    }

    private mutating func take(_ request: ReadWithoutEncryption.Request, _ status: StatusFlags) {
        let count = request.blocks.count
        if status.isSuccess { mostTaken = max(mostTaken, count) }
        switch status.reason {
        case .blockCount: fewestRefused = min(fewestRefused, count)
        case .blockNumber where count == Self.distinguishingIndex + 1 && request.blocks[0] != request.blocks[count - 1]:
            guard let place = Self.places.first(where: { $0.flag1 == status.flag1 }) else { return }
            set("statusLocation", place.text)
        case .accessDenied, .authenticationNeeded:
            guard request.services.count == 1, !request.services[0].attribute.isAuthenticationFree else { return }
            set("authRequiredPlainAccess", Hex.digits(status.flag2, width: 2))
        default: takeList(request, status)
        }
    }

    /// Evidence from the answer to a list of two services: the required order, and the check of services without blocks.
    private mutating func takeList(_ request: ReadWithoutEncryption.Request, _ status: StatusFlags) {
        guard request.services.count == 2 else { return }
        let isUsed = request.blocks.contains { $0.serviceOrder == 1 }
        if !isUsed {
            if status.isSuccess { set("serviceListCheck", "lazy") }
            if status.reason == .targetMissing { set("serviceListCheck", "eager") }
        } else if request.services[0].rawValue > request.services[1].rawValue, status.isSuccess {
            set("requireAscendingLists", "false")
        }
    }

    private static let places: [(flag1: UInt8, text: String)] = [
        (UInt8(distinguishingIndex + 1), "ordinal"), (1 << UInt8(distinguishingIndex), "bitmap"),
        (StatusFlags.noPosition, "flag"),
    ]
}

extension FeliCaEvidence {
    /// Sets the switches for which the session has evidence, and describes the differences from other cards with the same IC.
    func apply<Quirks: QuirkSet>(
        to quirks: inout Quirks, _ assumptions: inout CardAssumptions,
        _ commands: WritableKeyPath<Quirks, FeliCaCommandSet>, prefix: String = ""
    ) -> [String] {
        let catalogue = quirks
        for (name, text) in values {
            let name = prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst()
            // Skip switches that the family does not have.
            guard (try? quirks.set(name, to: text)) != nil else { continue }
            assumptions.decide(name)
        }
        quirks[keyPath: commands] = quirks[keyPath: commands].union(FeliCaCommandSet(answered))
            .subtracting(FeliCaCommandSet(silent.subtracting(answered)))
        return Quirks.switches.compactMap { row in
            let (usual, found) = (row.value(in: catalogue), row.value(in: quirks))
            return usual == found
                ? nil : "`\(row.name)` is \(found) on this card; the catalogue value for its IC is \(usual)"
        }
    }
}
