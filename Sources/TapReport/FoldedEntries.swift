import TapField

/// An entry of a trace with its faults and card movements.
struct SeenEntry {
    let entry: TraceEntry
    /// The number of exchanges omitted from the trace before it.
    let leftOut: Int
    let during: [TraceEvent]
    let after: [TraceEvent]

    /// Returns whether the entry equals another one except for the time.
    fileprivate func repeats(_ other: SeenEntry) -> Bool {
        guard leftOut == 0, [during, after, other.during, other.after].allSatisfy(\.isEmpty) else { return false }
        switch (entry, other.entry) {
        case (.exchange(let one), .exchange(let other)):
            return one.command == other.command && one.opened == other.opened && one.reader == other.reader
                && one.answers.elementsEqual(other.answers) {
                    $0.frame == $1.frame && $0.opened == $1.opened && $0.cards == $1.cards
                        && $0.firstCollidedBit == $1.firstCollidedBit
                }
        case (.call(let one), .call(let other)): return one.call == other.call && one.reader == other.reader
        default: return false
        }
    }
}

/// The faults of a run and its card movements, by the index of their entry.
struct Happenings {
    private var during: [Int: [TraceEvent]] = [:]
    private var after: [Int: [TraceEvent]] = [:]

    init() {}

    init(_ trace: Trace) {
        var (index, isAnswered) = (-1, true)
        for event in trace.events {
            switch event.kind {
            case .command: (index, isAnswered) = (index + 1, false)
            case .call(let call) where call.isWithoutExchange: (index, isAnswered) = (index + 1, true)
            case .answer, .collision, .silence: isAnswered = true
            // A card that is present before the first frame has not moved.
            case .card where index < 0: break
            case .card, .fault:
                if isAnswered {
                    after[index, default: []].append(event)
                } else {
                    during[index, default: []].append(event)
                }
            case .field, .slot, .opened, .note, .call: break
            }
        }
    }

    var beforeAll: [TraceEvent] { after[-1] ?? [] }

    func entry(_ entry: TraceEntry, at index: Int, leftOut: Int) -> SeenEntry {
        SeenEntry(entry: entry, leftOut: leftOut, during: during[index] ?? [], after: after[index] ?? [])
    }
}

/// A part of a table: an entry, or entries that repeat the preceding ones.
enum TableItem {
    case entry(SeenEntry)
    /// Entries that repeat the last `period` ones in order.
    case repeats([SeenEntry], period: Int)

    var entries: [SeenEntry] {
        switch self {
        case .entry(let entry): [entry]
        case .repeats(let entries, _): entries
        }
    }

    /// Returns the entries with repetitions folded; the marked exchange stays an entry.
    static func folded(_ entries: [SeenEntry], marking marked: Int?) -> [TableItem] {
        var items: [TableItem] = []
        var index = 0
        while index < entries.count {
            guard let (period, count) = repetition(in: entries, at: index, marked) else {
                items.append(.entry(entries[index]))
                index += 1
                continue
            }
            let (second, end) = (index + period, index + period * count)
            items +=
                entries[index..<second].map(TableItem.entry) + [.repeats(Array(entries[second..<end]), period: period)]
            index = end
        }
        return items
    }

    /// The maximum number of exchanges in a search for cards.
    private static let longestPeriod = 4
    private static let leastCount = 3

    private static func repetition(
        in entries: [SeenEntry], at start: Int, _ marked: Int?
    ) -> (period: Int, count: Int)? {
        var best: (period: Int, count: Int)?
        for period in 1...longestPeriod {
            var end = start + period
            while end < entries.count, entries[end].repeats(entries[end - period]),
                marked == nil || entries[end].entry.exchange?.number != marked
            {
                end += 1
            }
            let count = (end - start) / period
            guard count >= leastCount, (count - 1) * period > best.map({ ($0.count - 1) * $0.period }) ?? 0 else {
                continue
            }
            best = (period, count)
        }
        return best
    }
}
