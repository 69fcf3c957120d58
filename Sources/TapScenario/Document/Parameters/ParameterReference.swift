/// A `${params.NAME}` that is a whole value.
struct ParameterReference: Hashable, Sendable {
    /// The name of the parameter.
    let name: String

    private static let opening = "${params."

    /// Reads a reference, or nothing if the text is anything else.
    init?(_ text: String) {
        guard text.hasPrefix(Self.opening), text.hasSuffix("}") else { return nil }
        let name = String(text.dropFirst(Self.opening.count).dropLast())
        guard (try? NameRule().parse(name)) != nil else { return nil }
        self.name = name
    }

    /// Offsets of the first `${` in a text and of all up to its brace.
    static func firstMark(in text: String) -> Range<Int>? {
        let scalars = Array(text.unicodeScalars)
        guard let start = scalars.indices.dropLast().first(where: { scalars[$0] == "$" && scalars[$0 + 1] == "{" })
        else { return nil }
        let end = scalars[start...].firstIndex(of: "}") ?? start + 1
        return start..<end + 1
    }
}

extension Node {
    /// Names of the parameters that the tree refers to, in the order of the file; a name may come several times.
    var parameterNames: [String] {
        switch self {
        case .scalar(let scalar): ParameterReference(scalar.text).map { [$0.name] } ?? []
        case .list(let list): list.items.flatMap(\.parameterNames)
        case .map(let map): map.entries.flatMap(\.value.parameterNames)
        }
    }
}
