import TapCards
import TapDocument
import TapImages
import TapWire

/// A checked card of a scenario; creating its engine cannot fail.
public enum CardDefinition: Hashable, Sendable {
    /// A FeliCa Standard card with its IC.
    case felica(FeliCaTemplate, ic: String)
    /// A FeliCa Lite, Lite-S, Plug or Link with its IC.
    case lite(FeliCaLiteTemplate, ic: String)
    case ntag(NTAGTemplate)

    /// Creates a new card from the definition, outside any field.
    public func makeEngine() -> any CardEngine {
        switch self {
        case .felica(let template, _): FeliCaCard(template)
        case .lite(let template, _): FeliCaLiteCard(template)
        case .ntag(let template): NTAGCard(template)
        }
    }

    /// The name of the IC, such as `RC-S962`, `NTAG215` or `vector-s`.
    public var icName: String {
        switch self {
        case .felica(_, let ic), .lite(_, let ic): ic
        case .ntag(let template): template.definition.product.rawValue
        }
    }

    public var family: CardFamily {
        switch self {
        case .felica: .felica
        case .lite: .lite
        case .ntag: .ntag
        }
    }

    /// The technology of the card: `FeliCa` or `NFC Type A`.
    public var technologyName: String {
        switch self {
        case .felica, .lite: "FeliCa"
        case .ntag: "NFC Type A"
        }
    }

    /// The identifier that a reader finds first: the IDm of system 0, or the UID.
    public var identifier: [UInt8] {
        switch self {
        case .felica(let template, _):
            (template.definition.systems.first?.idm ?? template.definition.idm).rawValue.octets
        case .lite(let template, _): template.definition.idm.rawValue.octets
        case .ntag(let template): template.definition.uid.bytes
        }
    }

    /// The card as a map of the card language without a template; reading the map gives an equal definition.
    public var node: Node {
        switch self {
        case .felica(let template, let ic): .of(template.definition, ic: ic)
        case .lite(let template, let ic): .of(template.definition, ic: ic)
        case .ntag(let template): .of(template.definition)
        }
    }
}

/// A card on the command line: `suica:balance=3120,trips=20`.
///
/// It starts with the name of a template or an IC, or with the path of a dump, such as `./tag.nfc`. Keys of the card table
/// with values follow. A dot leads into a map (`config.pwd=DEADBEEF`); numbers from 0 stand for the items of a list
/// (`ndef.0.uri=https://example.com`).
public struct CardArgument: Hashable, Sendable {
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The problem with the argument, without a full stop.
        package let message: String
        /// The advice for the user.
        package let help: String

