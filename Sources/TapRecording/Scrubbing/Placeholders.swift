import TapWire

/// The placeholders for the values of a session.
///
/// A first walk over the session collects its values, ``settle()`` decides on placeholders, and a second walk replaces the
/// values. A value with the form of a placeholder counts as one and stays.
struct Placeholders {
    /// The kind of a value, as shown to people.
    enum What: String, Hashable, Sendable, CaseIterable {
        case idm = "IDm"
        case uid = "UID"
        case cardNumber = "card number"
        case signature
        case readerNumber = "reader number"
        case station
        case area
        case number = "number of a stop, till or machine"
        case date
        case time = "time of day"
        case sequence = "sequence number"
        case text
        case secret = "password or key"
        case unnamed = "record with bytes of unknown meaning"
        case data = "piece of undocumented data"

        var kind: Scrubbing.Kind {
            switch self {
            case .idm, .uid, .cardNumber, .signature, .readerNumber: .identifiers
            case .station, .area, .number: .places
            case .date, .time: .dates
            case .sequence: .counts
            case .text: .texts
            case .secret: .secrets
            case .unnamed, .data: .data
            }
        }
    }

    private let kept: Set<Scrubbing.Kind>
    private(set) var isSettled = false
    /// The exchange whose bytes are being replaced.
    var exchange: Int?
    private(set) var changes: [ScrubbedSession.Change] = []
    private var distinct: [What: Set<[UInt8]>] = [:]
    private var remarks: [String] = []

    /// The identifiers of the session, in the order of discovery.
    private var metIDms: [IDm] = []
    private var metUIDs: [UID] = []
    private var metSecrets: [[UInt8]] = []
    /// The identifiers that were replaced, in hexadecimal; an IDm lacks the number of its system.
    private(set) var writtenIdentifiers: [String] = []
    /// The representations of the identifiers anywhere in the session.
    private var patterns: [Pattern] = []
    /// The patterns indexed by their first byte.
    private var patternsByByte: [[Pattern]] = []

    private var idms = Numbering()
    private var uids = Numbering()
    private var cardNumbers = Numbering()
    private var stations = Numbering()
    private var numbers = Numbering()
    private var pieces = Numbering()
    private var secrets = Numbering()
    private var latestDay: Int?
    private var times: Set<Int> = []
    private var ranks: [Int: Int] = [:]
    private var latestSequence: [String: UInt64] = [:]

    init(keeping kept: Set<Scrubbing.Kind>) {
        self.kept = kept
    }

    /// The card whose identifier was found first.
    var firstCard: RecordedSession.Identity? {
        metIDms.first.map { .felica(idm: $0, pmm: nil, system: nil) } ?? metUIDs.first.map { .typeA(uid: $0) }
    }

    func keeps(_ kind: Scrubbing.Kind) -> Bool { kept.contains(kind) }

    mutating func settle() {
        isSettled = true
        for idm in metIDms {
            let new = self.idm(idm)
            patterns += Pattern.all(of: idm, new)
            if new != idm { writtenIdentifiers.append(String(Hex.digits(idm.rawValue, width: 16).dropFirst())) }
        }
        for uid in metUIDs {
            let new = self.uid(uid)
            patterns += Pattern.all(of: uid, new)
            if new != uid { writtenIdentifiers.append(uid.description) }
        }
        for secret in metSecrets { patterns += Pattern.texts(of: secret, self.secret(secret)) }
        patternsByByte = Array(repeating: [], count: 256)
        for pattern in patterns { patternsByByte[Int(pattern.old[0])].append(pattern) }
        // From here on, count only values that are actually replaced.
        changes = []
        distinct = [:]
        for (rank, second) in times.sorted().enumerated() { ranks[second] = rank }
    }

    /// Adds a remark about something that was not understood, once.
    mutating func remark(_ text: String) {
        if isSettled, !remarks.contains(text) { remarks.append(text) }
    }

    /// Replaces a value and records the change.
    private mutating func replace(_ what: What, _ old: [UInt8], by new: [UInt8]) -> [UInt8] {
        guard isSettled, old != new, !keeps(what.kind) else { return old }
        changes.append(ScrubbedSession.Change(exchange: exchange, what: what))
        distinct[what, default: []].insert(old)
        return new
    }

    private mutating func replace<Number: FixedWidthInteger & UnsignedInteger>(
        _ what: What, _ old: Number, by new: Number
    ) -> Number {
        let bytes = replace(what, old.bigEndianBytes, by: new.bigEndianBytes)
        return bytes == old.bigEndianBytes ? old : new
    }

    /// The replaced values, and remarks about what was not understood.
    var notes: [String] {
        let counts = What.allCases.compactMap { what in
            distinct[what].map { what.text($0.count) }
        }
        let replaced = counts.isEmpty ? "Nothing had to be replaced." : "Replaced: \(counts.joined(separator: ", "))."
        return [replaced] + remarks
    }
}

