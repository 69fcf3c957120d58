extension Diagnostic {
    /// The diagnostic as a program reads it.
    ///
    /// ```
    /// {"code": "S012", "severity": "error", "message": …, "hint": …,
    ///  "file": …, "line": 6, "column": 5, "length": 4, "related": [{"message": …, "file": …, "line": …, …}]}
    /// ```
    /// Lines and columns count from 1, columns and lengths in Unicode scalars. Keys without a value are left out.
    public var node: Node {
        let place = Self.fields(place)
        let others = related.map { other in
            Node.map([(key: "message", value: .text(other.message))] + Self.fields(.range(other.range)))
        }
        return .map(
            [
                (key: "code", value: .text(code.rawValue)),
                (key: "severity", value: .text(severity.rawValue)),
                (key: "message", value: .text(message)),
            ] + (hint.isEmpty ? [] : [(key: "hint", value: .text(hint))])
                + place + (others.isEmpty ? [] : [(key: "related", value: .list(others))]))
    }

    private static func fields(_ place: Place) -> [(key: String, value: Node)] {
        guard let file = place.file else { return [] }
        let name = (key: "file", value: Node.text(file.name))
        guard let range = place.range else { return [name] }
        return [
            name, (key: "line", value: .number(range.line)), (key: "column", value: .number(range.column)),
            (key: "length", value: .number(range.length)),
        ]
    }
}
