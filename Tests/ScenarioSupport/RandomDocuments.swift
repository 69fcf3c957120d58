import TapCards
import TapDocument

/// Random documents that a shape accepts, built from texts that at least one rule accepts.
package struct RandomDocuments {
    private var random: SeededGenerator
    private let texts: [String]
    /// A Boolean value that indicates whether some scalars are references to parameters.
    private let hasReferences: Bool

    /// The number of texts to draw for a rule that may accept none.
    private let tries: Int

    package init(seed: UInt64, _ label: String, texts: [String], hasReferences: Bool, tries: Int = 10_000) {
        self.tries = tries
        random = SeededGenerator(seed: seed).fork(label)
        self.texts = texts
        self.hasReferences = hasReferences
    }

    package mutating func next(_ shape: Shape, depth: Int = 6) -> Node {
        switch shape {
        case .scalar(let rule): return .scalar(scalar(rule, isKey: false))
        case .items(let item, let count):
            let most = depth > 0 ? min(count.upperBound, count.lowerBound + 3) : count.lowerBound
            let length = count.lowerBound + random.next(below: most - count.lowerBound + 1)
            return .list((0..<length).map { _ in next(item, depth: depth - 1) })
        case .table(let table): return next(table(), depth: depth)
        case .named(let names, let values):
            let entries = (0..<random.next(below: depth > 0 ? 3 : 1)).map { _ in
                NodeMap.Entry(scalar(names, isKey: true), next(values, depth: depth - 1))
            }
            return .map(NodeMap(entries))
        case .variants(let shapes): return next(shapes[random.next(below: shapes.count)], depth: depth)
        case .free: return [.null, "x", ["y": 1], [true]][random.next(below: 4)]
        }
    }

    private mutating func next(_ table: KeyTable, depth: Int) -> Node {
        let one = table.exactlyOne.isEmpty ? nil : table.exactlyOne[random.next(below: table.exactlyOne.count)]
        let some = table.atMostOne.isEmpty ? nil : table.atMostOne[random.next(below: table.atMostOne.count)]
        var entries: [(key: String, value: Node)] = random.next(below: 4) == 0 ? [(key: "x-mine", value: .null)] : []
        for key in table.keys where key.notYet == nil {
            let isOptional =
                !table.exactlyOne.contains(key.name) && (!table.atMostOne.contains(key.name) || key.name == some)
            let isTaken = isOptional && depth > 0 && random.next(below: 3) == 0
            guard key.isRequired || key.name == one || isTaken else { continue }
            entries.append((key: key.name, value: next(key.shape, depth: depth - 1)))
        }
        return .map(entries)
    }

    private mutating func scalar(_ rule: any ScalarRule, isKey: Bool) -> Scalar {
        if hasReferences, !isKey, random.next(below: 4) == 0 { return Scalar("${params.some-name}") }
        let form: Scalar.Form = random.next(below: 3) == 0 ? .quoted : .plain
        let candidates = if case .words(let words) = rule.schema.strings { words } else { texts }
        for _ in 0..<tries {
            let text = candidates[random.next(below: candidates.count)]
            guard (try? rule.parse(text)) != nil, !text.isEmpty || form == .quoted else { continue }
            guard !text.contains("${"), !isKey || !text.hasPrefix(KeyTable.freePrefix) else { continue }
            return Scalar(text, form: form)
        }
        return Scalar("1")
    }
}