extension Placeholders.What {
    /// A count of values as a phrase.
    func text(_ count: Int) -> String { CountText.of(count, rawValue, plural) }

    private var plural: String? {
        switch self {
        case .readerNumber: "reader numbers"
        case .number: "numbers of stops, tills or machines"
        case .time: "times of day"
        case .secret: "passwords or keys"
        case .unnamed: "records with bytes of unknown meaning"
        case .data: "pieces of undocumented data"
        default: nil
        }
    }
}

/// Values of one kind with the numbers of their placeholders, counted from 1.
private struct Numbering {
    private var numbers: [[UInt8]: Int] = [:]
    private var taken: Set<Int> = []
    private var next = 1

    /// Reserves the number of a value that already is a placeholder.
    mutating func keep(_ number: Int) { taken.insert(number) }

    /// The number of a value; values beyond `most` share the last number.
    mutating func number(of value: [UInt8], most: Int) -> Int {
        if let number = numbers[value] { return number }
        while taken.contains(next), next < most { next += 1 }
        let number = min(next, most)
        next = min(next + 1, most)
        numbers[value] = number
        return number
    }
}

// Identifiers.

extension Placeholders {
    /// Manufacturer code 012E and the letters `TAPS`, followed by a number.
    private static let idmForm: UInt64 = 0x012E_5441_5053_0000
    private static let cardBits: UInt64 = 0x0FFF_FFFF_FFFF_FFFF

    /// The placeholder for an IDm, which keeps the number of the system; a zero IDm stays.
    mutating func idm(_ idm: IDm) -> IDm {
        let card = idm.rawValue & Self.cardBits
        guard card != 0 else { return idm }
        if Self.isPlaceholder(idm) { idms.keep(Int(card & 0xFFFF)) }
        guard isSettled else {
            let first = idm.ofSystem(0)
            if !metIDms.contains(first) { metIDms.append(first) }
            return idm
        }
        if Self.isPlaceholder(idm) { return idm }
        let number = idms.number(of: card.bigEndianBytes, most: 0xFFFF)
        let new = IDm(Self.idmForm | UInt64(number)).ofSystem(idm.systemNumber)
        return IDm(replace(.idm, idm.rawValue, by: new.rawValue))
    }

    private static func isPlaceholder(_ idm: IDm) -> Bool { idm.rawValue & cardBits & ~0xFFFF == idmForm }

    /// The prefix of placeholder UIDs by length: 04, the code of NXP, and letters; a number follows.
    private static let uidForms: [Int: [UInt8]] = [
        4: [0x04, 0x54, 0x53], 7: [0x04, 0x54, 0x41, 0x50, 0x53, 0x49],
        10: [0x04, 0x54, 0x41, 0x50, 0x53, 0x49, 0x4D, 0, 0],
    ]

    mutating func uid(_ uid: UID) -> UID {
        guard let form = Self.uidForms[uid.bytes.count] else { return uid }
        let isPlaceholder = uid.bytes.starts(with: form)
        if isPlaceholder { uids.keep(Int(uid.bytes[form.count])) }
        guard isSettled else {
            if !metUIDs.contains(uid) { metUIDs.append(uid) }
            return uid
        }
        if isPlaceholder { return uid }
        let new = form + [UInt8(uids.number(of: uid.bytes, most: 0xFF))]
        return UID(replace(.uid, uid.bytes, by: new)) ?? uid
    }

    /// Twelve zeros and a number.
    mutating func cardNumber(_ bytes: [UInt8]) -> [UInt8] {
        let number = CardNumber(UInt64(octets: bytes))
        guard number.rawValue != 0 else { return bytes }
        if number.isDecimal, number.rawValue <= 0x9999 {
            cardNumbers.keep(Int(number.description) ?? 0)
            return bytes
        }
        guard isSettled else { return bytes }
        let count = cardNumbers.number(of: bytes, most: 9_999)
        let new = CardNumber("\(count)".leftPadded(to: 16, with: "0")) ?? CardNumber(0)
        return replace(.cardNumber, bytes, by: new.rawValue.octets)
    }
}

extension Placeholders {
    /// Bytes in which identifiers of the session are replaced wherever they occur, in any of their usual forms.
    mutating func sweep(_ bytes: [UInt8]) -> [UInt8] {
        guard isSettled else { return bytes }
        var swept = bytes
        for start in bytes.indices {
            let pattern = patternsByByte[Int(bytes[start])].first { bytes[start...].starts(with: $0.old) }
            guard let pattern else { continue }
            let range = start..<start + pattern.old.count
            swept.replaceSubrange(range, with: replace(pattern.what, pattern.old, by: pattern.new))
        }
        return swept
    }

