import TapScenario

/// Cuts what a client prints into lines, and looks for patterns in them as soon as they are there.
///
/// A line that is not ended yet counts as well, since a prompt has no end.
struct OutputWatch {
    /// Longest piece of a line that is looked at.
    private static let maximumLength = 1 << 16

    private var line: [UInt8] = []
    private var texts: [String] = []

    /// Takes what the client has printed.
    ///
    /// - Returns: The lines that ended with it, without their ends.
    mutating func take(_ bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == 0x0A {
                if line.last == 0x0D { line.removeLast() }
                lines.append(String(decoding: line, as: UTF8.self))
                line = []
            } else if line.count < Self.maximumLength {
                line.append(byte)
            }
        }
        texts += lines
        return lines
    }

    /// Whether a pattern is found in what was printed since the last ``forget()``, or in the line that has begun.
    func hasSeen(_ pattern: LinePattern) -> Bool {
        texts.contains(where: pattern.isFound(in:)) || pattern.isFound(in: String(decoding: line, as: UTF8.self))
    }

    /// Looks at the lines so far no more.
    mutating func forget() { texts = [] }
}
