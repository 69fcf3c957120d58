import TapDoors
import TapField
import TapReport
import TapScenario
import TapWire

extension SteeredField {
    /// Carries out a request.
    ///
    /// - Throws: ``ControlRefusal`` if it makes no sense now; nothing has happened then.
    func perform(_ request: ControlRequest) throws(ControlRefusal) -> ControlAnswer {
        let answer = try carryOut(request)
        if request.movesCards { user.cardsHaveMoved() }
        return answer
    }

    private func carryOut(_ request: ControlRequest) throws(ControlRefusal) -> ControlAnswer {
        switch request {
        case .tap(let name, let reader): tap(name, before: reader)
        case .remove(let name): remove(name)
        case .swap(let out, let incoming, let gap): try swap(out, incoming, gap)
        case .set(let name, let values): try set(name, values)
        case .reset: restart()
        case .journal(let count): journal(count ?? ControlLanguage.maximumJournal)
        case .verify(let expectations): try verify(expectations)
        case .status: status
        case .plug, .unplug, .phone: try user.perform(request, on: self)
        case .stop: ControlAnswer("the service ends", ["stopping": true])
        }
    }

    private func tap(_ name: String, before reader: String?) -> ControlAnswer {
        let hasCome = host.perform { world in
            let before = world.presenceCount
            world.tap(name, before: reader)
            return world.presenceCount != before
        }
        return ControlAnswer(
            hasCome ? "\(name) comes before \(reader ?? "the reader")" : "\(name) lies before the reader already",
            ["tapped": .list(hasCome ? [.text(name)] : [])])
    }

    private func remove(_ name: String?) -> ControlAnswer {
        let gone = host.perform { world in
            let names = world.cards.filter { $0.isPresent && $0.name == name ?? $0.name }.map(\.name)
            for name in names { world.remove(name) }
            return names
        }
        let absent = name.map { "\($0) is away from the reader already" } ?? "no card lies before the reader"
        return ControlAnswer(
            gone.isEmpty ? [absent] : gone.map { "\($0) leaves the reader" }, ["removed": .list(gone.map(Node.text))])
    }

    private func swap(_ out: String, _ incoming: String, _ gap: Duration) throws(ControlRefusal) -> ControlAnswer {
        let isPossible = host.perform { world in
            let isThere = world.card(named: out)?.isPresent == true
            let isFree = out == incoming || world.card(named: incoming)?.isPresent == false
            if isThere, isFree { world.swap(out, for: incoming, after: gap) }
            return (isThere, isFree)
        }
        guard isPossible.0 else { throw ControlRefusal("\(out) does not lie before the reader; tap it first") }
        guard isPossible.1 else { throw ControlRefusal("\(incoming) lies before the reader already; remove it first") }
        return ControlAnswer(
            "\(out) leaves the reader, \(incoming) comes",
            ["removed": [.text(out)], "tapped": [.text(incoming)], "gap": .number(gap.wholeNanoseconds)])
    }

    private func set(_ name: String, _ values: Node) throws(ControlRefusal) -> ControlAnswer {
        var diagnostics = Diagnostics()
        let definition = current.withLock { $0.changeCard(name, values, into: &diagnostics) }
        guard let definition else { throw ControlRefusal(diagnostics) }
        host.perform { $0.replace(name, with: definition.makeEngine()) }
        return ControlAnswer("\(name) is made anew", ["card": .text(name), "definition": definition.node])
    }

    private func restart() -> ControlAnswer {
        reset()
        return ControlAnswer("everything is as at the beginning", ["reset": true])
    }

    private func journal(_ count: Int) -> ControlAnswer {
        let trace = host.snapshot.trace
        let last = trace.lastEntries(count)
        let table = ExchangeTable(trace, newest: count).lines
        return ControlAnswer(
            table.isEmpty ? ["no frame has reached a card"] : table,
            [
                "count": .number(trace.exchangeCount),
                "exchanges": .list(last.compactMap { $0.exchange?.node }),
                "calls": .list(last.compactMap { $0.call?.node }),
            ])
    }

    private func verify(_ expectations: Expectations?) throws(ControlRefusal) -> ControlAnswer {
        let judged = current.withLock { $0 }.judgingFieldAlone(expectations, hasPhone: user.hasPhone)
        guard !judged.expectations.items.isEmpty else {
            throw ControlRefusal(
                expectations == nil
                    ? "the scenario expects nothing of the field; say what you expect of it"
                    : "nothing is expected of the field, and \(ListText.choice(judged.droppedExpectations.map(\.key))) is not seen here"
            )
        }
        let record = user.record(of: host.snapshot)
        let result = CaseResult(judged, record, Judge.judge(judged, record), again: again)
        let dropped = judged.droppedExpectations.lines.map { "  \($0)" }
        return ControlAnswer(
            dropped + CaseText(result, showsOutput: false).lines,
            result.node(newest: ControlLanguage.maximumJournal))
    }
}

extension ControlRequest {
    /// Whether cards come or go by it; of beginning anew a user learns by ``FieldUser/fieldHasRestarted()``.
    fileprivate var movesCards: Bool {
        switch self {
        case .tap, .remove, .swap, .set: true
        default: false
        }
    }
}