    mutating func sweep(_ text: String) -> String { String(decoding: sweep(Array(text.utf8)), as: UTF8.self) }

    /// The text forms of the session's identifiers, with those of their placeholders.
    var textForms: [(old: [UInt8], new: [UInt8])] {
        patterns.filter(\.isText).map { ($0.old, $0.new) }
    }
}

/// Bytes that reveal an identifier, and their placeholder.
private struct Pattern {
    let what: Placeholders.What
    let old: [UInt8]
    let new: [UInt8]
    var isText = false

    /// The minimum number of distinct bytes; fewer are no evidence of an identifier.
    private static let fewest = 3

    private init(_ what: Placeholders.What, _ old: [UInt8], _ new: [UInt8], isText: Bool = false) {
        self.what = what
        self.old = old
        self.new = new
        self.isText = isText
    }

    /// The raw bytes, and their hexadecimal forms.
    private static func forms(_ what: Placeholders.What, _ old: [UInt8], _ new: [UInt8]) -> [Pattern] {
        guard Set(old).count >= fewest else { return [] }
        let (text, newText) = (Hex.text(old), Hex.text(new))
        return [
            Pattern(what, old, new), Pattern(what, Array(text.utf8), Array(newText.utf8), isText: true),
            Pattern(what, Array(text.lowercased().utf8), Array(newText.lowercased().utf8), isText: true),
        ]
    }

    /// A password or key in hexadecimal, as in the arguments of a program.
    static func texts(of old: [UInt8], _ new: [UInt8]) -> [Pattern] {
        forms(.secret, old, new).filter(\.isText)
    }

    static func all(of old: IDm, _ new: IDm) -> [Pattern] {
        (0..<16).flatMap { system in
            forms(.idm, old.ofSystem(system).rawValue.bigEndianBytes, new.ofSystem(system).rawValue.bigEndianBytes)
        }
    }

    /// Includes the parts with their check bytes, as in pages and selection frames.
    static func all(of old: UID, _ new: UID) -> [Pattern] {
        let parts = zip(old.cascadeParts, new.cascadeParts).flatMap { old, new in
            let hasTag = old.bytes[0] == UID.cascadeTag
            let (old, new) = (Array(old.bytes.dropFirst(hasTag ? 1 : 0)), Array(new.bytes.dropFirst(hasTag ? 1 : 0)))
            return [Pattern(.uid, old, new)]
                + (hasTag ? [] : [Pattern(.uid, Array(old.dropLast()), Array(new.dropLast()))])
        }
        return forms(.uid, old.bytes, new.bytes) + [Pattern(.uid, old.bytes.reversed(), new.bytes.reversed())]
            + parts.filter { Set($0.old).count >= fewest }
    }
}

// Places.

extension Placeholders {
    /// The placeholder for a station, on line 00, which no railway has; an empty station stays.
    mutating func station(_ bytes: [UInt8]) -> [UInt8] {
        if bytes[0] == 0 {
            stations.keep(Int(bytes[1]))
            return bytes
        }
        guard isSettled else { return bytes }
        return replace(.station, bytes, by: [0, UInt8(stations.number(of: bytes, most: 0xFF))])
    }

    /// The placeholder for the number of a stop, till or machine: FD and a number, or data for other lengths; zero stays.
    mutating func number(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count == 2 else { return data(bytes, as: .number) }
        if bytes[0] == 0xFD { numbers.keep(Int(bytes[1])) }
        guard isSettled, bytes != [0, 0], bytes[0] != 0xFD else { return bytes }
        return replace(.number, bytes, by: [0xFD, UInt8(numbers.number(of: bytes, most: 0xFF))])
    }

    /// The placeholder for the code of a region or area: zero.
    mutating func area(_ bytes: [UInt8]) -> [UInt8] {
        replace(.area, bytes, by: Array(repeating: 0, count: bytes.count))
    }
}

// Time.

extension Placeholders {
    /// The latest date of a scrubbed session, which no current card contains: 2009-12-31.
    private static let latestPlaceholder = CalendarDate(year: 2009, month: 12, day: 31)?.daysSince2000 ?? 0
    /// The minute of the day at which the times of a scrubbed session start.
    private static let firstMinute = 6 * 60
    private static let minutesPerDay = 24 * 60

    /// The number of days by which dates move.
    private var shift: Int { max(0, (latestDay ?? 0) - Self.latestPlaceholder) }

