import TapDocument
import TapHost
import TapSystem
import TapField
import TapJudge
import TapReport
import TapScenario
import TapWire

/// A field with the cards of a case that can be controlled while it is in use.
///
/// Requests may come from any thread; they are carried out one at a time.
public final class SteeredField: Sendable {
    /// The case as the scenario states it.
    public let original: ScenarioCase
    /// The current case, in which cards may have been replaced.
    let current: Lock<ScenarioCase>
    public let host: FieldHost
    let user: any FieldUser
    private let makeWorld: @Sendable () -> World
    /// The command line or the variables that repeat the case.
    let reproduceCommand: [String]
    private let origin: CaseOrigin
    /// The unmet expectations when the field was last judged.
    private let unmet = Lock<[Failure]>([])

    /// Creates a field that can be controlled.
    ///
    /// - Parameters:
    ///   - scenarioCase: The case.
    ///   - host: The field.
    ///   - user: The user of the field.
    ///   - reproduceCommand: The command that repeats the case, for reports.
    ///   - origin: The origin of the case, for files that are saved. Default: only its name.
    ///   - makeWorld: Creates the world of the field in its initial state.
    public init(
        _ scenarioCase: ScenarioCase, on host: FieldHost, usedBy user: any FieldUser, reproduceCommand: [String],
        origin: CaseOrigin? = nil,
        makeWorld: @escaping @Sendable () -> World
    ) {
        original = scenarioCase
        current = Lock(scenarioCase)
        self.host = host
        self.user = user
        self.reproduceCommand = reproduceCommand
        self.origin = origin ?? CaseOrigin(scenarioCase.scenarioName)
        self.makeWorld = makeWorld
    }

    func reset() {
        current.withLock { $0 = original }
        unmet.withLock { $0 = [] }
        host.restart(makeWorld())
        user.fieldHasRestarted()
    }
}

extension SteeredField {
    /// Carries out a request.
    ///
    /// - Throws: ``ControlRefusal`` if the request makes no sense now; the field is unchanged.
    func perform(_ request: ControlRequest) throws(ControlRefusal) -> ControlAnswer {
        let answer = try carryOut(request)
        if request.movesCards { user.cardsHaveMoved() }
        return answer
    }

    private func carryOut(_ request: ControlRequest) throws(ControlRefusal) -> ControlAnswer {
        switch request {
        case .tap(let name, let reader): tap(name, before: reader)
        case .remove(let name): remove(name)
        case .swap(let out, let incoming, let gap): try swap(out, for: incoming, after: gap)
        case .set(let name, let values): try set(name, values)
        case .reset: restart()
        case .journal(let count): journal(count ?? ControlLanguage.maximumJournal)
        case .verify(let expectations): try verify(expectations)
        case .status: status
        case .plug, .unplug, .phone: try user.perform(request, on: self)
        case .keep(let reason, let test): kept(because: reason, of: test)
        case .stop: ControlAnswer("the service ends", ServiceOutput.stopping.node(user.clientCount))
        }
    }

    private func tap(_ name: String, before reader: String?) -> ControlAnswer {
        let hasCome = host.perform { world in
            let before = world.presenceCount
            world.tap(name, before: reader)
            return world.presenceCount != before
        }
        return ControlAnswer(
            hasCome ? "\(name) is now on \(reader ?? "the reader")" : "\(name) is already on the reader",
            MovedCards(tapped: hasCome ? [name] : []).node)
    }

    private func remove(_ name: String?) -> ControlAnswer {
        let gone = host.perform { world in
            let names = world.cards.filter { $0.isPresent && $0.name == name ?? $0.name }.map(\.name)
            for name in names { world.remove(name) }
            return names
        }
        let absent = name.map { "\($0) is not on the reader" } ?? "no card is on the reader"
        return ControlAnswer(
            gone.isEmpty ? [absent] : gone.map { "\($0) leaves the reader" }, MovedCards(removed: gone).node)
    }

    private func swap(
        _ out: String, for incoming: String, after gap: Duration
    ) throws(ControlRefusal) -> ControlAnswer {
        let isPossible = host.perform { world in
            let isThere = world.card(named: out)?.isPresent == true
            let isFree = out == incoming || world.card(named: incoming)?.isPresent == false
            if isThere, isFree { world.swap(out, for: incoming, after: gap) }
            return (isThere, isFree)
        }
        guard isPossible.0 else { throw ControlRefusal("\(out) is not on the reader; tap it first") }
        guard isPossible.1 else { throw ControlRefusal("\(incoming) is already on the reader; remove it first") }
        return ControlAnswer(
            "\(out) leaves the reader, then \(incoming) arrives",
            MovedCards(removed: [out], tapped: [incoming], gap: gap).node)
    }

    private func set(_ name: String, _ values: Node) throws(ControlRefusal) -> ControlAnswer {
        var diagnostics = Diagnostics()
        let definition = current.withLock { $0.changeCard(name, values, into: &diagnostics) }
        guard let definition else { throw ControlRefusal(diagnostics) }
        host.perform { $0.replace(name, with: definition.makeEngine()) }
        return ControlAnswer("\(name) is replaced", ServiceOutput.card.node((name, definition)))
    }

    private func restart() -> ControlAnswer {
        reset()
        return ControlAnswer("the field is reset to its initial state", ServiceOutput.reset.node(()))
    }

