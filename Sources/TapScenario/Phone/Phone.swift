import TapDocument
import TapField
import TapWire

/// The iPhone of a case, on which an app reads the cards with Core NFC.
///
/// A value is `nil` if the file does not state it, so that a case can change single values.
public struct PhoneSpec: Hashable, Sendable {
    /// The way an app learns of a NAK to its command.
    public enum NAKDelivery: String, Hashable, Sendable, CaseIterable {
        /// The command fails.
        case error
        /// The command returns the four bits as one byte.
        case byte

        public static let `default` = NAKDelivery.error
    }

    /// The treatment of a session that begins while another is open.
    public enum SecondSession: String, Hashable, Sendable, CaseIterable {
        /// The session ends at once with error 203.
        case busy
        /// The session begins when the other has ended.
        case queue

        public static let `default` = SecondSession.busy
    }

    /// The phone's ability to read cards.
    public enum Radio: String, Hashable, Sendable, CaseIterable {
        /// The phone can read cards.
        case on
        /// NFC is switched off: `phone.radio_off` is injected at each start of a session.
        case off
        /// The phone has no NFC: `phone.unsupported` is injected.
        case none
    }

    /// The default time limit of a session.
    ///
    /// Source: Core NFC, NFCReaderSession: 60 seconds.
    public static let defaultTimeLimit = Duration.seconds(60)

    /// The Info.plist of the app, if the file names one.
    ///
    /// If it could be read, ``systemCodes`` and ``usage`` hold its declarations.
    public internal(set) var infoPlist: InfoPlistPath?
    /// The FeliCa system codes that the app declares, in polling order.
    ///
    /// If `nil`, no declaration is known and the systems of the cards count.
    public var systemCodes: [SystemCode]?
    /// The app's reason for reading cards: empty if its Info.plist has none, `nil` if no Info.plist is known.
    public var usage: String?
    /// A Boolean value that indicates whether the app has the entitlement to read tags.
    ///
    /// If `false`, `phone.missing_entitlement` is injected.
    public var hasEntitlement: Bool?
    public var nak: NAKDelivery?
    public var secondSession: SecondSession?
    public var timeLimit: Duration?
    public var radio: Radio?
    /// The moment at which a person ends a session; injects `phone.user_cancel`.
    public var cancel: EventTrigger?
    /// The line of each shortcut for a fault, by its key.
    var sources: [String: SourceReference] = [:]

    public init() {}

    /// The phone, changed by the values that another one states.
    func changed(by other: PhoneSpec) -> PhoneSpec {
        var copy = self
        if other.infoPlist != nil || other.systemCodes != nil { copy.infoPlist = other.infoPlist }
        copy.systemCodes = other.systemCodes ?? systemCodes
        copy.usage = other.usage ?? usage
        copy.hasEntitlement = other.hasEntitlement ?? hasEntitlement
        copy.nak = other.nak ?? nak
        copy.secondSession = other.secondSession ?? secondSession
        copy.timeLimit = other.timeLimit ?? timeLimit
        copy.radio = other.radio ?? radio
        copy.cancel = other.cancel ?? cancel
        copy.sources.merge(other.sources) { $1 }
        return copy
    }
}

/// An Info.plist that a scenario names.
public struct InfoPlistPath: Hashable, Sendable {
    /// The path as written.
    public let path: String
    /// The name of the file that names the path, which is relative to that file's folder.
    public let file: String

    public init(path: String, file: String) {
        self.path = path
        self.file = file
    }
}

extension PhoneSpec {
    /// The faults that its shortcuts stand for, in the order of the keys.
    var faults: [FaultPlan.Entry] {
        var entries: [FaultPlan.Entry] = []
        let add = {
            (key: String, name: String, trigger: EventTrigger, times: IntegerRange, all: inout [FaultPlan.Entry]) in
            guard let kind = FaultCatalogue.named(name) else { preconditionFailure("\(name) is in the catalogue") }
            all.append(
                FaultPlan.Entry(Fault(kind), when: trigger, times: times, id: "phone.\(key)", source: sources[key]))
        }
        if hasEntitlement == false {
            add("entitlement", "phone.missing_entitlement", EventTrigger(.phone(.began)), .always, &entries)
        }
        switch radio {
        case .off?: add("radio", "phone.radio_off", EventTrigger(.phone(.began)), .always, &entries)
        case Radio.none?: add("radio", "phone.unsupported", EventTrigger(.phone(.available)), .always, &entries)
        case .on?, nil: break
        }
        if let cancel { add("cancel", "phone.user_cancel", cancel, .once, &entries) }
        return entries
    }

    var withoutFaults: PhoneSpec {
        var copy = self
        (copy.hasEntitlement, copy.radio, copy.cancel, copy.sources) = (nil, nil, nil, [:])
        return copy
    }

