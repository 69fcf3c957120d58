import TapDocument
import TapScenario
import TapWire

public struct Misreading: Hashable, Sendable {
    public let card: VariedCard?
    public let finding: OutcomeFinding
    /// The expected values, in order; empty if they do not show the mistake.
    public let wanted: [String]

    /// - Parameters:
    ///   - reason: The reason, shown after the card and its property.
    ///   - sign: The sign, the same for every card.
    init(
        _ reading: ControlReading, _ outcome: Outcome, _ reason: String, sign: String, wanted: [String] = []
    ) {
        card = reading.card
        finding = OutcomeFinding(outcome, at: nil, "\(reading.place) \(reason)", sign: sign)
        self.wanted = wanted
    }
}

/// A kind of fact, and the form in which a client prints it.
private struct PrintedKind: Sendable {
    let kind: FactKind
    private let isReversed: Bool
    /// The number of values that are printed if the card has enough of them, counted from the first; `nil` if they are not
    /// printed.
    private(set) var count: Int?

    /// - Parameter valid: The readings that count, starting with the card of the scenario.
    init(_ kind: FactKind, in valid: [ControlReading]) {
        self.kind = kind
        let values = valid[0].facts[kind.place] ?? []
        let printed = valid[0].printed
        isReversed = printed.alignment(of: values.reversed()).count > printed.alignment(of: values).count
        let known = valid.filter { $0.facts[kind.place]?.isEmpty == false }
        let reaches = known.map { Self.reach(of: meant(in: $0)) }.sorted()
        // A writer may print what it writes, which may contain the value of most cards.
        let differing = known.filter { self.values(on: $0).first != values.first }
        let isRead = differing.isEmpty || differing.contains { meant(in: $0).first == 0 }
        // A value can appear by chance in the output for one card, but not for most cards; the next value can appear by chance
        // for one card, but not for two.
        let isPrinted = isRead && known.count > 1 && 2 * known.share { meant(in: $0).first == 0 } > 1
        count = isPrinted ? reaches[reaches.count - 2] : nil
    }

    /// Returns the indices of printed values; in long results, some differences appear by chance among other numbers.
    private func meant(in reading: ControlReading) -> [Int] {
        let indices = indices(in: reading)
        return kind.isOfPairs && indices.count < values(on: reading).count ? [] : indices
    }

    /// Returns the number of values printed from the first on: up to the last one with few gaps before it.
    private static func reach(of indices: [Int]) -> Int {
        let last = indices.enumerated().last { found, index in 4 * (found + 1) >= 3 * (index + 1) }
        return indices.first == 0 ? last.map { $0.element + 1 } ?? 0 : 0
    }

    func values(on reading: ControlReading) -> [String] { reading.facts[kind.place] ?? [] }

    func ordered(_ values: some Sequence<String>) -> [String] { isReversed ? values.reversed() : Array(values) }

    func indices(in reading: ControlReading) -> [Int] {
        let values = values(on: reading)
        let found = reading.printed.alignment(of: ordered(values))
        return isReversed ? found.reversed().map { values.count - 1 - $0 } : found
    }

    /// Returns the indices of the values before one that are not printed; of equal values, one is enough.
    func lost(before end: Int, in reading: ControlReading) -> [Int] {
        let (values, found) = (values(on: reading), Set(indices(in: reading)))
        return values.indices.prefix(end).filter { !found.contains($0) && !reading.printed.contains(values[$0]) }
    }
}

extension [ControlReading] {
    /// Returns the share of readings that meet a condition; the cards with the same property have one vote together.
    fileprivate func share(where isMet: (ControlReading) -> Bool) -> Double {
        let votes = Dictionary(grouping: self) { $0.card?.property }.values
        return Double(votes.count { 2 * $0.count(where: isMet) > $0.count }) / Double(votes.count)
    }
}

/// Compares a client's output for control cards with their contents.
///
/// A client chooses what it prints, and in which form. The values that it prints for the scenario's card, it has to print for
/// every other card: if the first twelve balances are in its output there, the first twelve, or all if there are fewer, have
/// to be in its output everywhere. Values that it never prints are not required.
public struct ReferenceJudge: Sendable {
    let base: ControlReading
    private let others: [ControlReading]
    /// The readings that count, without disputed ones.
    let valid: [ControlReading]
    /// Values that are the same on every card, although the properties they seem to show differ.
    let constants: [ConstantValue]
    private let kinds: [FactKind]
    /// The kinds that can be recognised wherever they are printed.
    private let printedKinds: [PrintedKind]