    /// The date with its distance from the latest date preserved, but not before a given year.
    mutating func date(_ date: CalendarDate, notBefore year: Int) -> CalendarDate {
        let day = date.daysSince2000
        guard isSettled else {
            latestDay = max(latestDay ?? day, day)
            return date
        }
        let first = CalendarDate(year: year, month: 1, day: 1) ?? date
        let moved = date.adding(days: -shift).map { max($0, min(date, first)) } ?? date
        let new = replace(.date, UInt64(bitPattern: Int64(day)), by: UInt64(bitPattern: Int64(moved.daysSince2000)))
        return CalendarDate(daysSince2000: Int(Int64(bitPattern: new))) ?? date
    }

    /// The time of day with its rank among all times of the session preserved; midnight stays.
    ///
    /// Times count as placeholders if the dates are placeholders.
    mutating func time(_ time: ClockTime) -> ClockTime {
        guard time.secondOfDay != 0 else { return time }
        guard isSettled else {
            times.insert(time.secondOfDay)
            return time
        }
        if latestDay != nil, shift == 0 { return time }
        let minute = min(Self.firstMinute + (ranks[time.secondOfDay] ?? 0), Self.minutesPerDay - 1)
        let new = replace(.time, UInt32(time.secondOfDay), by: UInt32(minute * 60))
        return ClockTime(secondOfDay: Int(new)) ?? time
    }

    /// The placeholder for bits that should encode a date or a time but do not.
    mutating func blank(_ bytes: [UInt8]) -> [UInt8] {
        replace(.date, bytes, by: Array(repeating: 0, count: bytes.count))
    }
}

// Numbers that count.

extension Placeholders {
    /// The highest number of a scrubbed session.
    private static let latestSequence: UInt64 = 1_000

    /// The number with its distance from the highest number of its counter preserved; zero stays.
    mutating func sequence(_ bytes: [UInt8], of counter: String) -> [UInt8] {
        let value = UInt64(octets: bytes)
        guard value != 0 else { return bytes }
        let latest = max(latestSequence[counter] ?? 0, value)
        guard isSettled else {
            latestSequence[counter] = latest
            return bytes
        }
        let shift = latest > Self.latestSequence ? latest - Self.latestSequence : 0
        return replace(.sequence, bytes, by: (value > shift ? value - shift : 1).octets.suffix(bytes.count))
    }
}

// Bytes without a known meaning.

extension Placeholders {
    private static let dataLetters = Array("TAPSIM".utf8)
    private static let secretLetters = Array("KEY".utf8)
    private static let mostPieces = 0x0FFF

    /// Letters that depend only on the length, with a number in the last two bytes; fewer than four bytes have no number.
    private static func form(_ letters: [UInt8], _ number: Int, count: Int) -> [UInt8] {
        let hasNumber = count >= 4
        let text = (0..<(hasNumber ? count - 2 : count)).map { letters[$0 % letters.count] }
        return hasNumber ? text + UInt16(truncatingIfNeeded: number).bigEndianBytes : text
    }

    /// The number of bytes that form a placeholder, or `nil` for other bytes.
    private static func number(of bytes: [UInt8], _ letters: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        let number = Int(bytes[bytes.count - 2]) << 8 | Int(bytes[bytes.count - 1])
        return (1...mostPieces).contains(number) && bytes == form(letters, number, count: bytes.count) ? number : nil
    }

    /// The placeholder for bytes with unknown meaning; bytes that are all 00 or all FF, and masked bytes, stay.
    mutating func data(_ bytes: [UInt8], as what: What = .data) -> [UInt8] {
        guard !bytes.isBlank, TextPlaceholders.masked(bytes) != bytes else { return bytes }
        if let number = Self.number(of: bytes, Self.dataLetters) {
            pieces.keep(number)
            return bytes
        }
        guard isSettled, !keeps(what.kind) else { return bytes }
        let number = pieces.number(of: bytes, most: Self.mostPieces)
        return replace(what, bytes, by: Self.form(Self.dataLetters, number, count: bytes.count))
    }

    /// The placeholder for a password or key; those of cards at delivery, all 00 or all FF, stay.
    mutating func secret(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isBlank else { return bytes }
        if let number = Self.number(of: bytes, Self.secretLetters) {
            secrets.keep(number)
            return bytes
        }
        if !isSettled, !metSecrets.contains(bytes) { metSecrets.append(bytes) }
        guard isSettled, !keeps(.secrets) else { return bytes }
        let number = secrets.number(of: bytes, most: Self.mostPieces)
        return replace(.secret, bytes, by: Self.form(Self.secretLetters, number, count: bytes.count))
    }

    /// Replaces bytes of another kind by others of the same length, and records the change.
    mutating func bytes(_ what: What, _ old: [UInt8], by new: [UInt8]) -> [UInt8] { replace(what, old, by: new) }
}

extension Collection<UInt8> {
    /// A Boolean value that indicates whether all bytes are 00 or all are FF.
    var isBlank: Bool { allSatisfy { $0 == 0 } || allSatisfy { $0 == 0xFF } }
}
