/// A pattern of names: `*` stands for any text, everything else for itself.
public struct Glob: Hashable, Sendable, CustomStringConvertible {
    /// The pattern as it was written.
    public let description: String

    public init(_ pattern: String) {
        description = pattern
    }

    /// Whether a name fits, all of it.
    public func matches(_ name: String) -> Bool {
        let parts = description.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return name == description }
        guard name.hasPrefix(first) else { return false }
        var rest = name.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count >= last.count && rest.hasSuffix(last)
    }
}
