import TapField
import TapScenario
import TapWire

/// The effect of a fault on a client, in broad classes: a mistake in handling one class is seldom a mistake in handling
/// another.
public enum Disturbance: String, Hashable, Sendable, CaseIterable {
    /// The client receives bytes that the card did not send, and no check of that answer alone can detect them: they have the
    /// right length and form and are undamaged.
    case plausible = "a plausible answer"
    /// The client receives bytes that the card did not send, and a check can detect them.
    case answer = "a wrong answer"
    /// The client receives an error, or no answer.
    case error = "an error"
    case content = "other content"

    /// Determines the effect of a run on a client; of several faults, the most deceptive one.
    ///
    /// - Parameters:
    ///   - record: The run into which the faults were injected.
    ///   - baseline: The trace of the baseline run.
    init(of run: FuzzRun, in record: RunRecord, against baseline: Trace) {
        self = Self.strongest(of: run, in: record, against: baseline).disturbance
    }

    static func strongest(
        of run: FuzzRun, in record: RunRecord, against baseline: Trace
    ) -> (injection: FuzzRun.Injection, disturbance: Disturbance) {
        let found = run.injections.map { ($0, disturbance(by: $0, record.world.trace, baseline)) }
        return allCases.lazy.compactMap { each in found.first { $0.1 == each } }.first ?? (run.injections[0], .error)
    }

    /// Returns whether no client can know the right result: a fault replaced the card's bytes arbitrarily, the card computed a
    /// MAC over wrong data, or two faults each pass every check.
    ///
    /// A client that reads twice notices one such fault, but two that agree deceive it.
    ///
    /// - Parameter baseline: The trace of the baseline run.
    static func isBeyondNotice(in record: RunRecord, against baseline: Trace) -> Bool {
        let (plan, trace) = (record.world.plan, record.world.trace)
        if plan.injected.contains(where: { $0.kind.editsBytes || $0.fix.contains(.mac) }) { return true }
        let injected = zip(plan.entries, plan.tallies).filter { !$1.injected.isEmpty }
        guard injected.count > 1 else { return false }
        let deceiving = injected.count { entry, tally in
            entry.fault.deceives || isPlausible(at: tally.injected[0], trace, baseline)
        }
        return deceiving > 1
    }

    /// Returns whether the answer in an exchange differs from the baseline run and still passes every check of that answer.
    private static func isPlausible(at number: Int, _ trace: Trace, _ baseline: Trace) -> Bool {
        let (exchanges, expected) = (trace.exchanges, baseline.expectedExchanges(for: trace))
        guard exchanges.indices.contains(number - 1), let right = expected[number - 1].map({ SeenExchange($0) }) else {
            return false
        }
        let found = SeenExchange(exchanges[number - 1])
        guard case .data = found.reply, !found.isRefused else { return false }
        return found.exchange.answers.map(\.frame) != right.exchange.answers.map(\.frame)
            && found.isPlausible(insteadOf: right)
    }

    private static func disturbance(by injection: FuzzRun.Injection, _ trace: Trace, _ baseline: Trace) -> Disturbance {
        let fault = injection.fault
        for effect in fault.kind.effect.parts {
            switch effect {
            case .image:
                let isUnderWay = !fault.kind.isOfContent && trace.isRead(at: injection.place)
                return isUnderWay ? heard(from: injection.place, trace, baseline) : .content
            case .phone: return .error
            case .reader(let make):
                let wrong = make(fault.arguments)
                guard wrong.isAnswer else { return .error }
                return wrong.keepsForm && isPlausibleCall(in: trace, baseline) ? .plausible : .answer
            case .transport(let make): return make(fault.arguments).isAnswer ? .answer : .error
            case .field, .command, .card, .answer, .content, .all: break
            }
        }
        return heard(from: injection.place, trace, baseline)
    }

    /// Returns the first exchange, from a place on, whose answer differs from the baseline run, with the exchange of that run.
    ///
    /// A fault can take effect later than it is injected.
    ///
    /// - Parameter isError: Whether the card must have refused, or not been understood.
    static func firstDifference(
        from place: FaultLocation, _ trace: Trace, _ baseline: Trace, isError: Bool = false
    ) -> (found: Exchange, expected: Exchange?)? {
        zip(trace.exchanges, baseline.expectedExchanges(for: trace)).dropFirst(place.number - 1).first {
            found, expected in
            guard found.answers.map(\.frame) != expected?.answers.map(\.frame) else { return false }
            return isError ? SeenExchange(found).isError : expected != nil
        }
    }

    /// Returns the disturbance by the first answer that differs from the baseline run.
    private static func heard(from place: FaultLocation, _ trace: Trace, _ baseline: Trace) -> Disturbance {
        guard case let (exchange, expected?)? = firstDifference(from: place, trace, baseline) else {
            // A card that stores nothing, although its answer is right.
            let (errors, usual) = (trace.errorCount(from: place.number), baseline.errorCount(from: place.number))
            return trace.exchanges.count < place.number || errors > usual ? .error : .plausible
        }
        let seen = SeenExchange(exchange)
        switch seen.reply {
        case .silence, .collision, .damaged: return .error
        case .acknowledgement, .status, .data:
            guard !seen.isRefused else { return .error }
            guard seen.isPlausible(insteadOf: SeenExchange(expected)) else { return .answer }
            // A client that receives an error later needs no second reading.
            return trace.errorCount(from: exchange.number + 1) > baseline.errorCount(from: expected.number + 1)
                ? .error : .plausible
        }
    }

