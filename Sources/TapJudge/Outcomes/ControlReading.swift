import TapDocument
import TapScenario
import TapWire

/// A control card, the contents that a reference reader finds on it, and the client's output for it without any fault.
public struct ControlReading: Sendable {
    /// The control card; `nil` for the card of the scenario itself.
    public let card: VariedCard?
    /// The findings of a reference reader: texts by location, with `*` for the items of lists.
    let facts: [String: [String]]
    /// Values that distinguish the card from others: single values, the first values of lists, and the lengths of lists.
    let properties: [String: String]
    /// The dates of gates, newest first; most of them equal the dates of the first trips and may be mistaken for them.
    let gateDates: [String]
    /// The IDm or UID that a reference reader found, in lower case.
    private let identifiers: [String]
    let printed: PrintedText
    let isReturned: Bool

    /// - Parameters:
    ///   - reference: The result of a known-good reader.
    ///   - result: The result of the client; a list of lines if it prints no JSON.
    public init(_ card: VariedCard?, reference: Node, result: Node, isReturned: Bool = false) {
        self.card = card
        let placed = PlacedTexts(reference)
        let texts = placed.byPlace
        properties = placed.properties
        facts = texts.filter { FactKind(place: $0.key) != nil }.merging(Self.amounts(in: texts)) { stated, _ in stated }
        gateDates = texts["/gates/*/date"] ?? []
        identifiers = placed.identifiers
        printed = PrintedText(result)
        self.isReturned = isReturned
    }

    /// Returns the difference between the balance of each record and the next older one, with and without a sign; the oldest
    /// record has neither.
    private static func amounts(in texts: [String: [String]]) -> [String: [String]] {
        let suffix = "/balance"
        var amounts: [String: [String]] = [:]
        for (place, texts) in texts where place.hasSuffix("*\(suffix)") {
            let balances = texts.compactMap { Int($0) }
            guard balances.count == texts.count else { continue }
            let changes = zip(balances, balances.dropFirst()).map { $0 - $1 }
            let list = place.dropLast(suffix.count)
            amounts["\(list)/\(FactKind.difference)"] = changes.map { "\(abs($0))" }
            amounts["\(list)/\(FactKind.change)"] = changes.map { "\($0)" }
        }
        return amounts
    }

    var demand: VariedCard.Demand { card?.demand ?? .reading }

    /// A Boolean value that indicates whether JSON has the IDm or UID outside its lists, so that these are not lists of
    /// cards.
    var hasIdentifierOutsideLists: Bool {
        printed.byPlace.contains { place, texts in
            !place.contains("*") && texts.contains { identifiers.contains($0.lowercased().filter(\.isHexDigit)) }
        }
    }

    func mayBeOfGates(_ texts: [String]) -> Bool {
        texts.count <= gateDates.count && texts.allSatisfy(gateDates.contains)
    }

    /// Text such as `on a card with 7 records in its history`.
    var place: String { card.map { "on a card with \($0.summary)" } ?? "on its card" }
}

/// A kind of fact that readers report about a card, by its location in the result of the built-in client.
struct FactKind: Hashable, Sendable {
    let place: String

    /// The values that a client prints as the card stores them: numbers, dates, addresses, texts and bytes, but not kinds and
    /// codes, which each client names in its own way.
    private static let leaves: Set = [
        "balance", difference, change, "date", "number", "uri", "text", "language", "payload",
    ]

    init?(place: String) {
        // The dates of gates equal those of trips, so the output does not reveal which of them a client prints.
        guard let leaf = place.split(separator: "/").last, Self.leaves.contains(String(leaf)),
            !place.hasPrefix("/gates/")
        else { return nil }
        self.place = place
    }

    /// The names for the difference of two balances, without and with a sign.
    static let (difference, change) = ("difference", "change")

    /// Returns the changes of a balance, and the fares, which have the opposite signs.
    static func signs(of changes: [String]) -> [[String]] {
        [changes, changes.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 == "0" ? $0 : "-\($0)" }]
    }

    /// A Boolean value that indicates whether two neighbouring records are needed to compute the fact.
    var isOfPairs: Bool { [Self.difference, Self.change].contains(leaf) }
    /// The location of the record that contains the value.
    var record: Substring { place.dropLast(leaf.count) }
    var leaf: String { Self.leaf(of: place) }

    /// The last part of a place.
    static func leaf(of place: String) -> String { place.split(separator: "/").last.map(String.init) ?? "" }

    var isBytes: Bool { leaf == "payload" }
    /// A Boolean value that indicates whether the fact is the content of an NDEF record.
    var isOfRecord: Bool { leaf == "uri" || leaf == "text" }
    /// A Boolean value that indicates whether the fact can be recognised wherever it is printed; a two-letter language cannot.
    var isRecognizable: Bool { leaf != "language" }

    /// Returns text such as `balance 2 of 7`.
    func name(_ index: Int, of count: Int) -> String {
        count == 1 ? "the \(leaf)" : "\(leaf) \(index + 1) of \(count)"
    }
}