        public var description: String { "\(message); \(help)" }
    }

    /// The name of the card: its template, its IC, or the file name of its dump without the extension.
    public let name: String
    /// The card as a file would define it.
    public let node: Node

    /// Parses an argument.
    ///
    /// Decoding the card checks the values, as it does for those of a file.
    ///
    /// - Throws: ``Problem`` if there is no such template or IC, or if a part is not a key with a value.
    public init(_ text: String) throws(Problem) {
        let file = SourceFile(name: "--card", text: text)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let head = parts.first ?? ""
        let kind = try Self.kind(of: head)
        name = Self.name(kind.key == CardLanguage.image.name ? Self.stem(of: head) : head)
        let value = Scalar(kind.value, range: SourceRange(file, offset: 0, length: head.unicodeScalars.count))
        var tree = ArgumentTree()
        tree.insert(value, at: [Scalar(kind.key)])
        if parts.count == 2 { try Self.insert(parts[1], at: head.unicodeScalars.count + 1, of: file, into: &tree) }
        node = tree.node(of: file)
    }

    /// Parses keys of a card and their values without a card: `balance=5000,trips=3`.
    ///
    /// - Throws: ``Problem`` if a part is not a key with a value.
    public static func values(_ text: String) throws(Problem) -> Node {
        let file = SourceFile(name: "values", text: text)
        var tree = ArgumentTree()
        try insert(text, at: 0, of: file, into: &tree)
        return tree.node(of: file)
    }

    private static func insert(
        _ parts: String, at start: Int, of file: SourceFile, into tree: inout ArgumentTree
    ) throws(Problem) {
        var offset = start
        var before: Substring?
        for part in parts.split(separator: ",", omittingEmptySubsequences: false) {
            if let before, before.last?.isNumber ?? false, part.count == 3, part.allSatisfy(\.isNumber) {
                throw Problem(
                    message: "`\(before),\(part)` has a thousands separator", help: "write `\(before)\(part)`")
            }
            try insert(part: String(part), at: offset, of: file, into: &tree)
            offset += part.unicodeScalars.count + 1
            before = part
        }
    }

    /// Uses a dump, given by its path, as the card.
    public init(dump path: String) {
        let file = SourceFile(name: "command line", text: path)
        name = Self.name(Self.stem(of: path))
        let value = Scalar(path, range: SourceRange(file, offset: 0, end: file.scalars.count))
        node = .map([(CardLanguage.image.name, .scalar(value))])
    }

    /// File extensions of dumps.
    public static let dumpEndings = [".nfc", ".bin", ".mfd", ".eml", ".dump", ".txt", ".json"]

    /// Returns whether an argument is the path of a dump: it contains a slash or ends with a dump extension.
    private static func isDump(_ word: String) -> Bool {
        word.contains("/") || dumpEndings.contains(where: word.lowercased().hasSuffix)
    }

    /// The path at the start of an argument, or `nil` if the argument starts with a template, an IC, or text without a slash
    /// or a dot.
    public static func path(in text: String) -> String? {
        let head = String(text.prefix { $0 != ":" })
        guard CardTemplate(rawValue: head) == nil, ICCatalogue.named(head) == nil else { return nil }
        return head.contains("/") || head.contains(".") ? head : nil
    }

    private static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    private static func name(_ text: String) -> String {
        let name = String(text.map { isNameCharacter($0) ? $0 : "-" })
        return name.first.map { $0.isLetter || $0.isNumber } ?? false ? name : "card"
    }

    private static func kind(of head: String) throws(Problem) -> (key: String, value: String) {
        if CardTemplate(rawValue: head) != nil { return ("template", head) }
        if ICCatalogue.named(head) != nil { return ("ic", head) }
        if isDump(head) { return (CardLanguage.image.name, head) }
        throw Problem(message: "`\(head)` is neither a template nor an IC", help: advice(onName: head))
    }

    private static func advice(onName head: String) -> String {
        if let advice = CardTemplate.advice(onTechnology: head) { return advice }
        let meant = meant(by: head).map { "`\($0)`" }
        if LookAlike.isQuoted(head), let first = meant.first { return "remove the typographic quotes: \(first)" }
        // Kana are names, but other characters of that width are typing errors.
        if meant.isEmpty || !LookAlike.isKana(head), let advice = LookAlike.advice(on: head) { return advice }
        guard meant.isEmpty else { return "did you mean \(ListText.choice(meant))?" }
        let templates = ListText.fitting(CardTemplate.allCases.map(\.rawValue))
        return "templates are \(templates) (`tapsim list cards` lists all)"
    }

    /// The templates or ICs that a word may mean.
    package static func meant(by word: String) -> [String] {
        let templates = CardTemplate.allCases.map { ($0.rawValue, $0.otherNames) }
        let ics = ICCatalogue.all.map { ($0.name, $0.aliases) }
        return Spelling.meant(
            by: word, among: (templates + ics).map(\.0),
            otherNames: Dictionary(templates + ics) { first, _ in first })
    }

    private static func insert(
        part: String, at offset: Int, of file: SourceFile, into tree: inout ArgumentTree
    ) throws(Problem) {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = sides[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, path.allSatisfy({ !$0.isEmpty }) else {
            throw Problem(
                message: "`\(part)` is not a key with a value",
                help: LookAlike.advice(on: part) ?? "write `key=value`, separated by commas")
        }
        if let comma = sides[1].firstIndex(where: { "、，".contains($0) }),
            sides[1][comma...].dropFirst().contains("="), let plain = LookAlike.plain(part)
        {
            throw Problem(message: "`\(sides[1][comma])` does not separate keys", help: "write `\(plain)`")
        }
        var keys: [Scalar] = []
        var start = offset
        for key in path {
            let length = key.unicodeScalars.count
            keys.append(Scalar(key, range: SourceRange(file, offset: start, length: length)))
            start += length + 1
        }
        let range = SourceRange(file, offset: start, length: sides[1].unicodeScalars.count)
        guard tree.insert(Scalar(sides[1], range: range), at: keys) else {
            throw Problem(message: "`\(sides[0])` is set twice", help: "set it once")
        }
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }
}

/// Keys, in order, with values or nested keys.
private struct ArgumentTree {
    private enum Branch {
        case leaf(Scalar)
        case tree(ArgumentTree)
    }

    private var branches: [(key: Scalar, branch: Branch)] = []

    /// Adds a value at a path of keys.
    ///
    /// - Returns: `false` if the path already exists or leads through a value.
    @discardableResult
    mutating func insert(_ value: Scalar, at path: [Scalar]) -> Bool {
        guard let key = path.first else { return false }
        let index = branches.firstIndex { $0.key.text == key.text }
        guard path.count > 1 else {
            guard index == nil else { return false }
            branches.append((key, .leaf(value)))
            return true
        }
        var below = ArgumentTree()
        if let index {
            guard case .tree(let known) = branches[index].branch else { return false }
            below = known
        }
        guard below.insert(value, at: Array(path.dropFirst())) else { return false }
        if let index { branches[index].branch = .tree(below) } else { branches.append((key, .tree(below))) }
        return true
    }

    /// The tree as the map of a card.
    func node(of file: SourceFile) -> Node {
        node(Shape.table { CardLanguage.table }, SourceRange(file, offset: 0, end: file.scalars.count))
    }

