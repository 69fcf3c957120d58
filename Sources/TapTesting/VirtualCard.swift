import TapDocument
import TapScenario

/// A card for a test, described like a card in a scenario file.
///
/// Builders set the keys under `cards` of a file, with the same checks: an impossible value fails the test at the line of its
/// trait. ``with(_:)`` sets any other key.
///
/// ```swift
/// let card: VirtualCard = .suica(balance: 3120).with(["history": [["kind": "fare-gate", "amount": -210]]])
/// let same: VirtualCard = "suica:balance=3120"
/// ```
public struct VirtualCard: Hashable, Sendable {
    /// A template or an IC, with keys if it was created from a text.
    private let argument: String
    /// Keys that add to or replace the keys in the argument.
    private var keys: NodeMap
    /// The default name in reports; if `nil`, the name of the template or the IC.
    private let name: String?

    /// - Parameters:
    ///   - argument: A template or an IC, such as `suica` or `NTAG215`. Keys may follow as in `tapsim serve --card`:
    ///     `suica:balance=3120,trips=3`.
    ///   - keys: Keys of a card in a scenario file.
    ///   - name: The default name in reports. Default: the name of the template or the IC.
    public init(_ argument: String, _ keys: KeyValuePairs<String, Node> = [:], name: String? = nil) {
        self.init(argument, Node(keys), name: name)
    }

    init(_ argument: String, _ keys: Node, name: String? = nil) {
        self.argument = argument
        self.keys = NodeMap(keys.entries)
        self.name = name
    }

    /// Returns the card with other values for keys of a scenario file, such as `quirks`, `history` or `pages`.
    public func with(_ keys: KeyValuePairs<String, Node>) -> VirtualCard {
        var copy = self
        copy.keys = NodeMap(Node(keys).entries + self.keys.entries)
        return copy
    }

    func resolved() throws(CardArgument.Problem) -> (name: String, node: Node) {
        let written = try CardArgument(argument)
        let entries = written.node.entries
        let node = NodeMap(entries.prefix(1) + keys.entries + entries.dropFirst())
        return (name ?? written.name.lowercased(), .map(node))
    }
}

extension VirtualCard: CustomStringConvertible {
    /// The name of the card and its plain values, as a parameterised test shows it: `suica:balance=3120`.
    public var description: String {
        var said: Set<String> = []
        let values = keys.entries.compactMap { entry -> String? in
            guard said.insert(entry.key.text).inserted, let value = entry.value.text else { return nil }
            return "\(entry.key.text)=\(value)"
        }
        let start = name ?? argument
        guard !values.isEmpty else { return start }
        return start + (start.contains(":") ? "," : ":") + values.joined(separator: ",")
    }
}

extension VirtualCard: ExpressibleByStringLiteral {
    /// Creates a card from the syntax of `tapsim serve --card`: `suica:balance=3120,trips=3`.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Node {
    init(_ entries: KeyValuePairs<String, Node>) {
        self = .map(entries.map { (key: $0.key, value: $0.value) })
    }
}

extension VirtualCard {
    /// A FeliCa Standard card with any systems.
    ///
    /// ```swift
    /// .feliCa(systems: ["0003": ["services": ["090F": 20, "008B": ["00 00 00 00 00 00 00 00 00 00 0A 00 00 00 00 01"]]]])
    /// ```
    ///
    /// - Parameters:
    ///   - systems: The systems by code, system 0 first, as under `systems` in a file: services by code with the number of
    ///     their blocks or the blocks themselves, areas, keys.
    ///   - idm: The IDm of system 0, eight bytes in hexadecimal. Default: drawn from the seed.
    ///   - pmm: The PMm, eight bytes in hexadecimal. Default: the IC's PMm.
    ///   - ic: The IC, by its name in the catalogue.
    public static func feliCa(
        systems: Node, idm: String? = nil, pmm: String? = nil, ic: String = "RC-S962"
    ) -> VirtualCard {
        VirtualCard(
            ic, .map(["idm": idm.map(Node.text), "pmm": pmm.map(Node.text), "systems": systems]), name: "felica")
    }
}

