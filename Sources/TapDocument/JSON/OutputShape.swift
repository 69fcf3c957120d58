/// The shape of a value that `--json` prints, from which its schema and documentation are generated.
package indirect enum OutputShape: Sendable {
    case text
    case number
    case decimal
    case flag
    case word([String])
    case list(OutputShape)
    /// A map whose keys are names.
    case map(OutputShape)
    case object(OutputObject)
    case either([OutputShape])
    case null
    /// Any value; the text describes it.
    case any(String)

    /// The objects in the shape, in the order of appearance.
    package var objects: [OutputObject] {
        switch self {
        case .text, .number, .decimal, .flag, .word, .null, .any: []
        case .list(let shape), .map(let shape): shape.objects
        case .object(let object): [object]
        case .either(let shapes): shapes.flatMap(\.objects)
        }
    }

    package var schema: Node {
        switch self {
        case .text: ["type": "string"]
        case .number: ["type": "integer"]
        case .decimal: ["type": "number"]
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
}

package struct OutputObject: Sendable {
    package struct Key: Sendable {
        package let name: String
        package let shape: OutputShape
        package let summary: String
        /// A Boolean value that indicates whether objects may lack the key.
        package let isOptional: Bool

        fileprivate var schema: Node {
            if case .object = shape { return shape.schema }
            // If a key occurs twice, the first one counts.
            let entries = shape.schema.entries.map { (key: $0.key.text, value: $0.value) }
            return .map([(key: "description", value: .text(summary))] + entries)
        }
    }

    /// The name in the schema.
    package let name: String
    /// The heading in the documentation.
    package let title: String
    package let keys: [Key]

    package var schema: Node {
        [
            "title": .text(title), "type": "object",
            "properties": .map(keys.map { (key: $0.name, value: $0.schema) }),
            "required": .list(keys.filter { !$0.isOptional }.map { .text($0.name) }), "additionalProperties": false,
        ]
    }
}
