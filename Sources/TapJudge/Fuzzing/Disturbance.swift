import TapField
import TapScenario
import TapWire

/// What a fault does to a client, coarsely: mistakes in handling one are seldom mistakes in handling another.
public enum Disturbance: String, Hashable, Sendable, CaseIterable {
    /// It is given bytes that the card did not send, and no check of that answer alone tells: it is as long as the
    /// right one, in the same form, and undamaged.
    case plausible = "a plausible answer"
    /// The same, and a check would tell.
    case answer = "a wrong answer"
    /// It is told of an error, or hears nothing.
    case error = "an error"
    /// The card holds something else.
    case content = "other content"

    /// What a run does to a client; of several faults the one that deceives it most.
    ///
    /// - Parameters:
    ///   - record: The run into which they were injected.
    ///   - clean: The trace of the baseline run.
    init(of run: FuzzRun, in record: RunRecord, against clean: Trace) {
        self = Self.strongest(of: run, in: record, against: clean).disturbance
    }

    /// The fault that deceives the client most.
    static func strongest(
        of run: FuzzRun, in record: RunRecord, against clean: Trace
    ) -> (injection: FuzzRun.Injection, disturbance: Disturbance) {
        let found = run.injections.map { ($0, disturbance(by: $0, record.world.trace, clean)) }
        return allCases.lazy.compactMap { each in found.first { $0.1 == each } }.first ?? (run.injections[0], .error)
    }

    /// Whether no client can know what is right: a fault has put any bytes in the place of those of the card, or the
    /// card has made a MAC over what is wrong, or there are two changes that no check gives away.
    ///
    /// A client that reads twice notices one of the latter, and is deceived by two that agree.
    ///
    /// - Parameter clean: The trace of the baseline run.
    static func isBeyondNotice(in record: RunRecord, against clean: Trace) -> Bool {
        let (plan, trace) = (record.world.plan, record.world.trace)
        if plan.injected.contains(where: { $0.kind.editsBytes || $0.fix.contains(.mac) }) { return true }
        let injected = zip(plan.entries, plan.tallies).filter { !$1.injected.isEmpty }
        guard injected.count > 1 else { return false }
        let deceiving = injected.count { entry, tally in
            entry.fault.deceives || isPlausible(at: tally.injected[0], trace, clean)
        }
        return deceiving > 1
    }

    /// Whether an exchange has another answer than in the baseline run, which could be right for all that a check of it
    /// tells.
    private static func isPlausible(at number: Int, _ trace: Trace, _ clean: Trace) -> Bool {
        let (exchanges, sound) = (trace.exchanges, clean.soundExchanges(for: trace))
        guard exchanges.indices.contains(number - 1), let right = sound[number - 1].map({ SeenExchange($0) }) else {
            return false
        }
        let found = SeenExchange(exchanges[number - 1])
        guard case .data = found.reply, !found.isRefused else { return false }
        return found.exchange.answers.map(\.frame) != right.exchange.answers.map(\.frame)
            && found.isPlausible(insteadOf: right)
    }

    private static func disturbance(by injection: FuzzRun.Injection, _ trace: Trace, _ clean: Trace) -> Disturbance {
        let fault = injection.fault
        for effect in fault.kind.effect.parts {
            switch effect {
            case .image:
                let isUnderWay = !fault.kind.isOfContent && trace.isRead(at: injection.place)
                return isUnderWay ? heard(from: injection.place, trace, clean) : .content
            case .phone: return .error
            case .reader(let make):
                let wrong = make(fault.arguments)
                guard wrong.isAnswer else { return .error }
                return wrong == .previousAnswer && isPlausibleCall(in: trace, clean) ? .plausible : .answer
            case .transport(let make): return make(fault.arguments).isAnswer ? .answer : .error
            case .field, .command, .card, .answer, .content, .all: break
            }
        }
        return heard(from: injection.place, trace, clean)
    }

    /// The first exchange from a place on whose answer differs from the baseline run, with the exchange of that run; a fault
    /// can strike later than it is injected.
    ///
    /// - Parameter isError: A Boolean value that indicates whether the card must have refused, or not been understood.
    static func firstDifference(
        from place: FaultPlace, _ trace: Trace, _ clean: Trace, isError: Bool = false
    ) -> (found: Exchange, sound: Exchange?)? {
        zip(trace.exchanges, clean.soundExchanges(for: trace)).dropFirst(place.number - 1).first { found, sound in
            guard found.answers.map(\.frame) != sound?.answers.map(\.frame) else { return false }
            return isError ? SeenExchange(found).isError : sound != nil
        }
    }

