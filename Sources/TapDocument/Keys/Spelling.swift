import TapWire

package struct KeySuggestion {
    /// The suggested key of the table, or `nil` if none is similar or the suggestion is in a nested map.
    package let key: String?
    /// The suggestion as a question, followed by a blank; empty if there is none.
    let question: String

    /// - Parameter isArgument: A Boolean value that indicates whether the key is from the command line, where dots lead into
    ///   maps and lists.
    package init(for name: String, in table: KeyTable, isArgument: Bool = false) {
        if let key = table.key(meantBy: name) {
            self.init(key: key.name, "`\(key.name)`")
        } else if let (outer, inner, isItem) = Self.below(name, table) {
            let path = "`\(outer).\(isItem ? "0." : "")\(inner)`"
            self.init(key: nil, isArgument ? path : "`\(inner)` \(isItem ? "in an item of" : "under") `\(outer)`")
        } else if let key = table.key(near: name) {
            self.init(key: key.name, "`\(key.name)`")
        } else {
            self.init(key: nil, nil)
        }
    }

    private init(key: String?, _ meant: String?) {
        self.key = key
        question = meant.map { "did you mean \($0)? " } ?? ""
    }

    private static func below(_ name: String, _ table: KeyTable) -> (outer: String, inner: String, isItem: Bool)? {
        for key in table.keys where key.notYet == nil {
            guard let (below, isItem) = key.shape.nestedTable else { continue }
            if let inner = below.key(name) ?? below.key(meantBy: name) { return (key.name, inner.name, isItem) }
        }
        return nil
    }
}

extension Shape {
    /// The keys of the map, or of the maps in the list, that this shape allows.
    fileprivate var nestedTable: (table: KeyTable, isItem: Bool)? {
        if case .table(let table)? = variant(for: .map) { return (table(), false) }
        guard case .items(let item, _)? = variant(for: .list), case .table(let table)? = item.variant(for: .map) else {
            return nil
        }
        return (table(), true)
    }
}

extension KeyTable {
    fileprivate func key(meantBy name: String) -> Key? {
        keys.first { $0.notYet == nil && $0.synonyms.contains(name) }
    }

    fileprivate func key(near name: String) -> Key? {
        let candidates = keys.filter { $0.notYet == nil }.flatMap { [$0.name] + $0.synonyms }
        return Spelling.closest(to: name, among: candidates).flatMap { key($0) ?? key(meantBy: $0) }
    }
}

public enum Spelling {
    /// The maximum length of a compared word; longer words are not considered misspellings.
    private static let maximumLength = 64

    /// The most similar candidate, or `nil` if none is similar.
    ///
    /// Case, hyphens and underscores are ignored. Up to a third of the letters may be wrong, missing, extra or swapped with
    /// their neighbour. Among equally similar candidates, the first wins.
    public static func closest(to word: String, among candidates: [String]) -> String? {
        ranked(word, candidates).first?.candidate
    }

    /// The similar candidates: first those that contain the word, then the most similar ones.
    public static func near(to word: String, among candidates: [String], upTo count: Int) -> [String] {
        let letters = Self.letters(word)
        let containing = candidates.filter { letters.count >= shortestPart && Self.letters($0).contains(letters) }
        let similar = ranked(word, candidates)
        let nearest = similar.prefix { $0.distance <= (similar.first?.distance ?? 0) }.map(\.candidate)
        var near: [String] = []
        for candidate in containing + nearest where !near.contains(candidate) { near.append(candidate) }
        return Array(near.prefix(count))
    }

    /// Shorter words are contained in too many candidates.
    private static let shortestPart = 4

    /// The similar candidates, most similar first; ties keep their order.
    private static func ranked(
        _ word: String, _ candidates: [String]
    ) -> [(candidate: String, distance: Int)] {
        let letters = Self.letters(word)
        guard letters.count <= maximumLength else { return [] }
        var near: [(candidate: String, distance: Int)] = []
        for candidate in candidates {
            let others = Self.letters(candidate)
            guard !others.isEmpty, others.count <= maximumLength else { continue }
            let isShort = min(letters.count, others.count) < 3
            let allowed = isShort ? 1 : max(letters.count, others.count) / 3
            // Each additional letter is an insertion.
            guard abs(letters.count - others.count) <= allowed else { continue }
            let distance = distance(letters, others)
            guard distance <= allowed, distance < letters.count || distance == 0 else { continue }
            let place = near.firstIndex { distance < $0.distance } ?? near.endIndex
            near.insert((candidate, distance), at: place)
        }
        return near
    }

    /// Advice that begins with the most similar candidate, `did you mean `read`? …`, if there is one.
    public static func suggestion(for word: String, among candidates: [String], before advice: String) -> String {
        closest(to: word, among: candidates).map { "did you mean `\($0)`? \(advice)" } ?? advice
    }

    /// The names that a word may mean: those with the same letters or with the word as another name, or else the most
    /// similar one.
    ///
    /// - Parameter otherNames: Other names, by name.
    public static func meant(
        by word: String, among names: [String], otherNames: [String: [String]] = [:]
    ) -> [String] {
        let plain = LookAlike.plain(word) ?? word
        let letters = letters(plain)
        let known = names.map { name in (name: name, all: [name] + (otherNames[name] ?? [])) }
        let same = known.filter { $0.all.contains { Self.letters($0) == letters } }.map(\.name)
        guard same.isEmpty else { return same }
        guard let closest = closest(to: plain, among: known.flatMap(\.all)) else { return [] }
        return known.first { $0.all.contains(closest) }.map { [$0.name] } ?? []
    }

    /// The advice on an unknown word: a suggestion if there is one, then the names that fit into a line.
    public static func advice(
        on word: String, among names: [String], otherNames: [String: [String]] = [:]
    ) -> String {
        let meant = meant(by: word, among: names, otherNames: otherNames).map { "`\($0)`" }
        let list = "expected \(ListText.fitting(names.map { "`\($0)`" }, isChoice: true))"
        guard !meant.isEmpty else { return list }
        let question = "did you mean \(ListText.choice(meant))?"
        return names.count == 1 ? question : "\(question) \(list)"
    }

    private static func letters(_ word: String) -> [Unicode.Scalar] {
        let ignored: Set<Unicode.Scalar> = ["_", "-", "/", " ", "\"", "'"]
        return word.lowercased().unicodeScalars.filter { !ignored.contains($0) }
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
    ///
    /// The optimal string alignment distance, as in Damerau, "A technique for computer detection and correction of spelling
    /// errors", 1964.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isSame = left[row] == right[column]
                var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                let isSwap =
                    row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
                if isSwap { cost = min(cost, beforeLast[column - 1] + 1) }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
