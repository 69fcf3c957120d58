import TapField
import TapReaders
import TapScenario
import TapWire

/// Judges the expectations on the exchanges of a run.
///
/// Counts are exact even if a run is too long to be kept whole. Other expectations fail as unknown if dropped exchanges could
/// matter.
struct ExchangeJudge {
    private let trace: Trace
    /// The exchanges, decoded once and only if an expectation lists exchanges.
    private lazy var seen = trace.exchanges.map(SeenExchange.init)

    init(_ trace: Trace) {
        self.trace = trace
    }

    mutating func judge(_ item: Expectation) -> [Failure] {
        switch item.demand {
        case .exchanges(let list): judgeList(item, list)
        case .count(let command, let range): judgeCount(item, command, range)
        case .never(let pattern): judgeNever(item, pattern)
        default: []
        }
    }

    private func exchanges(of command: CommandName) -> some Sequence<Exchange> {
        trace.entries.lazy.compactMap(\.exchange).filter { CommandName(of: $0.command) == command }
    }

    private func judgeCount(_ item: Expectation, _ command: CommandName, _ range: IntegerRange) -> [Failure] {
        var count = trace.omission?.count(of: command) ?? 0
        var last: Int?
        for exchange in exchanges(of: command) {
            count += 1
            last = exchange.number
        }
        return range.contains(count) ? [] : [item.failure("\(range)", got: "\(count)", nearest: last)]
    }

    private func judgeNever(_ item: Expectation, _ pattern: ExchangePattern) -> [Failure] {
        var (count, first) = (0, Int?.none)
        for exchange in exchanges(of: pattern.command) where SeenExchange(exchange).matches(pattern) {
            count += 1
            first = first ?? exchange.number
        }
        guard let first else {
            let leftOut = trace.omission?.count(of: pattern.command) ?? 0
            return leftOut > 0 ? [undecided(item, "no \(pattern)", leftOut)] : []
        }
        let more = count == 1 ? "" : ", the first of \(count)"
        return [item.failure("no \(pattern)", got: "exchange \(first)\(more)", nearest: first)]
    }

    private mutating func judgeList(_ item: Expectation, _ list: ExchangeList) -> [Failure] {
        let failures =
            switch list.order {
            case .exact: judgeExact(item, list.patterns)
            case .subsequence: judgeSubsequence(item, list.patterns)
            case .any: judgeAny(item, list.patterns)
            }
        guard let omission = trace.omission else { return failures }
        let names = Set(list.patterns.map(\.pattern.command))
        let leftOut =
            switch list.order {
            case .exact where Self.namesSelection(list.patterns): omission.exchanges
            case .exact: omission.exchanges - omission.count { $0.layer == .selection }
            case .subsequence, .any: omission.count(where: names.contains)
            }
        // An exact list is decided before the gap or not at all; other lists can only be met by the exchanges in it.
        let isOpen =
            list.order == .exact
            ? failures.first?.nearest.map { $0 > omission.exchangesBefore } ?? true : !failures.isEmpty
        return leftOut > 0 && isOpen ? [undecided(item, "the exchanges listed", leftOut)] : failures
    }

    /// Returns the failure for a run whose dropped exchanges could matter.
    private func undecided(_ item: Expectation, _ expected: String, _ leftOut: Int) -> Failure {
        let numbers = trace.omission?.numbers.map { "exchanges \($0.lowerBound) to \($0.upperBound)" } ?? "exchanges"
        return item.failure(
            expected, got: "a run whose \(numbers) are not kept, \(leftOut) of them relevant here",
            hint: "\(TraceBound.run.text) Let the client do less, or expect `counts`, which stay exact.")
    }

    private mutating func judgeSubsequence(_ item: Expectation, _ patterns: [ExchangeList.Located]) -> [Failure] {
        var failures: [Failure] = []
        var next = 0
        for (index, located) in patterns.enumerated() {
            if let found = seen[next...].firstIndex(where: { $0.matches(located.pattern) }) {
                next = found + 1
            } else {
                failures.append(missing(item, index, located, from: next))
            }
        }
        return failures
    }

    private mutating func judgeAny(_ item: Expectation, _ patterns: [ExchangeList.Located]) -> [Failure] {
        var failures: [Failure] = []
        for (index, located) in patterns.enumerated() where !seen.contains(where: { $0.matches(located.pattern) }) {
            failures.append(missing(item, index, located, from: 0))
        }
        return failures
    }

    private static func namesSelection(_ patterns: [ExchangeList.Located]) -> Bool {
        patterns.contains { $0.pattern.command.layer == .selection }
    }

