import TapDocument
import TapField

/// The output of a client after it had read a card, and before it read the next one.
struct CardOutput: Hashable, Sendable {
    /// The name of the card that was read last; `nil` before the first one.
    var card: String?
    /// The number of the visit, from 1; 0 before the first card.
    let visit: Int
    let lines: Node
}

/// A client's reading of a field that differs from the one in its baseline runs.
struct OtherReading: Sendable {
    let result: Node
    let outputs: [CardOutput]
}

extension Baseline {
    /// Identifies a result that is right although it differs from the baseline runs.
    ///
    /// - Returns: The words for the client's reading of other fields, as a whole or card by card; `nil` if the result is
    ///   wrong.
    func otherContent(in result: Node, of facts: RunFacts) -> String? {
        let fields = facts.otherFields.filter { !$0.isCardAlone || readsOneOfSeveralCards }
        let readings = fields.compactMap { field in otherReadings[field].map { (field: field, reading: $0) } }
        if let whole = readings.first(where: { $0.reading.result == result }) { return whole.field.rightResult }
        for (field, reading) in readings where field.isChangedCard {
            let found = judge.outputs(of: facts)
            // Changed memory does not change back.
            let sameCount = zip(found, outputs).prefix { $0.lines == $1.lines }.count
            let isChanged = found.dropFirst(sameCount).map(\.lines) == reading.outputs.dropFirst(sameCount).map(\.lines)
            if isChanged, found.count == outputs.count, !found.isEmpty { return field.rightResult }
        }
        let known = outputs + readings.filter { !$0.field.isChangedCard }.flatMap(\.reading.outputs)
        return isMade(result, of: known, by: facts.cardsRead) ? "the contents of the cards that it read" : nil
    }

    /// Returns whether a result consists of the outputs for the cards that the client read, in order; some of these reads may
    /// have failed.
    private func isMade(_ result: Node, of known: [CardOutput], by cards: [String?]) -> Bool {
        var rest = result.items[...]
        var count = 0
        for card in cards {
            let texts = known.filter { $0.card == card && !$0.lines.items.isEmpty && rest.starts(with: $0.lines.items) }
            guard let text = texts.max(by: { $0.lines.items.count < $1.lines.items.count }) else { continue }
            rest = rest.dropFirst(text.lines.items.count)
            count += 1
        }
        return rest.isEmpty && count > 0 && count == outputs.count
    }

    /// A Boolean value that indicates whether the client reads only one of several cards that are presented together.
    private var readsOneOfSeveralCards: Bool {
        otherReadings.contains { $0.key.isCardAlone && $0.value.result == result }
    }
}

/// The visit in which a card is read, and how often the card has been presented by then.
private struct CardVisit: Hashable {
    let card: String
    var number = 0
    var visit = 1
}

/// The cards that have come so far, with the visits that brought them.
private struct VisitCount {
    private var cards: [String: CardVisit] = [:]
    private var present: Set<String> = []
    private var visit = 0
    private var isPlanned = false

    /// Counts visits: as the plan does, or else by the cards that come while no other card is present.
    mutating func take(_ event: TraceEvent) {
        switch event.kind {
        case .note(let text) where event.source == nil:
            guard let number = ClientReport.Visits.number(inNote: text) else { return }
            (visit, isPlanned) = (number, true)
        case .card(let card, isPresent: true):
            if present.isEmpty, !isPlanned { visit += 1 }
            present.insert(card)
            cards[card] = CardVisit(card: card, number: self[card].number + 1, visit: visit)
        case .card(let card, isPresent: false): present.remove(card)
        default: break
        }
    }

    subscript(card: String) -> CardVisit { cards[card] ?? CardVisit(card: card) }
}

extension RunFacts {
    /// The names of the cards that were read, in order; the first item is `nil`, for the time before any card.
    ///
    /// A card that is presented again counts again.
    fileprivate var cardsRead: [String?] {
        let visits = visitsByExchange
        let changes = zip(visits, visits.dropFirst()).filter { $0 != $1 }.map(\.1)
        return [nil] + changes.map { $0?.card }
    }

    /// Returns the output of the client, split where the client had read another card, or the same card after it was presented
    /// again.
    func printedByCard(on stream: OutputMark.Stream) -> [(card: String?, visit: Int, text: String)] {
        let visits = visitsByExchange
        let text = stream == .output ? client.standardOutput : client.standardError
        let output = Array(text.utf8)
        var parts: [(visit: CardVisit?, end: Int)] = []
        for mark in client.marks where mark.stream == stream {
            let visit = visits[min(mark.exchange, visits.count - 1)]
            if let last = parts.last, last.visit == visit { parts.removeLast() }
            parts.append((visit, min(mark.end, output.count)))
        }
        guard let last = parts.last else { return [(nil, 0, text)] }
        parts[parts.count - 1] = (last.visit, output.count)
        return zip([0] + parts.map(\.end), parts).map { begin, part in
            (part.visit?.card, part.visit?.visit ?? 0, String(decoding: output[begin..<part.end], as: UTF8.self))
        }
    }

    /// The card that had been read last at each exchange; the first item is before any exchange.
    ///
    /// A reader may have found the next card while the client is still printing the previous one.
    private var visitsByExchange: [CardVisit?] {
        var visits: [CardVisit?] = [nil]
        var count = VisitCount()
        var answering: CardVisit?
        for event in world.trace.events {
            let last = visits.count - 1
            count.take(event)
            switch event.kind {
            case .command: visits.append(visits[last])
            case .answer(_, let card, _, _):
                answering = count[card]
                let isSearch = exchanges.indices.contains(last - 1) && exchanges[last - 1].isSearching
                if !isSearch { visits[last] = answering }
            case .call(let call) where call.layer == .apdu: visits[last] = answering ?? visits[last]
            default: break
            }
        }
        return visits
    }
}
