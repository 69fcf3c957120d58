import Foundation

/// Writes a message to a log.
public func os_log(_ message: OSLogMessage, log: OSLog = .default) {
    log.write(.default, message.text)
}

/// Writes a message to a log at a level.
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

/// Writes a message with a `printf` format and honors its `%{public}` and `%{private}`.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.write(type, FormatText(message.description).write(arguments))
}

/// A format of `os_log`, which extends `printf` formats with annotations in braces.
struct FormatText {
    /// The text between the values, and for each value its specifier without annotation.
    private var parts: [(literal: String, specifier: String?, isPrivate: Bool)] = []

    init(_ format: String) {
        var literal = ""
        var rest = format[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                literal.append(character)
                continue
            }
            if rest.first == "%" {
                literal.append("%")
                rest.removeFirst()
                continue
            }
            let isPrivate = Self.takeAnnotation(&rest)
            parts.append((literal, Self.takeSpecifier(&rest), isPrivate))
            literal = ""
        }
        parts.append((literal, nil, false))
    }

    /// Returns the text; a missing value is written as `<missing>`.
    func write(_ values: [any CVarArg]) -> String {
        var left = values[...]
        return parts.map { literal, specifier, isPrivate in
            guard let specifier else { return literal }
            guard let value = left.popFirst() else { return literal + "<missing>" }
            return literal + (isPrivate ? "<private>" : String(format: specifier, value))
        }.joined()
    }

    private static func takeAnnotation(_ rest: inout Substring) -> Bool {
        guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return false }
        let words = rest[..<end].dropFirst().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        rest = rest[rest.index(after: end)...]
        return words.contains("private") || words.contains("sensitive")
    }

    /// Takes flags, width and length up to the letter that ends a specifier.
    private static func takeSpecifier(_ rest: inout Substring) -> String {
        var specifier = "%"
        while let character = rest.popFirst() {
            specifier.append(character)
            if character == "@" || (character.isLetter && !"hlqztj".contains(character)) { break }
        }
        return specifier
    }
}