/// Transit cards, with balance, twenty history records, gates and entry information.
///
/// `balance` is in yen, `trips` is the number of history records, and `idm` has eight bytes in hexadecimal. Default: all are
/// drawn from the seed.
extension VirtualCard {
    /// A transit card of JR East.
    public static func suica(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("suica", balance, trips, idm)
    }

    /// A transit card of JR West.
    public static func icoca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("icoca", balance, trips, idm)
    }

    /// A transit card of the private railways of Kanto.
    public static func pasmo(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("pasmo", balance, trips, idm)
    }

    /// A transit card of JR Central.
    public static func toica(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("toica", balance, trips, idm)
    }

    /// A transit card of the railways of Nagoya.
    public static func manaca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("manaca", balance, trips, idm)
    }

    /// A transit card of JR Hokkaido.
    public static func kitaca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("kitaca", balance, trips, idm)
    }

    /// A transit card of JR Kyushu.
    public static func sugoca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("sugoca", balance, trips, idm)
    }

    /// A transit card of Nishitetsu.
    public static func nimoca(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("nimoca", balance, trips, idm)
    }

    /// A transit card of the subway of Fukuoka.
    public static func hayakaken(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("hayakaken", balance, trips, idm)
    }

    /// A transit card of the private railways of Kansai.
    public static func pitapa(balance: Int? = nil, trips: Int? = nil, idm: String? = nil) -> VirtualCard {
        transit("pitapa", balance, trips, idm)
    }

    private static func transit(_ template: String, _ balance: Int?, _ trips: Int?, _ idm: String?) -> VirtualCard {
        VirtualCard(
            template,
            .map(["balance": balance.map(Node.number), "trips": trips.map(Node.number), "idm": idm.map(Node.text)]))
    }
}

/// Electronic money, with number, balance and the newest history records in the common area.
///
/// `balance` is in yen, `trips` is the number of history records, `idm` has eight bytes, and `number` is the card number,
/// both in hexadecimal. Default: all are drawn from the seed.
extension VirtualCard {
    /// A nanaco card with its points.
    public static func nanaco(
        balance: Int? = nil, points: Int? = nil, trips: Int? = nil, number: String? = nil, idm: String? = nil
    ) -> VirtualCard {
        money("nanaco", balance, points, trips, number, idm)
    }

    /// A WAON card with its points.
    ///
    /// `historyBlocks` is the number of blocks in the history, two for each record. Default: 10.
    public static func waon(
        balance: Int? = nil, points: Int? = nil, trips: Int? = nil, number: String? = nil, idm: String? = nil,
        historyBlocks: Int? = nil
    ) -> VirtualCard {
        money("waon", balance, points, trips, number, idm, historyBlocks)
    }

    public static func edy(
        balance: Int? = nil, trips: Int? = nil, number: String? = nil, idm: String? = nil
    ) -> VirtualCard {
        money("edy", balance, nil, trips, number, idm)
    }

    private static func money(
        _ template: String, _ balance: Int?, _ points: Int?, _ trips: Int?, _ number: String?, _ idm: String?,
        _ historyBlocks: Int? = nil
    ) -> VirtualCard {
        VirtualCard(
            template,
            .map([
                "balance": balance.map(Node.number), "points": points.map(Node.number),
                "trips": trips.map(Node.number), "number": number.map(Node.text), "idm": idm.map(Node.text),
                "history_blocks": historyBlocks.map(Node.number),
            ]))
    }
}

/// NTAG tags.
///
/// `uid`, `password` and `pack` have seven, four and two bytes in hexadecimal. Default: as delivered, with a UID drawn from
/// the seed.
extension VirtualCard {
    /// The access that a tag's password protects.
    public enum Protection: String, Hashable, Sendable {
        case write
        case readWrite = "read_write"
    }

    public static func ntag213(
        uid: String? = nil, ndef: [NDEFContent]? = nil, password: String? = nil, pack: String? = nil,
        auth0: Int? = nil, protection: Protection? = nil, authenticationLimit: Int? = nil
    ) -> VirtualCard {
        tag("NTAG213", uid, ndef, password, pack, auth0, protection, authenticationLimit)
    }

