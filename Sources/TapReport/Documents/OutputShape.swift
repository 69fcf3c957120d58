import TapDocument

/// What a value in JSON looks like: the schema and the documentation of `--json` are made from it.
indirect enum OutputShape: Sendable {
    case text
    /// A whole number.
    case number
    case flag
    /// One of some words.
    case word([String])
    case list(OutputShape)
    /// A map whose keys are names.
    case map(OutputShape)
    case object(OutputObject)
    case either([OutputShape])
    case null
    /// Any value; the text says which.
    case any(String)

    /// The objects in it, in the order in which they are met.
    var objects: [OutputObject] {
        switch self {
        case .text, .number, .flag, .word, .null, .any: []
        case .list(let shape), .map(let shape): shape.objects
        case .object(let object): [object]
        case .either(let shapes): shapes.flatMap(\.objects)
        }
    }

    var schema: Node {
        switch self {
        case .text: ["type": "string"]
        case .number: ["type": "integer"]
        case .flag: ["type": "boolean"]
        case .word(let words): ["enum": .list(words.map(Node.text))]
        case .list(let shape): ["type": "array", "items": shape.schema]
        case .map(let shape): ["type": "object", "additionalProperties": shape.schema]
        case .object(let object): ["$ref": .text("#/definitions/\(object.name)")]
        case .either(let shapes): ["anyOf": .list(shapes.map(\.schema))]
        case .null: ["type": "null"]
        case .any(let what): ["description": .text(what)]
        }
    }

    /// The shape in words, with links to the objects.
    var words: String {
        switch self {
        case .text: "text"
        case .number: "a number"
        case .flag: "true or false"
        case .word(let words): words.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .list(let shape): "a list: \(shape.words)"
        case .map(let shape): "a map by name: \(shape.words)"
        case .object(let object): Markdown.link(object.title, toHeading: object.title)
        case .either(let shapes): shapes.map(\.words).joined(separator: ", or ")
        case .null: "null"
        case .any(let what): what
        }
    }
}

/// A map with known keys.
struct OutputObject: Sendable {
    struct Key: Sendable {
        let name: String
        let shape: OutputShape
        let summary: String
        let isOptional: Bool
    }

    /// Its name in the schema.
    let name: String
    /// Its heading in the documentation.
    let title: String
    let keys: [Key]

    init(_ name: String, _ title: String, _ keys: [Key]) {
        self.name = name
        self.title = title
        self.keys = keys
    }

    var schema: Node {
        let properties = keys.map { key -> (key: String, value: Node) in
            guard case .object = key.shape else {
                let entries =
                    [("description", Node.text(key.summary))] + key.shape.schema.entries.map { ($0.key.text, $0.value) }
                return (
                    key.name,
                    .map(
                        entries.reduce(into: []) { list, entry in
                            if !list.contains(where: { $0.0 == entry.0 }) { list.append(entry) }
                        })
                )
            }
            return (key.name, key.shape.schema)
        }
        return [
            "title": .text(title), "type": "object", "properties": .map(properties),
            "required": .list(keys.filter { !$0.isOptional }.map { .text($0.name) }), "additionalProperties": false,
        ]
    }

    /// A section of the documentation.
    var section: String {
        let rows = keys.map { key in
            [Markdown.code(key.name) + (key.isOptional ? "" : " (always)"), key.shape.words, key.summary]
        }
        return "### \(title)\n\n\(Markdown.table(["Key", "Value", "What it says"], rows))"
    }
}

extension OutputObject.Key {
    /// A key that is always there.
    static func always(_ name: String, _ shape: OutputShape, _ summary: String) -> OutputObject.Key {
        .init(name: name, shape: shape, summary: summary, isOptional: false)
    }

    /// A key that is left out where it has nothing to say.
    static func maybe(_ name: String, _ shape: OutputShape, _ summary: String) -> OutputObject.Key {
        .init(name: name, shape: shape, summary: summary, isOptional: true)
    }
}