    /// Returns whether the first host answer that differs from the baseline run has the form of a right one.
    private static func isPlausibleCall(in trace: Trace, _ baseline: Trace) -> Bool {
        guard let (found, expected) = trace.firstCall(unlike: baseline), found.command == expected.command else {
            return false
        }
        let (answer, right) = (found.outcome.answer, expected.outcome.answer)
        // A client that reads cards of several kinds gets UIDs of seven bytes and IDms of eight.
        let isUID = found.command.starts(with: uidRequest)
        let known = isUID ? baseline.calls.filter { $0.command == found.command }.map(\.outcome.answer) : []
        return ([right] + known).contains { $0.count == answer.count } && answer.suffix(2) == right.suffix(2)
    }

    /// The beginning of GET DATA for the UID of a card.
    ///
    /// Source: PC/SC part 3, 3.2.2.1.3.
    static let uidRequest: [UInt8] = [0xFF, 0xCA, 0x00]
}

extension Trace {
    /// Returns, for each exchange of another run, the exchange of this run to compare it with: the one with the same number
    /// or, if the client sent other commands there, the first one with the same command, or else of the same kind.
    func expectedExchanges(for other: Trace) -> [Exchange?] {
        let expected = exchanges
        let byCommand = Dictionary(expected.map { ($0.command, $0) }) { first, _ in first }
        let byName = Dictionary(expected.map { (CommandName(of: $0.command), $0) }) { first, _ in first }
        return other.exchanges.enumerated().map { index, found in
            let same = index < expected.count ? expected[index] : nil
            if let same, same.command == found.command { return same }
            if let first = byCommand[found.command] { return first }
            guard let same else { return nil }
            let name = CommandName(of: found.command)
            return CommandName(of: same.command) == name ? same : byName[name]
        }
    }

    /// Returns the first host answer that differs from another run, with the answer of that run.
    func firstCall(unlike other: Trace) -> (found: HostCall, expected: HostCall)? {
        zip(calls, other.calls).first { $0.outcome != $1.outcome }.map { ($0, $1) }
    }

    fileprivate func errorCount(from number: Int) -> Int {
        exchanges.dropFirst(number - 1).count { SeenExchange($0).isError }
    }

    fileprivate func isRead(at place: FaultLocation) -> Bool {
        let exchange = exchanges.dropFirst(place.number - 1).first
        return exchange.flatMap { CommandName(of: $0.command) }?.isRead ?? false
    }
}

extension SeenExchange {
    /// A Boolean value that indicates whether a card that had been found refuses, or is not understood.
    fileprivate var isError: Bool { isRefused || isLost }

    private var isLost: Bool {
        switch reply {
        case .silence, .collision, .damaged: !isSearching
        case .acknowledgement, .status, .data: false
        }
    }

    /// Returns whether the answer passes every check against the command alone, so that it could be the right one.
    fileprivate func isPlausible(insteadOf expected: SeenExchange) -> Bool {
        guard let frame = exchange.answers.first?.frame, let right = expected.exchange.answers.first?.frame,
            command.name == expected.command.name, frame.bytes.count == right.bytes.count
        else { return false }
        let checked = checkedCount
        return frame.bytes.prefix(checked).elementsEqual(right.bytes.prefix(checked))
    }

    /// The number of bytes at the beginning of the answer that a client can check against its command.
    private var checkedCount: Int {
        switch command.name?.feliCaCode {
        case nil: 0
        // The length and the code; the card's IDm and PMm are new to the client.
        case .polling: 2
        case .readWithoutEncryption: FeliCaPacket.statusLength + 1
        default: FeliCaPacket.idmLength
        }
    }
}

extension Fault {
    /// A Boolean value that indicates whether the reader gives its host a different, well-formed answer.
    var changesReaderAnswer: Bool {
        if case .reader(let make) = kind.effect { make(arguments).isAnswer } else { false }
    }

    fileprivate var deceives: Bool {
        switch kind.effect {
        case .reader: changesReaderAnswer
        case .transport(let make): make(arguments).isAnswer
        default: kind.effect.changesContent || fix.contains(.crc)
        }
    }
}

extension ReaderFault {
    fileprivate var isAnswer: Bool {
        switch self {
        case .noStatusWord, .cutData, .extraData, .otherBytes, .previousAnswer: true
        case .chipStatus, .statusWord, .noData, .noCard, .failed: false
        }
    }

    /// A Boolean value that indicates whether the answer may have the form of the right one, with a status word.
    fileprivate var keepsForm: Bool {
        switch self {
        case .previousAnswer, .cutData, .extraData: true
        case .noStatusWord, .otherBytes, .chipStatus, .statusWord, .noData, .noCard, .failed: false
        }
    }
}

extension TransportFault {
    fileprivate var isAnswer: Bool {
        switch self {
        case .cutAnswer, .spuriousEvent: true
        case .refusal, .lostAnswer, .removal, .reset, .unplugging, .end, .delay, .lostEvent: false
        }
    }
}