    /// The phone as a file writes it; includes the declarations of an Info.plist, so that the file is not needed.
    var node: Node { PhoneLanguage.table.node(self) }
}

/// The keys of `phone`: the iPhone on which an app reads the cards with Core NFC.
enum PhoneLanguage {
    static let maximumSystemCodes = 64

    static let shape = Shape.map(table.keys)

    static let table = FieldTable(
        "a phone", PhoneSpec(),
        [
            Field(infoPlist) { phone in
                let isRead = phone.systemCodes != nil || phone.usage != nil
                return isRead ? nil : phone.infoPlist.map { .text($0.path) }
            },
            Field(systemCodes, \.systemCodes), Field(usage, \.usage),
            Field(
                "entitlement", \.hasEntitlement, .boolean,
                "Whether the app may read tags; `false` injects `phone.missing_entitlement`.",
                standard: true, synonyms: ["entitled", "entitlements"]),
            Field(
                "nak", \.nak, .word, "How the app gets a NAK: as an error of the command or as one byte.",
                standard: .default),
            Field(
                "second_session", \.secondSession, .word,
                "Whether a session that begins while another is open ends with error 203 or waits.", standard: .default,
                synonyms: ["second", "sessions"]),
            Field(
                "time_limit", \.timeLimit, .duration, "The maximum duration of a session; then it ends with error 201.",
                standard: PhoneSpec.defaultTimeLimit, synonyms: ["timeout", "limit", "session_timeout"]),
            Field(
                "radio", \.radio, .word,
                "Whether the phone can read: `off` always injects `phone.radio_off`, `none` always injects `phone.unsupported`.",
                standard: .on, synonyms: ["nfc", "available", "reading_available"]),
            Field(cancel) { $0.cancel.map(TriggerLanguage.node) },
        ])

    static let infoPlist = TypedKey(
        "info_plist", .value(ScenarioLanguage.path),
        "The path of the app's Info.plist, which declares what the app may read.",
        synonyms: ["plist", "infoplist", "Info.plist"])
    static let systemCodes = TypedKey(
        "system_codes",
        FieldForm<[SystemCode]>.list(of: .systemCode, count: 0...maximumSystemCodes),
        "The FeliCa systems that the app declares, instead of its Info.plist. Default without both: the systems of the cards.",
        synonyms: ["systems", "systemcodes", "felica", "com.apple.developer.nfc.readersession.felica.systemcodes"])
    static let usage = TypedKey(
        "usage", .text, "The app's stated reason for reading cards, instead of the one in its Info.plist.",
        synonyms: ["NFCReaderUsageDescription", "usage_description", "purpose"])
    private static let cancel = TypedKey(
        "cancel", .value(TriggerLanguage.shape), "When the user ends the session; injects `phone.user_cancel`.",
        synonyms: ["user_cancel", "canceled", "cancelled"])

    /// Decodes the phone in a map.
    static func decode(
        _ value: ValueReader, _ names: CardNames, files: (any ReferencedFiles)?, into diagnostics: inout Diagnostics
    ) -> PhoneSpec {
        let map = value.map
        var spec = table.value(map)
        if let cancel = map[cancel] {
            spec.cancel = TriggerLanguage.decode(cancel, names, into: &diagnostics)
            for entry in spec.faults where entry.id == "phone.cancel" {
                FaultLanguage.check(entry.fault, entry.trigger, names, at: cancel, into: &diagnostics)
            }
        }
        for (key, value) in map.entries { spec.sources[key] = value.source }
        if let path = map[infoPlist] { read(path, alongside: map, files, into: &spec, &diagnostics) }
        return spec
    }

    /// Reads an Info.plist; if files are not accessible, the app's own process has it.
    private static func read(
        _ value: ValueReader, alongside map: MapReader, _ files: (any ReferencedFiles)?, into spec: inout PhoneSpec,
        _ diagnostics: inout Diagnostics
    ) {
        for entry in map.entries where [systemCodes.name, usage.name].contains(entry.name) {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`\(entry.name)` cannot be combined with `info_plist`", at: entry.value.node,
                    hint: "the file declares the value; remove one of the two"))
        }
        guard case .scalar(let path) = value.node, let base = path.written?.file.name else { return }
        spec.infoPlist = InfoPlistPath(path: path.text, file: base)
        guard let files else { return }
        let file: ReferencedFile
        do {
            file = try files.open(path.text, namedIn: base, maximumBytes: InfoPlist.maximumBytes)
        } catch {
            return diagnostics.report(error.diagnostic(path))
        }
        do {
            let declared = try InfoPlist(reading: file.bytes)
            spec.systemCodes = declared.systemCodes
            spec.usage = declared.usage
        } catch {
            diagnostics.report(
                Diagnostic(.noInfoPlist, "`\(path.text)` \(error.message)", at: path, hint: error.hint))
        }
    }
}