    /// The disturbance by the first answer that differs from the baseline run.
    private static func heard(from place: FaultPlace, _ trace: Trace, _ clean: Trace) -> Disturbance {
        guard case let (exchange, sound?)? = firstDifference(from: place, trace, clean) else { return .error }
        let seen = SeenExchange(exchange)
        switch seen.reply {
        case .silence, .collision, .damaged: return .error
        case .acknowledgement, .status, .data:
            guard !seen.isRefused else { return .error }
            guard seen.isPlausible(insteadOf: SeenExchange(sound)) else { return .answer }
            // Who is told of an error later needs no second reading.
            return trace.errorCount(after: exchange) > clean.errorCount(after: sound) ? .error : .plausible
        }
    }

    /// Whether the first answer that a host got and would not have got has the form of the right one.
    private static func isPlausibleCall(in trace: Trace, _ clean: Trace) -> Bool {
        guard let (found, sound) = zip(trace.calls, clean.calls).first(where: { $0.outcome != $1.outcome }),
            found.command == sound.command
        else { return false }
        let (answer, right) = (found.outcome.answer, sound.outcome.answer)
        return answer.count == right.count && answer.suffix(2) == right.suffix(2)
    }
}

extension Trace {
    /// For each exchange of another run the one of this run to compare it with: that with the same number, or if the client has
    /// sent other commands after an error, the first with the same command.
    fileprivate func soundExchanges(for other: Trace) -> [Exchange?] {
        let sound = exchanges
        let byCommand = Dictionary(sound.map { ($0.command, $0) }) { first, _ in first }
        return other.exchanges.enumerated().map { index, found in
            let same = index < sound.count ? sound[index] : nil
            return same?.command == found.command ? same : byCommand[found.command] ?? same
        }
    }

    /// How often a card that was found refused something, or was not understood.
    fileprivate func errorCount(after exchange: Exchange) -> Int {
        exchanges.dropFirst(exchange.number).count { SeenExchange($0).isError }
    }

    fileprivate func isRead(at place: FaultPlace) -> Bool {
        let exchange = exchanges.dropFirst(place.number - 1).first
        return exchange.flatMap { CommandName(of: $0.command) }?.isRead ?? false
    }
}

extension SeenExchange {
    /// A Boolean value that indicates whether a card that was found refuses, or is not understood.
    fileprivate var isError: Bool { isRefused || isLost }

    /// Whether a card that was found is not understood.
    private var isLost: Bool {
        switch reply {
        case .silence, .collision, .damaged: !isSearching
        case .acknowledgement, .status, .data: false
        }
    }

    /// Whether the answer could be the right one for all that a check of it alone tells.
    fileprivate func isPlausible(insteadOf sound: SeenExchange) -> Bool {
        guard let frame = exchange.answers.first?.frame, let right = sound.exchange.answers.first?.frame,
            command.name == sound.command.name, frame.bytes.count == right.bytes.count
        else { return false }
        let checked = checkedCount
        return frame.bytes.prefix(checked).elementsEqual(right.bytes.prefix(checked))
    }

    /// How many bytes at the beginning of the answer a client can hold against what it asked for.
    private var checkedCount: Int {
        switch command.name?.feliCaCode {
        case nil: 0
        // The length and the code; what a card is called is news.
        case .polling: 2
        case .readWithoutEncryption: FeliCaPacket.statusLength + 1
        default: FeliCaPacket.idmLength
        }
    }
}

extension Fault {
    /// A Boolean value that indicates whether the reader gives its host another, well-formed answer.
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
    /// Whether it passes for an answer.
    fileprivate var isAnswer: Bool {
        switch self {
        case .noStatusWord, .cutData, .extraData, .otherBytes, .previousAnswer: true
        case .chipStatus, .statusWord, .noData, .noCard, .failed: false
        }
    }
}

extension TransportFault {
    /// Whether it passes for an answer.
    fileprivate var isAnswer: Bool {
        switch self {
        case .cutAnswer, .spuriousEvent: true
        case .refusal, .lostAnswer, .removal, .reset, .unplugging, .end, .delay, .lostEvent: false
        }
    }
}