    private func journal(_ count: Int) -> ControlAnswer {
        let trace = host.snapshot.trace
        let table = ExchangeTable(trace, newest: count).lines
        return ControlAnswer(
            table.isEmpty ? ["no frame has reached a card"] : table,
            ServiceOutput.journal.node((trace.exchangeCount, trace.lastEntries(count))))
    }

    private func verify(_ expectations: Expectations?) throws(ControlRefusal) -> ControlAnswer {
        let judged = current.withLock { $0 }.judgingFieldAlone(expectations, hasPhone: user.hasPhone)
        guard !judged.expectations.items.isEmpty else {
            throw ControlRefusal(
                expectations == nil
                    ? "the scenario has no expectations for the field; pass the expectations to check"
                    : "there is nothing to check: \(ListText.choice(judged.droppedExpectations.map(\.key))) is not visible to the field"
            )
        }
        let record = user.record(of: host.snapshot)
        var result = CaseResult(judged, record, Judge.judge(judged, record), reproduceCommand: reproduceCommand)
        result.newest = ControlLanguage.maximumJournal
        unmet.withLock { $0 = result.verdict.failures }
        let dropped = judged.droppedExpectations.lines.map { "  \($0)" }
        return ControlAnswer(
            dropped + CaseText(result, showsOutput: false).lines, result.node)
    }
}

extension SteeredField {
    /// Returns the files that `tapsim run` keeps for a case.
    private func kept(because reason: String?, of test: String?) -> ControlAnswer {
        let scenarioCase = current.withLock { $0 }
        let failure = reason.map { Failure(path: test ?? "the test", expected: "it to pass", got: $0) }
        let verdict = Verdict(unmet.withLock { $0 } + [failure].compactMap(\.self))
        let result = CaseResult(
            scenarioCase, user.record(of: host.snapshot), verdict, reproduceCommand: reproduceCommand)
        let files = result.files(from: origin)
        return ControlAnswer(
            files.map(\.name), ["files": .map(files.map { (key: $0.name, value: .text($0.text)) })])
    }
}

extension ControlRequest {
    /// A Boolean value that indicates whether the request makes cards come or go; ``FieldUser/fieldHasRestarted()`` reports a
    /// restart.
    fileprivate var movesCards: Bool {
        switch self {
        case .tap, .remove, .swap, .set: true
        default: false
        }
    }
}

extension SteeredField {
    var status: ControlAnswer {
        let scenarioCase = current.withLock { $0 }
        let world = host.snapshot
        let cards = scenarioCase.cards.compactMap { card in
            world.card(named: card.name).map { CardStatus(definition: card.definition, slot: $0) }
        }
        let heading = "\(scenarioCase.displayName)  seed \(scenarioCase.seed)  "
        let ofUser = user.status
        let table = TextTable.lines(cards.map(\.columns) + ofUser.rows).map { "  \($0)" }
        return ControlAnswer(
            [PrintableText.visible(heading + CountText.of(world.exchangeCount, "exchange"))] + table
                + (world.isExhausted ? ["  the exchange limit is reached; nothing is answered until a reset"] : []),
            ServiceStatus(scenarioCase: scenarioCase, cards: cards, user: ofUser.status, world: world).node)
    }
}

/// The user of a steered field: programs that connect through transports, or the sessions of a phone.
public protocol FieldUser: Sendable {
    /// The user's part of a status: rows for people, after those of the cards, and the status for programs.
    var status: (rows: [[String]], status: UserStatus) { get }

    /// Carries out a request about the user rather than about cards.
    ///
    /// - Parameter field: The field that received the request.
    /// - Throws: ``ControlRefusal`` if such a user cannot do it, or not now; the field is unchanged.
    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer

    /// A Boolean value that indicates whether apps use the field on our phone, which reports what they show and receive.
    var hasPhone: Bool { get }

    /// The number of connected programs, if known.
    var clientCount: Int { get }

    /// Reacts to cards that have come or gone; the request is answered once this returns.
    func cardsHaveMoved()

    /// Reacts to a reset of the field to its initial state.
    func fieldHasRestarted()

    /// Returns the record of the run so far, for the judge.
    ///
    /// - Parameter world: The current field.
    func record(of world: World) -> RunRecord
}

extension FieldUser {
    public var clientCount: Int { 0 }
}

extension ScenarioCase {
    /// Creates the world for foreign clients: its timeline follows the clock, unless the case uses card time.
    ///
    /// - Parameters:
    ///   - observer: Called for every event as it happens.
    ///   - isWaiting: A Boolean value that indicates whether the timeline waits until a client is ready for it.
    ///   - isByExchanges: A Boolean value that indicates whether the client's exchanges decide when timed steps come.
    public func makeTransportWorld(
        observer: (any TraceObserver)?, isWaiting: Bool = false, isByExchanges: Bool = false
    ) -> World {
        var world = makeQuietWorld(trace: Trace(bound: .run, observer: observer))
        if isByExchanges {
            world.followExchanges()
        } else if settings.clock != .virtual {
            world.followMeasuredClock()
        }
        if !isWaiting { beginVisit(in: &world) }
        return world
    }

    /// Creates the field for foreign clients.
    public func makeHost(
        observer: (any TraceObserver)?, isWaiting: Bool = false, isByExchanges: Bool = false
    ) -> FieldHost {
        FieldHost(
            makeTransportWorld(observer: observer, isWaiting: isWaiting, isByExchanges: isByExchanges),
            pace: pace == .card ? .card : .atOnce)
    }
}
