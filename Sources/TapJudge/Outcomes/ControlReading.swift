import TapDocument
import TapScenario
import TapWire

/// A control card, what a reference reader has found on it and what a client has printed of it without any fault.
public struct ControlReading: Sendable {
    /// `nil` for the card of the scenario itself.
    public let card: VariedCard?
    /// What a reference reader found: texts by place, with `*` for the items of lists.
    let facts: [String: [String]]
    /// Values that distinguish the card from others: single values, the first values of lists, and the number of their
    /// items.
    let properties: [String: String]
    /// Dates of gates, newest first; they are mostly those of the first trips, for which they may be taken.
    let gateDates: [String]
    /// What the client printed, piece by piece.
    let printed: PrintedText
    /// Whether a function returned that.
    let isReturned: Bool

    /// - Parameters:
    ///   - reference: The result of a reader known to be right.
    ///   - result: That of the client; a list of lines if it prints no JSON.
    public init(_ card: VariedCard?, reference: Node, result: Node, isReturned: Bool = false) {
        self.card = card
        let placed = PlacedTexts(reference)
        let texts = placed.byPlace
        properties = placed.properties
        facts = texts.filter { FactKind(place: $0.key) != nil }.merging(Self.amounts(in: texts)) { stated, _ in stated }
        gateDates = texts["/gates/*/date"] ?? []
        printed = PrintedText(result)
        self.isReturned = isReturned
    }

    /// By how much the balance of each record differs from that of the older one, with a sign and without; the oldest record
    /// has neither.
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

    /// Whether texts can be dates of gates.
    func mayBeOfGates(_ texts: [String]) -> Bool {
        texts.count <= gateDates.count && texts.allSatisfy(gateDates.contains)
    }

    /// Such as `on a card with 7 records in its history`.
    var place: String { card.map { "on a card with \($0.summary)" } ?? "on its card" }
}

/// Something that readers tell of a card, by its place in the result of the built-in client.
struct FactKind: Hashable, Sendable {
    let place: String

    /// What a client prints as the card has it: numbers, dates, addresses, texts, bytes; not kinds and codes, which each
    /// client names in its own way.
    private static let leaves: Set = [
        "balance", difference, change, "date", "number", "uri", "text", "language", "payload",
    ]

    init?(place: String) {
        // The dates of gates are those of trips, so that one cannot tell which a client prints.
        guard let leaf = place.split(separator: "/").last, Self.leaves.contains(String(leaf)),
            !place.hasPrefix("/gates/")
        else { return nil }
        self.place = place
    }

    /// The names of the difference of two balances, without a sign and with it.
    static let (difference, change) = ("difference", "change")

    /// A Boolean value that indicates whether two neighboring records are needed to know it.
    var isOfPairs: Bool { [Self.difference, Self.change].contains(leaf) }
    /// The place of the record that it is a value of.
    var record: Substring { place.dropLast(leaf.count) }
    var leaf: String { place.split(separator: "/").last.map(String.init) ?? "" }
    var isBytes: Bool { leaf == "payload" }
    /// A Boolean value that indicates whether it is the content of an NDEF record.
    var isOfRecord: Bool { leaf == "uri" || leaf == "text" }
    /// Whether it is found wherever it is printed: a language of two letters is not.
    var isTelling: Bool { leaf != "language" }

    /// Such as `balance 2 of 7`.
    func name(_ index: Int, of count: Int) -> String {
        count == 1 ? "the \(leaf)" : "\(leaf) \(index + 1) of \(count)"
    }
}

/// The texts of a tree by place.
struct PlacedTexts {
    private(set) var byPlace: [String: [String]] = [:]
    /// All texts in order.
    private(set) var all: [String] = []
    /// The lengths of lists that are not within lists.
    private(set) var lengths: [String: Int] = [:]

    /// Values that distinguish a card from others, by their name in words: single facts, first items and lengths of
    /// lists.
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

/// What a client printed, to be searched.
struct PrintedText: Sendable {
    let byPlace: [String: [String]]
    let lengths: [String: Int]
    let pieces: [String]
    /// Whether it is a list of lines, not JSON.
    let isLines: Bool
    /// Single values: in JSON by their places, in lines the numbers by the words around them.
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

    /// How a text may be printed: a number with commas as well, what is no ASCII as JSON escapes it.
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

    /// `-1234.5` also as `-1,234.5` and `-1,234.50`, and without the sign, which may be before a currency; `nil` for another
    /// text.
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

    /// `12345` as `12,345`.
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

    /// The forms of lines, with a `#` for each number, or the places of JSON and which of them hold numbers.
    var forms: Set<String> {
        if isLines {
            return Set(pieces.map { ErrorLines.shape($0.filter { $0 != "," }).replacing("-#", with: "#") })
        }
        return Set(byPlace.map { place, texts in texts.allSatisfy { Double($0) != nil } ? "\(place) #" : place })
    }

    /// Returns whether a word of a text is printed.
    func containsPart(of text: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber }.contains { $0.count > 3 && contains(String($0)) }
    }

    func contains(_ text: String) -> Bool { end(of: text, from: 0) != nil }

    /// The indices of texts that are printed in their order: as many as can be, with gaps between them.
    func alignment(of texts: [String]) -> [Int] {
        // The longest row of places that rise with the index; a text has its last place first, so that it is taken once.
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

    /// The ends of all places where a text is printed.
    private func places(of text: String) -> [Int] {
        var places: [Int] = []
        while let end = end(of: text, from: places.last ?? 0) { places.append(end) }
        return places
    }

    /// Where a text ends behind a place.
    private func end(of text: String, from place: Int) -> Int? {
        let forms = Self.forms(of: text)
        return forms.compactMap { find($0, from: place) }.min() ?? abridged(forms[0], from: place)
    }

    /// Whether a long text is printed in part, with dots behind it.
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
            let begins = !Self.isWord(first) || !goesOn(before: start, Self.isDigit(first))
            let ends = !isWhole || !Self.isWord(last) || !goesOn(behind: end, Self.isDigit(last))
            if begins && ends { return end }
        }
        return nil
    }

    /// Whether a word or number begins before a place: part of a longer one is something else, as is a number below zero.
    private func goesOn(before place: Int, _ isNumber: Bool) -> Bool {
        guard place > 0 else { return false }
        let (last, other) = (bytes[place - 1], place > 1 ? bytes[place - 2] : nil)
        return Self.isWord(last) || isNumber && last == UInt8(ascii: "-") && !(other.map(Self.isWord) ?? false)
            || isNumber && last == UInt8(ascii: ".") && (other.map(Self.isDigit) ?? false)
    }

    /// Whether a word or number ends behind a place.
    private func goesOn(behind place: Int, _ isNumber: Bool) -> Bool {
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