/// A demand on what an app shows and receives through Core NFC.
public enum PhoneDemand: Hashable, Sendable {
    /// Texts that the sheets show, in this order, with others in between. Empty for sheets without a text.
    case alerts([LocatedPattern])
    /// The end of the last session.
    case end(PhoneEnd)
    case ends([PhoneEnd])
    /// The error message with which the app ends its last session.
    case errorMessage(LinePattern)
    /// The number of sessions that the app begins.
    case sessions(IntegerRange)
    /// The number of cards reported to the app.
    case tagCount(IntegerRange)
    /// The cards reported to the app, in this order.
    case tags([String])

    /// A piece of a text and its line in the file.
    public struct LocatedPattern: Hashable, Sendable {
        public let pattern: LinePattern
        public let source: SourceReference?
    }
}

/// The expected end of a Core NFC session.
public enum PhoneEnd: Hashable, Sendable, CustomStringConvertible {
    /// Ended by the app without an error message, or after the first read.
    case wellDone
    /// Ended with an error, given by its number.
    case error(Int)

    /// The end as a phrase: `no error` or `user_canceled (200)`.
    public var description: String {
        switch self {
        case .wellDone: "no error"
        case .error(let code): Self.text(of: code)
        }
    }

    /// An error as a phrase, by its name if it has one.
    package static func text(of code: Int) -> String {
        PhoneErrorCode(rawValue: code).map { "\($0.scenarioName) (\(code))" } ?? "error \(code)"
    }

}

/// A Core NFC error, as a number or a name, or `none`.
struct PhoneEndRule: ScalarRule {
    /// The name for a session that ended without an error.
    static let wellDone = "none"
    private static let codes = 1...999

    var noun: String { "an error such as `user_canceled` or 200, or `none`" }

    func parse(_ text: String) throws(ScalarProblem) -> PhoneEnd {
        if text == Self.wellDone { return .wellDone }
        if let code = PhoneErrorCode(scenarioName: text) { return .error(code.rawValue) }
        if let number = Int(text), "\(number)" == text, Self.codes.contains(number) { return .error(number) }
        let words = PhoneErrorCode.allCases.map(\.scenarioName) + [Self.wellDone]
        throw ScalarProblem(
            .unknownWord, "cannot be `\(text)`",
            hint: Spelling.suggestion(for: text, among: words, before: "expected \(noun)"))
    }

    var schema: ScalarSchema {
        let codes = PhoneErrorCode.allCases.flatMap { [$0.scenarioName, "\($0.rawValue)"] }
        return ScalarSchema(.words([Self.wellDone] + codes), numbers: .integers(Self.codes))
    }
}

enum PhoneExpectLanguage {
    static let maximumAlerts = 1_000

    static let table = ExpectLanguage.Table(
        "an expectation on a phone",
        [
            KeyAction(
                "alerts", .variants([text, .list(of: text, count: 0...maximumAlerts)]),
                "Texts that the sheet must show, in this order, each in full or in part; `[]` for a sheet without text.",
                synonyms: ["alert", "alert_message", "alertMessage", "messages"]
            ) { decoder, value, key in
                let alerts = value.itemsOrSelf.map {
                    PhoneDemand.LocatedPattern(pattern: $0.read(LinePatternRule.self), source: $0.source)
                }
                decoder.add(key, .phone(.alerts(alerts)), at: value)
            },
            KeyAction(
                "error", .variants([end, .list(of: end, count: 1...100)]),
                "How the last session ends, or a list for all sessions; `none` if the app ends the session without an "
                    + "error.",
                synonyms: ["code", "error_code", "errors", "end"]
            ) { decoder, value, key in
                let ends = value.itemsOrSelf.map { $0.read(PhoneEndRule.self) }
                decoder.add(key, .phone(value.kind == .list ? .ends(ends) : .end(ends[0])), at: value)
            },
            KeyAction(
                "error_message", text, "Text, or part of it, with which the app invalidates the last session.",
                synonyms: ["errorMessage", "message", "invalidate"]
            ) { $0.add($2, .phone(.errorMessage($1.read(LinePatternRule.self))), at: $1) },
            KeyAction(
                "sessions", .range(0...1_000_000), "The number of sessions the app begins.", synonyms: ["session"]
            ) {
                $0.add($2, .phone(.sessions($1.range)), at: $1)
            },
            KeyAction(
                "tags", .variants([.range(0...1_000_000), .list(of: .cardName, count: 0...1_000)]),
                "The number of cards reported to the app, or their names in order.",
                synonyms: ["cards", "detected", "found"]
            ) { decoder, value, key in
                let isList = value.kind == .list
                let demand: PhoneDemand =
                    isList ? .tags(value.items.map { decoder.card($0) }) : .tagCount(value.range)
                decoder.add(key, .phone(demand), at: value)
            },
        ])

    private static let text = Shape.scalar(LinePatternRule())
    private static let end = Shape.scalar(PhoneEndRule())
}
