/// The lines that are the same in several runs of a program.
struct OutputDraft {
    /// The number of lines compared per run; a longer list is hard to read.
    static let maximumLines = 500

    /// Blocks of shared lines that are consecutive in every output, in order.
    let blocks: [[String]]
    /// The lines of the first output that are missing in another one.
    let unstable: [String]

    /// - Parameter outputs: At least one output.
    init(_ outputs: [String]) {
        let outputs = outputs.map(Self.lines)
        let first = outputs[0]
        let places = outputs.dropFirst().map { Self.places(of: first, in: $0) }
        var (blocks, unstable) = ([[String]](), [String]())
        var last: Int?
        for (index, line) in first.enumerated() {
            guard places.allSatisfy({ $0[index] != nil }) else {
                unstable.append(line)
                continue
            }
            let follows = last == index - 1 && places.allSatisfy { $0[index] == $0[index - 1].map { $0 + 1 } }
            if follows { blocks[blocks.count - 1].append(line) } else { blocks.append([line]) }
            last = index
        }
        self.blocks = blocks.filter { $0.contains { !$0.allSatisfy(\.isWhitespace) } }
        self.unstable = unstable
    }

    /// Returns the texts to expect: one per block, or each line once if lines repeat as often as time allows.
    func texts(repeating: Bool) -> [String] {
        guard repeating else { return blocks.map { $0.map { $0 + "\n" }.joined() } }
        var seen: Set<String> = []
        return blocks.joined().filter { !$0.allSatisfy(\.isWhitespace) && seen.insert($0).inserted }.map { $0 + "\n" }
    }

    private static func lines(_ text: String) -> [String] {
        // Splits by bytes because a line may end in CR LF, which is a single character.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.prefix(maximumLines).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the indices in another output of the lines that it has in the same order, keyed by their own index.
    private static func places(of lines: [String], in other: [String]) -> [Int: Int] {
        let difference = other.difference(from: lines)
        let offsets = { (change: CollectionDifference<String>.Change) -> Int in
            switch change {
            case .insert(let offset, _, _), .remove(let offset, _, _): offset
            }
        }
        let (removed, added) = (Set(difference.removals.map(offsets)), Set(difference.insertions.map(offsets)))
        return Dictionary(
            uniqueKeysWithValues: zip(
                lines.indices.filter { !removed.contains($0) }, other.indices.filter { !added.contains($0) }))
    }
}
