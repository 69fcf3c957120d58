/// The expected line that an output lacks, next to the line that it has instead.
enum LineDifference {
    /// Returns the first expected line that an output lacks, and the most similar line of the output.
    ///
    /// Returns `nil` if the output has every line, if no line is similar, or if the text does not stand for whole lines.
    static func first(of expected: String, in output: String) -> (expected: String, got: String)? {
        guard expected.hasSuffix("\n") else { return nil }
        let (wanted, printed) = (lines(expected), lines(output))
        guard let missing = wanted.first(where: { !printed.contains($0) }) else { return nil }
        let likeness = printed.map { shared(missing, $0) }
        guard let best = likeness.max(), best * 2 >= missing.count, let index = likeness.firstIndex(of: best) else {
            return nil
        }
        return (missing + "\n", printed[index] + "\n")
    }

    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// Returns the number of characters that two lines share at the beginning and the end.
    private static func shared(_ one: String, _ other: String) -> Int {
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        return start + end
    }
}