    /// - Parameters:
    ///   - others: Readings of cards that the client did not reject.
    ///   - named: The values that the case names, as JSON pointers.
    public init(_ base: ControlReading, _ others: [ControlReading], named: Set<String> = []) {
        self.base = base
        self.others = others
        let valid = [base] + others.filter { $0.demand == .reading }
        self.valid = valid
        kinds = Set(([base] + others).flatMap(\.facts.keys)).sorted().compactMap(FactKind.init)
        printedKinds = kinds.filter(\.isRecognizable).map { PrintedKind($0, in: valid) }
        constants = ConstantValue.all(in: base, Array(valid.dropFirst()), named: named)
    }

    /// Returns the number of values of a kind that a client can print; the oldest record of a list has no amount.
    private func printableCount(of printed: PrintedKind, on reading: ControlReading) -> Int {
        let values = printed.values(on: reading)
        guard !printed.kind.isOfPairs else { return values.count }
        let sheets = Set(printedKinds.filter { $0.kind.isOfPairs && $0.count != nil }.map(\.kind.record))
        if sheets.contains(printed.kind.record) { return max(0, values.count - 1) }
        // The balance of a card is the balance of its newest record.
        let isOfOnlyRecord = printedKinds.contains { other in
            sheets.contains(other.kind.record) && other.values(on: reading) == values
        }
        return isOfOnlyRecord ? 0 : values.count
    }

    var verb: String { base.isReturned ? "return" : "print" }
    private var pieces: String { base.isReturned ? "values" : "lines" }

    public var misreadings: [Misreading] {
        let first = distorted ?? firstMissing ?? garbage(in: base)
        let rest = others.compactMap { reading in
            missing(in: reading) ?? different(in: reading) ?? extra(in: reading) ?? garbage(in: reading)
                ?? constant(in: reading) ?? misreading(in: reading) ?? single(in: reading)
        }
        return (first.map { [$0] } ?? []) + rest
    }

    /// Values that the client may omit on purpose.
    public var warnings: [Warning] {
        (valid.lazy.compactMap(partial).first.map { [$0] } ?? []) + constants.filter { !$0.isCertain }.map(warning)
    }

    /// Returns a warning for a list of which only the beginning is printed, as on all other cards.
    private func partial(in reading: ControlReading) -> Warning? {
        printedKinds.lazy.compactMap { printed -> Warning? in
            let (values, found) = (printed.values(on: reading), printed.indices(in: reading))
            // In a history, the newest record alone shows the contents of the card; in a message, each record matters.
            let least = printed.kind.isOfRecord ? 1 : Self.leastList
            guard single(in: reading) == nil, found.count >= least, found.last == found.count - 1,
                found.count < printableCount(of: printed, on: reading),
                reading.card == nil || found.count == printed.count && isOfTrips(printed)
            else { return nil }
            return Warning(
                "\(verb)s \(found.count) of \(values.count) values of \(printed.kind.leaf)"
                    + (reading.card == nil ? "" : " \(reading.place)"),
                hint: "If that is intended, nothing is wrong; the card has \(values.count).")
        }.first
    }

    /// The minimum length of a list for a conclusion from its length.
    private static let leastList = 3
}

extension ReferenceJudge {
    /// Returns whether the values cannot be dates of gates, because the client prints more dates than there are gates.
    private func isOfTrips(_ printed: PrintedKind) -> Bool {
        printed.kind.leaf != "date" || printed.count ?? 0 > valid.map(\.gateDates.count).max() ?? 0
    }