    private mutating func judgeExact(_ item: Expectation, _ patterns: [ExchangeList.Located]) -> [Failure] {
        let counted = Self.namesSelection(patterns) ? seen : seen.filter { !$0.isSelection }
        for (index, located) in patterns.enumerated() {
            guard index < counted.count else {
                return [failure(item, index, located, got: "the end of the run after \(counted.count) exchanges", nil)]
            }
            let exchange = counted[index]
            guard !exchange.matches(located.pattern) else { continue }
            let differences = exchange.differences(from: located.pattern)
            let got = differences.map { "exchange \(exchange.number) with \($0.joined(separator: ", "))" }
            return [
                failure(
                    item, index, located, got: got ?? "exchange \(exchange.number): \(exchange.summary)",
                    exchange.number)
            ]
        }
        guard counted.count > patterns.count else { return [] }
        let extra = counted[patterns.count]
        return [
            item.failure(
                "no exchange after the \(patterns.count) listed", got: "exchange \(extra.number): \(extra.summary)",
                nearest: extra.number)
        ]
    }

    private mutating func missing(
        _ item: Expectation, _ index: Int, _ located: ExchangeList.Located, from start: Int
    ) -> Failure {
        let pattern = located.pattern
        if let early = seen[..<start].last(where: { $0.matches(pattern) }) {
            return failure(item, index, located, got: "it only earlier, in exchange \(early.number)", early.number)
        }
        var nearest: (exchange: SeenExchange, differences: [String])?
        for exchange in seen[start...] + seen[..<start] {
            guard let differences = exchange.differences(from: pattern) else { continue }
            if differences.count < nearest?.differences.count ?? .max { nearest = (exchange, differences) }
        }
        guard let (exchange, differences) = nearest else {
            return failure(item, index, located, got: "no \(pattern.command) at all", nil)
        }
        let got = "at best exchange \(exchange.number) with \(differences.joined(separator: ", "))"
        return failure(item, index, located, got: got, exchange.number)
    }

    private func failure(
        _ item: Expectation, _ index: Int, _ located: ExchangeList.Located, got: String, _ nearest: Int?
    ) -> Failure {
        item.failure(
            "\(located.pattern)", got: got, nearest: nearest, path: "\(item.path)  item \(index + 1)",
            source: located.source)
    }
}

extension TraceBound {
    public var text: String {
        "A run keeps at most \(exchanges) exchanges or \(bytes >> 20) MiB, from its beginning and its end."
    }
}

/// Finds a reader model that understands the commands the reader refused, by trying them on each model.
struct ModelAdvice {
    /// The number of commands that suffices to recognise a client written for another maker's reader.
    private static let maximumCommands = 16

    private let test: ScenarioCase

    init(_ test: ScenarioCase) {
        self.test = test
    }

    /// Returns the model to try: ``FF A4 is Sony's: try `--model rc-s380` ``; `nil` if no other model fits better.
    func sentence(for record: RunRecord) -> String? {
        var commands: [HostCall] = []
        for case .call(let entry) in record.world.trace.entries where entry.call.isRefused {
            guard entry.call.layer.hasStatusWord, !commands.contains(where: { $0.isAlike(entry.call) }) else {
                continue
            }
            commands.append(entry.call)
            if commands.count == Self.maximumCommands { break }
        }
        guard !commands.isEmpty else { return nil }
        let own = Set(test.readersOrDefault.map(\.spec.model))
        // The run's own model knows the remaining commands; it refused them for another reason.
        let foreign = commands.filter { command in !own.contains { understands($0, command) } }
        let others = ReaderModel.allCases.filter { !own.contains($0) }
        var best: (model: ReaderModel, understood: [Int])?
        for model in others {
            let understood = foreign.indices.filter { understands(model, foreign[$0]) }
            guard let first = understood.first else { continue }
            // The model that understands the most commands wins. On a tie, the one that understands the earliest command wins:
            // a client may try other models' commands later.
            guard let found = best else {
                best = (model, understood)
                continue
            }
            let isBetter = (understood.count, -first) > (found.understood.count, -found.understood[0])
            if isBetter { best = (model, understood) }
        }
        return best.map { best in
            "\(foreign[best.understood[0]].head) is \(best.model.maker)'s: try `--model \(best.model.rawValue)`"
        }
    }

    /// Returns whether a model carries out a command with the cards of the case and without faults.
    private func understands(_ model: ReaderModel, _ call: HostCall) -> Bool {
        var world = World(seed: test.seed)
        for card in test.cards {
            world.add(card.definition.makeEngine(), named: card.name)
            world.tap(card.name)
        }
        var reader = model.makeReader()
        _ = reader.look(in: &world)
        let answer =
            switch call.layer {
            case .control(let code): reader.control(code, call.command, in: &world)
            default: reader.transmit(call.command, in: &world)
            }
        guard case .answer(let bytes) = answer else { return false }
        return !HostCall(call.layer, call.command, .answer(bytes)).isRefused
    }
}

extension HostCall {
    /// The number of bytes that identify a maker's command: class and instruction.
    private static let headLength = 2

    fileprivate var head: String { Hex.text(command.prefix(Self.headLength), separator: " ") }

    fileprivate func isAlike(_ other: HostCall) -> Bool {
        layer == other.layer && command.prefix(Self.headLength) == other.command.prefix(Self.headLength)
    }
}