struct PlacedTexts {
    private(set) var byPlace: [String: [String]] = [:]
    private(set) var all: [String] = []
    /// The lengths of lists that are not inside other lists.
    private(set) var lengths: [String: Int] = [:]

    /// Values that distinguish a card from others, by a readable name: single facts, first items and lengths of lists.
    var properties: [String: String] {
        let facts = byPlace.compactMap { place, texts -> (String, String)? in
            guard let kind = FactKind(place: place), !kind.isBytes, let first = texts.first else { return nil }
            return (place.contains("*") ? "first \(kind.leaf)" : kind.leaf, first)
        }
        let counts = lengths.map { place, count in
            ("number of \(place.split(separator: "/").last.map(String.init) ?? "items")", "\(count)")
        }
        return Dictionary(facts + counts) { first, _ in first }
    }

    /// The IDm or UID, in lower case.
    var identifiers: [String] {
        byPlace.filter { Self.isIdentifier(FactKind.leaf(of: $0.key)) }.flatMap(\.value).map { $0.lowercased() }
    }

    static func isIdentifier(_ leaf: String) -> Bool { leaf == "idm" || leaf == "uid" }

    init(_ node: Node) { add(node, "", isInList: false) }

    private mutating func add(_ node: Node, _ place: String, isInList: Bool) {
        switch node {
        case .scalar(let scalar):
            guard scalar.form != .null else { return }
            byPlace[place, default: []].append(scalar.text)
            all.append(scalar.text)
        case .list(let list):
            if !isInList { lengths[place] = list.items.count }
            for item in list.items { add(item, "\(place)/*", isInList: true) }
        case .map(let map):
            for entry in map.entries { add(entry.value, "\(place)/\(entry.key.text)", isInList: isInList) }
        }
    }
}

/// The output of a client, prepared for searching.
struct PrintedText: Sendable {
    let byPlace: [String: [String]]
    let lengths: [String: Int]
    let pieces: [String]
    /// A Boolean value that indicates whether the output is a list of lines rather than JSON.
    let isLines: Bool
    /// Single values: in JSON by location, in lines the numbers by the words around them.
    var values: [String: String] {
        guard isLines else {
            return byPlace.filter { $0.value.count == 1 && !$0.key.contains("*") }.compactMapValues(\.first)
        }
        var values: [String: [String]] = [:]
        for line in pieces {
            let numbers = line.filter { $0 != "," }.split { !($0.isASCII && $0.isNumber) }
            for (index, number) in numbers.enumerated() {
                values["\(ErrorLines.shape(line))\n\(index)", default: []].append(String(number))
            }
        }
        return values.filter { $0.value.count == 1 }.compactMapValues(\.first)
    }
    private let bytes: [UInt8]

    init(_ result: Node) {
        let texts = PlacedTexts(result)
        byPlace = texts.byPlace
        lengths = texts.lengths
        pieces = texts.all
        isLines = result.kind == .list && result.items.allSatisfy { $0.kind == .scalar }
        bytes = Self.lowercased(pieces.joined(separator: "\n"))
    }

    private static func lowercased(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

    /// Returns the forms in which a text may be printed: numbers also with commas, non-ASCII characters also as JSON escapes.
    private static func forms(of text: String) -> [[UInt8]] {
        let digits = text.filter { $0 != "," }
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy(isDigit)
        if isNumber, text == digits || text == grouped(digits) {
            return digits.count > 3 ? [digits, grouped(digits)].map(lowercased) : [lowercased(digits)]
        }
        if let decimal = decimalForms(of: text) { return decimal.map(lowercased) }
        let escaped = escaped(text)
        return (escaped == text ? [text] : [text, escaped]).map(lowercased)
    }

    /// Returns the forms of a decimal: `-1234.5` also as `-1,234.5` and `-1,234.50`, and without the sign, which may precede a
    /// currency; `nil` for other texts.
    private static func decimalForms(of text: String) -> [String]? {
        let (sign, parts) = (text.hasPrefix("-") ? "-" : "", text.drop { $0 == "-" }.split(separator: "."))
        guard parts.count == 2, parts[1].count == 1, parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) else {
            return nil
        }
        return [sign, ""].flatMap { sign in
            [String(parts[0]), grouped(String(parts[0]))].flatMap { whole in
                ["\(sign)\(whole).\(parts[1])", "\(sign)\(whole).\(parts[1])0"]
            }
        }
    }