    /// Returns the misreading of a value that the client prints for other cards but not for this one.
    private func missing(in reading: ControlReading) -> Misreading? {
        guard reading.demand == .reading else { return nil }
        for printed in printedKinds {
            let (kind, values) = (printed.kind, printed.values(on: reading))
            guard !values.isEmpty, let usual = printed.count, isOfTrips(printed) else { continue }
            let wanted = min(usual, printableCount(of: printed, on: reading))
            guard let index = printed.lost(before: wanted, in: reading).first else { continue }
            // A client that prints amounts with a sign shows a charge as a fare below zero.
            let changes = reading.facts["\(kind.record)\(FactKind.change)"] ?? []
            let hasSigns = FactKind.signs(of: changes).contains { $0.allSatisfy(reading.printed.contains) }
            if kind.isOfPairs, !changes.isEmpty, hasSigns { continue }
            let isPart = !printed.indices(in: reading).isEmpty
            return Misreading(
                reading, isPart ? .silentLoss : .wrongResult,
                "it does not \(verb) \(kind.name(index, of: values.count)), \(ClientJudge.shorten(values[index])), "
                    + "as it does for other cards",
                sign: "it does not \(verb) every \(kind.leaf)", wanted: printed.ordered(values.prefix(wanted)))
        }
        return nil
    }

    /// The misreading of a list that has one record, whatever the card contains.
    ///
    /// A client that shows a single link by design does not use a list. If the JSON has the IDm or UID next to the list, the
    /// list is one of records, not of cards.
    private func single(in reading: ControlReading) -> Misreading? {
        guard reading.demand == .reading, !reading.printed.isLines, reading.hasIdentifierOutsideLists else {
            return nil
        }
        for printed in printedKinds where printed.kind.isOfRecord && printed.count == 1 {
            let (kind, values) = (printed.kind, printed.values(on: reading))
            guard values.count > 1, printed.indices(in: reading) == [0] else { continue }
            for (place, texts) in reading.printed.byPlace.sorted(by: { $0.key < $1.key }) where texts == [values[0]] {
                let parts = place.split(separator: "*", omittingEmptySubsequences: false)
                guard parts.count == 2, case let list = String(parts[0].dropLast()), reading.printed.lengths[list] == 1
                else { continue }
                return Misreading(
                    reading, .silentLoss,
                    "`\(list)` has 1 item, but the card has \(CountText.of(values.count, "record")): it does not \(verb) "
                        + "\(kind.name(1, of: values.count)), \(ClientJudge.shorten(values[1]))",
                    sign: "`\(list)` has one item, whatever the card holds", wanted: printed.ordered(values))
            }
        }
        return nil
    }

    /// The misreading of a list on the scenario's card without its first items, or with a gap; for amounts, of the list on
    /// most cards without equal amounts.
    private var firstMissing: Misreading? {
        for printed in printedKinds where isOfTrips(printed) {
            let distinct = valid.filter { reading in
                let values = printed.values(on: reading)
                return values.count > Self.leastList && Set(values).count == values.count
            }
            let readings = printed.kind.isOfPairs ? distinct : [base]
            let gaps = readings.compactMap { gap(in: printed, on: $0) }
            if 2 * gaps.count > readings.count { return gaps[0] }
        }
        return missing(in: base)
    }

    /// Returns the misreading if a few values are missing among the ones that the client prints.
    private func gap(in printed: PrintedKind, on reading: ControlReading) -> Misreading? {
        let (leaf, values) = (printed.kind.leaf, printed.values(on: reading))
        let found = printed.indices(in: reading)
        guard let last = found.last, found.count >= Self.leastList,
            !printed.kind.isOfPairs || last == values.count - 1
        else { return nil }
        let lost = printed.lost(before: last, in: reading)
        guard let first = lost.first, lost.count < Self.leastList, found.count >= Self.leastList * lost.count else {
            return nil
        }
        let gap =
            first == 0
            ? "counted from the beginning of the card, but not the first"
            : "but not \(printed.kind.name(first, of: values.count)), \(ClientJudge.shorten(values[first]))"
        return Misreading(
            reading, .silentLoss,
            "it \(verb)s \(leaf) \((found.first ?? 0) + 1) to \(last + 1) of \(values.count), \(gap)",
            sign: "it does not \(verb) every \(leaf)", wanted: printed.ordered(values.prefix(last + 1)))
    }
}

