/// A generator of JSON Schemas from key tables, for editors that complete and check.
///
/// The same tables give the same bytes. Each table becomes one definition, so tables may be recursive. The schema accepts
/// every file that the checker accepts, whichever way YAML was converted to JSON, and rejects most files that the checker
/// rejects. Rules that span several locations, such as references to existing names, are left to the checker.
///
/// Source: JSON Schema, draft-07.
public struct JSONSchema {
    private var definitions: [(key: String, value: Node)] = []
    /// The keys of each table, by the name of its definition.
    private var keysByName: [String: [String]] = [parameterName: []]
    private var waiting: [KeyTable] = []

    private init() {}

    /// The schema of documents that are a map with the keys of `table`.
    public static func of(_ table: KeyTable, title: String, id: String? = nil) -> Node {
        var schema = JSONSchema()
        let root = schema.reference(to: table)
        while !schema.waiting.isEmpty {
            let next = schema.waiting.removeFirst()
            schema.definitions.append((key: name(of: next), value: schema.definition(of: next)))
        }
        return .map([
            "$schema": "http://json-schema.org/draft-07/schema#", "$id": id.map(Node.text), "title": .text(title),
            "allOf": [root], "definitions": .map(schema.definitions + [(key: parameterName, value: parameter)]),
        ])
    }

    private static let parameterName = "parameter-reference"

    /// The schema of a parameter reference, which can replace any single value.
    private static let parameter: Node = [
        "description": "A parameter of the scenario, which replaces the whole value.", "type": "string",
        "pattern": "^\\$\\{params\\.[A-Za-z0-9][A-Za-z0-9_.-]*\\}$",
    ]

    private static let freeKeys: Node = .map([(key: "^\(KeyTable.freePrefix)", value: true)])

    /// The noun without its article, joined with hyphens.
    private static func name(of table: KeyTable) -> String {
        let words = table.noun.split(separator: " ")
        let isArticle = words.count > 1 && ["a", "an", "the"].contains(words[0])
        return words.dropFirst(isArticle ? 1 : 0).joined(separator: "-")
    }

    private mutating func reference(to table: KeyTable) -> Node {
        let name = Self.name(of: table)
        let keys = table.keys.map(\.name)
        if let known = keysByName[name] {
            precondition(known == keys, "two key tables are called \(name)")
        } else {
            keysByName[name] = keys
            waiting.append(table)
        }
        return ["$ref": .text("#/definitions/\(name)")]
    }

    private mutating func definition(of table: KeyTable) -> Node {
        var properties: [(key: String, value: Node)] = []
        for key in table.keys where key.notYet == nil {
            properties.append((key: key.name, value: property(key)))
        }
        let required = table.keys.filter { $0.isRequired && $0.notYet == nil }.map { Node.text($0.name) }
        return .map([
            "description": .text(table.noun), "type": "object", "properties": .map(properties),
            "patternProperties": Self.freeKeys, "additionalProperties": false,
            "required": required.isEmpty ? nil : .list(required), "allOf": Self.choices(of: table),
        ])
    }

    /// The schema of a key with its summary; a description next to a reference would be ignored, so it wraps the reference.
    private mutating func property(_ key: Key) -> Node {
        let value = schema(of: key.shape)
        let inner = value["$ref"] == nil ? value.entries : [NodeMap.Entry(Scalar("allOf"), [value])]
        return .map(NodeMap([NodeMap.Entry(Scalar("description"), .text(key.summary))] + inner))
    }

    private static func choices(of table: KeyTable) -> Node? {
        let one = table.exactlyOne.map { name in Node.map(["required": [.text(name)]]) }
        let some = table.atMostOne.map { name in Node.map(["required": [.text(name)]]) }
        let rules: [Node] =
            (one.isEmpty ? [] : [["oneOf": .list(one)]])
            + (some.isEmpty ? [] : [["oneOf": .list(some + [["not": ["anyOf": .list(some)]]])]])
        return rules.isEmpty ? nil : .list(rules)
    }

    private mutating func schema(of shape: Shape) -> Node {
        switch shape {
        case .scalar(let rule):
            return ["anyOf": .list(rule.schema.nodes + [["$ref": .text("#/definitions/\(Self.parameterName)")]])]
        case .items(let item, let count):
            return .map([
                "type": "array", "items": schema(of: item),
                "minItems": count.lowerBound > 0 ? .number(count.lowerBound) : nil,
                "maxItems": count.upperBound < Int.max ? .number(count.upperBound) : nil,
            ])
        case .table(let table):
            return reference(to: table())
        case .named(let names, let values):
            let free: Node = ["pattern": .text("^\(KeyTable.freePrefix)")]
            return .map([
                "type": "object", "propertyNames": ["anyOf": .list(names.schema.nameNodes + [free])],
                "patternProperties": Self.freeKeys, "additionalProperties": schema(of: values),
            ])
        case .variants(let shapes):
            var alternatives: [Node] = []
            for shape in shapes { alternatives.append(schema(of: shape)) }
            return ["anyOf": .list(alternatives)]
        case .free:
            return [:]
        }
    }
}

extension ScalarSchema {
    fileprivate var nodes: [Node] {
        var nodes: [Node] = []
        switch strings {
        case .any: nodes.append(["type": "string"])
        case .pattern(let pattern): nodes.append(["type": "string", "pattern": .text("^(\(pattern))$")])
        case .words(let words): nodes.append(["enum": .list(words.map(Node.text))])
        }
        switch numbers {
        case .none: break
        case .any: nodes.append(["type": "number"])
        case .integers(let bounds):
            nodes.append(
                .map([
                    "type": "integer",
                    "minimum": bounds.lowerBound > Int.min ? .number(bounds.lowerBound) : nil,
                    "maximum": bounds.upperBound < Int.max ? .number(bounds.upperBound) : nil,
                ]))
        }
        if admitsBooleans { nodes.append(["type": "boolean"]) }
        if admitsNull { nodes.append(["type": "null"]) }
        return nodes
    }

    /// The schemas of a key, which is a string in JSON even if a YAML reader interpreted it as something else.
    fileprivate var nameNodes: [Node] {
        var nodes: [Node] = []
        switch strings {
        case .any: return [true]
        case .pattern(let pattern): nodes.append(["pattern": .text("^(\(pattern))$")])
        case .words(let words): nodes.append(["enum": .list(words.map(Node.text))])
        }
        if numbers != .none { nodes.append(["pattern": "^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$"]) }
        if admitsBooleans { nodes.append(["enum": ["true", "false", "True", "False"]]) }
        if admitsNull { nodes.append(["enum": ["null", "None"]]) }
        return nodes
    }
}