    /// An NTAG215.
    ///
    /// - Parameters:
    ///   - uid: The UID. Default: one drawn from the seed.
    ///   - ndef: The records of its message. Default: none.
    ///   - password: The password, PWD.
    ///   - pack: The answer to the right password, PACK.
    ///   - auth0: The first page that needs the password. Default: no page does.
    ///   - protection: The protected access. Default: writing.
    ///   - authenticationLimit: The number of wrong passwords that lock the tag permanently, AUTHLIM; 0 for no limit.
    public static func ntag215(
        uid: String? = nil, ndef: [NDEFContent]? = nil, password: String? = nil, pack: String? = nil,
        auth0: Int? = nil, protection: Protection? = nil, authenticationLimit: Int? = nil
    ) -> VirtualCard {
        tag("NTAG215", uid, ndef, password, pack, auth0, protection, authenticationLimit)
    }

    public static func ntag216(
        uid: String? = nil, ndef: [NDEFContent]? = nil, password: String? = nil, pack: String? = nil,
        auth0: Int? = nil, protection: Protection? = nil, authenticationLimit: Int? = nil
    ) -> VirtualCard {
        tag("NTAG216", uid, ndef, password, pack, auth0, protection, authenticationLimit)
    }

    public static func ndef(_ records: NDEFContent..., uid: String? = nil) -> VirtualCard {
        VirtualCard(
            "ndef", .map(["ndef": records.isEmpty ? nil : .list(records.map(\.node)), "uid": uid.map(Node.text)]))
    }

    public static func ndef(uri: String, uid: String? = nil) -> VirtualCard { ndef(.uri(uri), uid: uid) }

    public static func ndef(text: String, language: String? = nil, uid: String? = nil) -> VirtualCard {
        ndef(.text(text, language: language), uid: uid)
    }

    /// An NTAG215 as delivered.
    public static func blank(uid: String? = nil) -> VirtualCard {
        VirtualCard("blank", .map(["uid": uid.map(Node.text)]))
    }

    private static func tag(
        _ ic: String, _ uid: String?, _ ndef: [NDEFContent]?, _ password: String?, _ pack: String?, _ auth0: Int?,
        _ protection: Protection?, _ limit: Int?
    ) -> VirtualCard {
        let config: Node = .map([
            "pwd": password.map(Node.text), "pack": pack.map(Node.text), "auth0": auth0.map(Node.number),
            "prot": protection.map { .text($0.rawValue) }, "authlim": limit.map(Node.number),
        ])
        return VirtualCard(
            ic,
            .map([
                "uid": uid.map(Node.text), "ndef": ndef.map { .list($0.map(\.node)) },
                "config": config.entries.isEmpty ? nil : config,
            ]))
    }
}

/// A record of an NDEF message on a tag, described as in a scenario file.
public struct NDEFContent: Hashable, Sendable {
    let node: Node

    /// Creates a record from the keys that a file has under `ndef`.
    public init(_ keys: KeyValuePairs<String, Node>) {
        self.init(Node(keys))
    }

    private init(_ node: Node) {
        self.node = node
    }

    public static func uri(_ uri: String) -> NDEFContent { NDEFContent(Node.map(["uri": .text(uri)])) }

    /// A text record.
    ///
    /// Default language: English.
    public static func text(_ text: String, language: String? = nil) -> NDEFContent {
        NDEFContent(Node.map(["text": .text(text), "lang": language.map(Node.text)]))
    }

    /// A record with data of a media type, such as `text/plain`, as UTF-8 text.
    public static func mime(_ type: String, body: String) -> NDEFContent {
        NDEFContent(Node.map(["mime": .text(type), "body": .text(body)]))
    }

    /// A record with data of an external type, such as `example.com:x`, in hexadecimal.
    public static func external(_ type: String, payload: String) -> NDEFContent {
        NDEFContent(Node.map(["external": .text(type), "payload": .text(payload)]))
    }
}