extension ReferenceJudge {
    /// Returns the misreading if the client prints a part of a text, or another number, for a card that it may reject and did
    /// not.
    private func misreading(in reading: ControlReading) -> Misreading? {
        guard reading.demand == .readingOrRefusal else { return nil }
        for printed in printedKinds where printed.count != nil {
            let (kind, printedText) = (printed.kind, reading.printed)
            guard let value = printed.values(on: reading).first, !printedText.contains(value),
                kind.isOfRecord ? printedText.containsPart(of: value) : !declines(reading)
            else { continue }
            return Misreading(
                reading, .wrongResult,
                "it neither \(verb)s the \(kind.leaf), \(ClientJudge.shorten(value)), nor reports that it cannot read it",
                sign: "it \(verb)s a \(kind.leaf) that is wrong")
        }
        return nil
    }

    /// Returns whether a client printed, instead of numbers, nothing or words that it prints for no other card.
    private func declines(_ reading: ControlReading) -> Bool {
        let forms = valid.map(\.printed.forms)
        let always = forms.dropFirst().reduce(forms[0]) { $0.intersection($1) }
        let known = forms.reduce(into: Set()) { $0.formUnion($1) }
        return !always.isSubset(of: reading.printed.forms) || !reading.printed.forms.isSubset(of: known)
    }
}

extension ReferenceJudge {
    /// Returns the misreading of a JSON value that always shows a fact of the card, but not here.
    private func different(in reading: ControlReading) -> Misreading? {
        guard reading.demand == .reading, !reading.printed.isLines else { return nil }
        for (place, printed) in reading.printed.byPlace.sorted(by: { $0.key < $1.key })
        where !reading.mayBeOfGates(printed) {
            let shownKinds = kinds.filter { prints($0, at: place) }
            let known = shownKinds.compactMap { kind in reading.facts[kind.place].map { (kind: kind, facts: $0) } }
                .filter { !$0.facts.isEmpty }
            guard let first = known.first?.facts, known.count == shownKinds.count,
                !known.contains(where: { agree($0.kind, $0.facts, printed) })
            else {
                continue
            }
            return Misreading(
                reading, .wrongResult,
                "`\(place)` is \(ClientJudge.shorten(printed.joined(separator: ", "))), not "
                    + ClientJudge.shorten(first.joined(separator: ", ")),
                sign: "`\(place)` is wrong", wanted: Array(first.prefix(printed.count)))
        }
        return nil
    }

    /// Returns whether a client prints a kind of fact at a location: the value is right on most cards, and the cards differ.
    private func prints(_ kind: FactKind, at place: String) -> Bool {
        let known = valid.filter { $0.facts[kind.place]?.isEmpty == false && $0.printed.byPlace[place] != nil }
        let isRight = { (reading: ControlReading) in
            agree(kind, reading.facts[kind.place] ?? [], reading.printed.byPlace[place] ?? [])
        }
        return 3 * known.share(where: isRight) >= 2 && Set(known.filter(isRight).map { $0.facts[kind.place] }).count > 1
    }

    private func agree(_ kind: FactKind, _ facts: [String], _ printed: [String]) -> Bool {
        let forms = kind.leaf == FactKind.change ? FactKind.signs(of: facts) : [facts]
        return forms.contains { zip($0, printed).allSatisfy { $0.lowercased() == $1.lowercased() } }
    }
}

extension ReferenceJudge {
    /// Returns the misreading of a list or lines that continue after the last entry of a card, or of data after its contents.
    private func extra(in reading: ControlReading) -> Misreading? {
        if let remains = reading.card?.remains.first(where: reading.printed.contains) {
            return Misreading(
                reading, .wrongResult, "it \(verb)s \(remains), which lies after the end of the content",
                sign: "it \(verb)s what lies after the end of the content")
        }
        guard reading.card?.family == .history else { return nil }
        for printed in printedKinds {
            let (all, count) = (printed.values(on: base), printed.values(on: reading).count)
            guard all.count >= Self.leastList else { continue }
            for (place, length) in base.printed.lengths where length == all.count && !base.printed.isLines {
                guard let found = reading.printed.lengths[place], found > count else { continue }
                return Misreading(
                    reading, .wrongResult,
                    "`\(place)` has \(CountText.of(found, "item")), but the card has \(CountText.of(count, "record"))",
                    sign: "`\(place)` has too many items")
            }
            guard base.printed.isLines, printed.indices(in: base).count == all.count, count < all.count,
                base.printed.pieces.count >= all.count, reading.printed.pieces.count == base.printed.pieces.count,
                !base.printed.pieces.contains(where: {
                    PrintedText(.text($0)).alignment(of: Array(all.prefix(2))).count > 1
                })
            else { continue }
            return Misreading(
                reading, .wrongResult,
                "it \(verb)s as many \(pieces) as for a card with \(CountText.of(all.count, "record")), although this one has \(count)",
                sign: "it \(verb)s too many \(pieces)")
        }
        return nil
    }

