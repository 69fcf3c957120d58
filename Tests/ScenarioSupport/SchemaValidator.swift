import TapDocument

/// A validator for the parts of JSON Schema draft-07 that our schemas use.
///
/// An unknown keyword stops the test, because a schema must not contain unchecked rules.
package struct SchemaValidator {
    private let root: Node
    private static let annotations: Set<String> = ["$schema", "$id", "title", "description", "definitions"]

    package init(_ schema: Node) {
        root = schema
    }

    package func accepts(_ node: Node) -> Bool { accepts(node, root) }

    private func accepts(_ node: Node, _ schema: Node) -> Bool {
        if schema == true || schema == false { return schema == true }
        return schema.entries.allSatisfy { entry in
            Self.annotations.contains(entry.key.text) || holds(entry.key.text, entry.value, node, schema)
        }
    }

    private func holds(_ keyword: String, _ value: Node, _ node: Node, _ schema: Node) -> Bool {
        switch keyword {
        case "$ref": accepts(node, resolve(value.text ?? ""))
        case "allOf": value.items.allSatisfy { accepts(node, $0) }
        case "anyOf": value.items.contains { accepts(node, $0) }
        case "oneOf": value.items.count { accepts(node, $0) } == 1
        case "not": !accepts(node, value)
        case "type": types(of: node).contains(value.text ?? "")
        case "enum": value.items.contains { JSONWriter.text($0) == JSONWriter.text(node) }
        case "pattern": string(node).map { Self.matches($0, value.text ?? "") } ?? true
        case "minimum": number(node).map { $0 >= number(value) ?? 0 } ?? true
        case "maximum": number(node).map { $0 <= number(value) ?? 0 } ?? true
        case "items": node.items.allSatisfy { accepts($0, value) }
        case "minItems": node.kind != .list || Double(node.items.count) >= number(value) ?? 0
        case "maxItems": node.kind != .list || Double(node.items.count) <= number(value) ?? 0
        case "required": node.kind != .map || value.items.allSatisfy { node[$0.text ?? ""] != nil }
        case "propertyNames": node.entries.allSatisfy { accepts(.text($0.key.text), value) }
        case "properties":
            node.entries.allSatisfy { entry in value[entry.key.text].map { accepts(entry.value, $0) } ?? true }
        case "patternProperties":
            node.entries.allSatisfy { entry in
                value.entries.allSatisfy {
                    !Self.matches(entry.key.text, $0.key.text) || accepts(entry.value, $0.value)
                }
            }
        case "additionalProperties":
            node.entries.allSatisfy { entry in
                let patterns = schema["patternProperties"]?.entries.map(\.key.text) ?? []
                let isNamed = schema["properties"]?[entry.key.text] != nil
                return isNamed || patterns.contains { Self.matches(entry.key.text, $0) } || accepts(entry.value, value)
            }
        default: preconditionFailure("the schema uses `\(keyword)`")
        }
    }

    private func resolve(_ reference: String) -> Node {
        let name = reference.split(separator: "/").last.map(String.init) ?? ""
        guard reference.hasPrefix("#/definitions/"), let definition = root["definitions"]?[name] else {
            preconditionFailure("the schema has no \(reference)")
        }
        return definition
    }

    private func types(of node: Node) -> [String] {
        switch node {
        case .list: return ["array"]
        case .map: return ["object"]
        case .scalar(let scalar):
            switch scalar.form {
            case .plain, .quoted, .literal: return ["string"]
            case .boolean: return ["boolean"]
            case .null: return ["null"]
            case .number:
                let isWhole = Double(scalar.text).map { $0 == $0.rounded() } ?? false
                return isWhole ? ["number", "integer"] : ["number"]
            }
        }
    }

    private func string(_ node: Node) -> String? {
        types(of: node) == ["string"] ? node.text : nil
    }

    private func number(_ node: Node) -> Double? {
        types(of: node).contains("number") ? node.text.flatMap(Double.init) : nil
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern) else { preconditionFailure("`\(pattern)` is no regular expression") }
        return text.firstMatch(of: regex) != nil
    }
}

/// A YAML reader that guesses types as many readers do, so that the schema sees what an editor would pass to it.
package enum GuessingReader {
    /// The tree as that reader converts it to JSON.
    package static func convert(_ node: Node) -> Node {
        switch node {
        case .scalar(let scalar): convert(scalar)
        case .list(let list): .list(list.items.map(convert))
        case .map(let map):
            .map(map.entries.map { (key: convert($0.key).text ?? "", value: convert($0.value)) })
        }
    }

    private static func convert(_ scalar: Scalar) -> Node {
        guard scalar.form == .plain else { return .scalar(Scalar(scalar.text, form: scalar.form)) }
        let text = scalar.text
        switch text.lowercased() {
        case "", "~", "null": return .null
        case "yes", "on", "true": return true
        case "no", "off", "false": return false
        default: break
        }
        if text.contains(/^[-+]?0[0-7_]+$/), let octal = Int(text.filter { $0 != "_" && $0 != "+" }, radix: 8) {
            return .number(octal)
        }
        if text.contains(/^[-+]?[1-9][0-9]*(:[0-5]?[0-9])+$/) { return .number(text.split(separator: ":").count) }
        if text.contains(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/) { return .text(text + "T00:00:00.000Z") }
        if text.contains(/^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/) {
            if let whole = Int(text) { return .number(whole) }
            if let value = Double(text.hasSuffix(".") ? text + "0" : text) { return .number(value) }
        }
        return .text(text)
    }
}
