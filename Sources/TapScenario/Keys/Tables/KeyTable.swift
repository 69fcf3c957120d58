/// The keys a map can have: the one source from which files are checked and decoded and the JSON Schema is made.
///
/// Read a map with ``read(_:into:)``: it checks everything below the node and, if there is no error, hands out a
/// ``MapReader``, from which decoding is short and cannot fail.
///
/// ```swift
/// enum Protection: String, CaseIterable { case write, readWrite = "read_write" }
///
/// let config = KeyTable("an NTAG configuration", [
///     Key("pwd", .hex(4), "The password.", synonyms: ["password"]),
///     Key("prot", .word(Protection.self), "What the password protects.", synonyms: ["readonly"]),
/// ])
/// let tag = KeyTable("a tag", [
///     Key("uid", .hex(4, 7), "The identifier.", isRequired: true),
///     Key("pages", .list(of: .hex(4)), "User pages from page 4 on."),
///     Key("gap", .duration, "How long the tag is away."),
///     Key("config", .map(config), "Password and counters."),
/// ])
///
/// guard let map = tag.read(node, into: &diagnostics) else { return }
/// let uid = map.required("uid").bytes
/// let pages = map["pages"]?.items.map(\.bytes) ?? []
/// let gap = map["gap"]?.duration ?? .zero
/// let protection = map["config"]?.map["prot"]?.word(as: Protection.self) ?? .write
/// ```
public struct KeyTable: Sendable {
    /// What a map with these keys is, with its article, such as `a case`.
    ///
    /// It names the table in errors and in the schema, so no two tables of a language share it.
    public let noun: String
    /// The keys, in the order in which errors and the schema list them.
    public let keys: [Key]
    /// Keys of which a map has exactly one; empty if there is no such rule.
    public let exactlyOne: [String]
    /// Keys of which a map has one or none; empty if there is no such rule.
    public let atMostOne: [String]
    /// What to write where somebody wrote something else than a map, such as `{run: [./kiosk]}` for `./kiosk`.
    let meant: (@Sendable (Node) -> String?)?
    private let indices: [String: Int]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - noun: What a map with these keys is, with its article.
    ///   - keys: The keys.
    ///   - exactlyOne: Names of keys of which a map has exactly one.
    ///   - atMostOne: Names of keys of which a map has one or none.
    ///   - meant: What to write where somebody wrote something else than a map, if that can be told.
    public init(
        _ noun: String, _ keys: [Key], exactlyOne: [String] = [], atMostOne: [String] = [],
        meant: (@Sendable (Node) -> String?)? = nil
    ) {
        self.noun = noun
        self.keys = keys
        self.exactlyOne = exactlyOne
        self.atMostOne = atMostOne
        self.meant = meant
        var indices: [String: Int] = [:]
        for (index, key) in keys.enumerated() {
            precondition(indices.updateValue(index, forKey: key.name) == nil, "\(noun) has `\(key.name)` twice")
        }
        for name in exactlyOne + atMostOne { precondition(indices[name] != nil, "\(noun) has no key `\(name)`") }
        self.indices = indices
    }

    /// Creates a table for maps of a single key, such as `{felica.status: …}`.
    public init(_ noun: String, oneOf keys: [Key]) {
        self.init(noun, keys, exactlyOne: keys.filter { $0.notYet == nil }.map(\.name))
    }

    /// The key of a name.
    public func key(_ name: String) -> Key? {
        indices[name].map { keys[$0] }
    }

    /// What the keys of everybody's own begin with; they are kept in the tree and looked at by nobody.
    public static let freePrefix = "x-"

    /// Checks a node and all below it.
    ///
    /// - Returns: The map, ready to be decoded, or nothing if this check reported an error; warnings and what was
    ///   reported before do not count.
    public func read(_ node: Node, into diagnostics: inout Diagnostics) -> MapReader? {
        Shape.table { self }.read(node, into: &diagnostics)?.map
    }
}