    /// Returns `12,345` for `12345`.
    private static func grouped(_ digits: String) -> String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// The shapes of lines, with a `#` for each number, or the locations in JSON, marked if they contain numbers.
    var forms: Set<String> {
        if isLines {
            return Set(pieces.map { ErrorLines.shape($0.filter { $0 != "," }).replacing("-#", with: "#") })
        }
        return Set(byPlace.map { place, texts in texts.allSatisfy { Double($0) != nil } ? "\(place) #" : place })
    }

    func containsPart(of text: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber }.contains { $0.count > 3 && contains(String($0)) }
    }

    func contains(_ text: String) -> Bool { end(of: text, from: 0) != nil }

    /// Returns the indices of texts that are printed in order, as many as possible, with gaps between them.
    func alignment(of texts: [String]) -> [Int] {
        // Finds the longest chain of places that rise with the index. The last place of a text comes first so that each text
        // is used once.
        var chains: [(place: Int, indices: [Int])] = []
        for (index, text) in texts.enumerated() {
            for place in places(of: text).reversed() {
                let length = chains.firstIndex { $0.place >= place } ?? chains.count
                let chain = (place, (length > 0 ? chains[length - 1].indices : []) + [index])
                if length == chains.count {
                    chains.append(chain)
                } else if chains[length].place > place {
                    chains[length] = chain
                }
            }
        }
        return chains.last?.indices ?? []
    }

    private func places(of text: String) -> [Int] {
        var places: [Int] = []
        while let end = end(of: text, from: places.last ?? 0) { places.append(end) }
        return places
    }

    /// Returns the end of a text that is printed after a place.
    private func end(of text: String, from place: Int) -> Int? {
        let forms = Self.forms(of: text)
        return forms.compactMap { find($0, from: place) }.min() ?? abridged(forms[0], from: place)
    }

    /// Returns the end of a long text that is printed in part, followed by dots.
    private func abridged(_ text: [UInt8], from place: Int) -> Int? {
        let (least, dots) = (16, [Array("…".utf8), Array("...".utf8)])
        guard text.count > least, let start = find(Array(text[..<least]), from: place, isWhole: false) else {
            return nil
        }
        var count = least
        while start - least + count < bytes.count, count < text.count, bytes[start - least + count] == text[count] {
            count += 1
        }
        let end = start - least + count
        return dots.contains { bytes[end...].starts(with: $0) } ? end : nil
    }

    private func find(_ text: [UInt8], from place: Int, isWhole: Bool = true) -> Int? {
        guard let first = text.first, let last = text.last, bytes.count >= place + text.count else { return nil }
        for start in place...bytes.count - text.count where bytes[start] == first {
            guard bytes[start..<start + text.count].elementsEqual(text) else { continue }
            let end = start + text.count
            let begins = !Self.isWord(first) || !continues(before: start, Self.isDigit(first))
            let ends = !isWhole || !Self.isWord(last) || !continues(after: end, Self.isDigit(last))
            if begins && ends { return end }
        }
        return nil
    }

    /// Returns whether a word or number continues before a place: a part of a longer one is something else, and so is a
    /// negative number.
    private func continues(before place: Int, _ isNumber: Bool) -> Bool {
        guard place > 0 else { return false }
        let (last, other) = (bytes[place - 1], place > 1 ? bytes[place - 2] : nil)
        return Self.isWord(last) || isNumber && last == UInt8(ascii: "-") && !(other.map(Self.isWord) ?? false)
            || isNumber && last == UInt8(ascii: ".") && (other.map(Self.isDigit) ?? false)
    }

    /// Returns whether a word or number continues after a place.
    private func continues(after place: Int, _ isNumber: Bool) -> Bool {
        guard place < bytes.count else { return false }
        let other = place + 1 < bytes.count ? bytes[place + 1] : nil
        return Self.isWord(bytes[place])
            || isNumber && bytes[place] == UInt8(ascii: ".") && (other.map(Self.isDigit) ?? false)
    }

    private static func escaped(_ text: String) -> String {
        text.utf16.map { unit in
            unit < 0x80
                ? String(UnicodeScalar(UInt8(unit))) : "\\u" + Hex.text([UInt8(unit >> 8), UInt8(unit & 0xFF)])
        }.joined()
    }
}