    /// The tree as a node: a list if the shape allows a list but no map and the keys count up from 0; otherwise a map.
    private func node(_ shape: Shape?, _ range: SourceRange) -> Node {
        let list = shape?.variant(for: .list)
        let isCounted = branches.enumerated().allSatisfy { "\($0)" == $1.key.text }
        if isCounted, case .items(let item, _)? = list, shape?.variant(for: .map) == nil {
            return .list(NodeList(branches.map { Self.node($0.branch, item, range) }, range: range))
        }
        let map = shape?.variant(for: .map)
        return .map(
            NodeMap(
                branches.map { key, branch in NodeMap.Entry(key, Self.node(branch, map?.below(key.text), range)) },
                range: range))
    }

    private static func node(_ branch: Branch, _ shape: Shape?, _ range: SourceRange) -> Node {
        switch branch {
        case .leaf(let scalar): .scalar(scalar)
        case .tree(let tree): tree.node(shape, range)
        }
    }
}

extension Shape {
    /// The shape of the value under a key of a map, or `nil` if there is no such key.
    fileprivate func below(_ key: String) -> Shape? {
        switch self {
        case .table(let table): table().key(key)?.shape
        case .named(_, let values): values
        default: nil
        }
    }
}

extension CardArgument {
    /// Several cards by name, as a file would define them.
    ///
    /// A second card with the same name gets a number as a suffix.
    ///
    /// - Throws: ``Problem`` for the first invalid argument, preceded by that argument.
    public static func cards(_ texts: [String]) throws(Problem) -> Node {
        var cards: [(key: String, value: Node)] = []
        for text in texts {
            let card: CardArgument
            do { card = try CardArgument(text) } catch {
                throw Problem(message: "\(text): \(error.message)", help: error.help)
            }
            let count = cards.count { name, _ in
                name == card.name || (name.hasPrefix("\(card.name)-") && name.last?.isNumber ?? false)
            }
            cards.append((count == 0 ? card.name : "\(card.name)-\(count + 1)", card.node))
        }
        return .map(cards)
    }

    /// A scenario that contains only this card, as a file would define it.
    package var scenario: Node {
        ["format": 1, "scenario": .text(name), "cards": .map([(name, node)])]
    }

    /// A scenario that contains only these cards, as a file would define it.
    ///
    /// - Throws: ``Problem`` for the first invalid argument, preceded by that argument.
    public static func scenario(_ texts: [String]) throws(Problem) -> Node {
        let cards = try cards(texts)
        return ["format": 1, "scenario": .text(cards.entries.map(\.key.text).joined(separator: "-")), "cards": cards]
    }
}

/// The limits on the number of cards in a file and on their memory, checked before a card is built.
///
/// Every case has its own cards, and a step that changes a card creates another one. All readers of a file share one budget,
/// hence a class.
final class CardBudget {
    static let maximumCards = 1_000
    /// The maximum memory of all cards that a file creates, in MiB.
    static let maximumMemory = 64
    /// The memory of a card without the blocks that the file gives it, in bytes, and that of a FeliCa template's card with
    /// its systems and services.
    ///
    /// Rounded up from measurements: 2.2 kB for an NTAG215 and 31 kB for a Suica.
    private static let (bytesOfCard, bytesOfTemplate) = (4 << 10, 32 << 10)

    private var bytesLeft = maximumMemory << 20

    /// Returns whether the file may have this many cards; reports the first card over the limit.
    func allows(_ names: [Node], into diagnostics: inout Diagnostics) -> Bool {
        guard names.count > Self.maximumCards else { return true }
        diagnostics.report(
            Diagnostic(
                .limitExceeded, "the file has \(names.count) cards", at: names[Self.maximumCards],
                hint: "at most \(Self.maximumCards) are allowed; split the file"))
        return false
    }

    /// Subtracts the memory of a card; returns `false` if the budget is used up, and reports it once.
    func takes(_ card: MapReader, at place: Node? = nil, into diagnostics: inout Diagnostics) -> Bool {
        guard bytesLeft >= 0 else { return false }
        bytesLeft -= Self.memory(of: card)
        guard bytesLeft < 0 else { return true }
        diagnostics.report(
            Diagnostic(
                .limitExceeded, "the cards of the file need more than \(Self.maximumMemory) MiB",
                at: place ?? .map(card.node),
                hint: "use fewer blocks, cards, cases or `set` steps; each case and step creates its own cards"))
        return false
    }

    /// An estimate of the memory of a card, in bytes.
    private static func memory(of card: MapReader) -> Int {
        let dumped = card[CardLanguage.image] == nil ? 0 : FeliCaImage.maximumBlocks
        let isTemplate = card[CardLanguage.template]?.families.first == .felica
        let services = (card[CardLanguage.systems]?.named ?? []).flatMap {
            $0.value.map[FeliCaTables.services]?.named ?? []
        }
        let blocks = services.reduce(0) { $0 + CardDecoder.statedBlocks($1.value) }
        return (isTemplate ? bytesOfTemplate : bytesOfCard)
            + (dumped + min(blocks, FeliCaTemplate.maximumBlocks)) * BlockData.byteCount
    }
}