    private func garbage(in reading: ControlReading) -> Misreading? {
        guard reading.demand != .survival else { return nil }
        for (place, printed) in reading.printed.byPlace.sorted(by: { $0.key < $1.key }) {
            // A client that writes a message as it is begins with the header of a record, which is not text.
            if base.printed.byPlace[place]?.first?.hasPrefix(Self.replacement) == true { continue }
            for piece in printed where Self.isGarbled(piece) {
                return Misreading(
                    reading, .wrongResult,
                    "`\(place)` contains bytes that are not text, \(ClientJudge.shorten(PrintableText.visible(piece)))",
                    sign: "`\(place)` contains bytes that are not text")
            }
            let payloads = reading.facts.filter { FactKind(place: $0.key)?.isBytes == true }.flatMap(\.value)
            for piece in printed {
                let bytes = piece.lowercased()
                guard let payload = payloads.first(where: { $0.count > 7 && bytes.hasPrefix($0.lowercased()) }),
                    bytes.count > payload.count, bytes.dropFirst(payload.count).allSatisfy(\.isHexDigit)
                else { continue }
                return Misreading(
                    reading, .wrongResult,
                    "`\(place)` continues for \((bytes.count - payload.count) / 2) bytes after the end of the payload",
                    sign: "`\(place)` continues after the end of the payload")
            }
        }
        return nil
    }

    /// The character that stands for bytes that are not UTF-8.
    private static let replacement = "\u{FFFD}"

    private static func isGarbled(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            String(scalar) == replacement || scalar.value < 0x20 && !["\t", "\n", "\r", "\u{1B}"].contains(scalar)
        }
    }
}

extension ReferenceJudge {
    /// The misreading of a two-byte number that is always decoded in the wrong way.
    private var distorted: Misreading? {
        let ways: [(words: String, of: (UInt16) -> UInt16)] = [
            ("with its bytes in the other order", \.byteSwapped), ("without its upper byte", { $0 & 0xFF }),
        ]
        for kind in kinds where kind.isRecognizable {
            for way in ways {
                let pairs = valid.compactMap { reading -> Distortion? in
                    // A small number may be printed by chance.
                    guard let right = reading.facts[kind.place]?.first, let number = UInt16(right), number > 0xFF,
                        number.byteSwapped > 0xFF, number.byteSwapped != number
                    else { return nil }
                    return Distortion(reading: reading, right: right, wrong: "\(way.of(number))")
                }
                guard let first = pairs.first, let place = place(of: pairs) else { continue }
                return Misreading(
                    first.reading, .wrongResult,
                    "it \(verb)s \(first.wrong)\(place) where the \(kind.leaf) is \(first.right), \(way.words)",
                    sign: "it \(verb)s a \(kind.leaf) \(way.words)", wanted: place.isEmpty ? [first.right] : [])
            }
        }
        return nil
    }

    /// Returns the location of wrong numbers that replace the right ones on all cards: `` as `/balance` `` in JSON, or empty
    /// if the right ones are not printed at all; `nil` if there is no such location.
    private func place(of pairs: [Distortion]) -> String? {
        if pairs.allSatisfy({ $0.reading.printed.contains($0.wrong) && !$0.reading.printed.contains($0.right) }) {
            return ""
        }
        guard Set(pairs.map(\.wrong)).count > 1, !base.printed.isLines else { return nil }
        return base.printed.byPlace.keys.sorted().first { place in
            pairs.allSatisfy { $0.reading.printed.byPlace[place]?.first == $0.wrong }
        }.map { " as `\($0)`" }
    }

    private struct Distortion {
        let reading: ControlReading
        let right: String
        let wrong: String
    }
}
