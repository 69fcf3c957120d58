import TapField
import TapWire

/// The keys of `phone`: the iPhone on which an app reads the cards with Core NFC.
enum PhoneLanguage {
    /// Most system codes that an app declares.
    static let maximumSystemCodes = 64

    static let shape = Shape.map(table)

    private static let table = KeyTable(
        "a phone",
        [
            Key(
                "info_plist", ScenarioLanguage.path, "The Info.plist of the app, which declares what it may read.",
                synonyms: ["plist", "infoplist", "Info.plist"]),
            Key(
                "system_codes",
                .list(of: .code("a system code", known: KnownCodes.systems), count: 0...maximumSystemCodes),
                "The FeliCa systems the app declares, in place of its Info.plist; without both those of the cards count.",
                synonyms: [
                    "systems", "systemcodes", "felica", "com.apple.developer.nfc.readersession.felica.systemcodes",
                ]),
            Key(
                "usage", .text, "What the app says it reads cards for, in place of its Info.plist.",
                synonyms: ["NFCReaderUsageDescription", "usage_description", "purpose"]),
            Key(
                "entitlement", .boolean,
                "Whether the app may read tags; `false` stands for `phone.missing_entitlement`.",
                standard: "true", synonyms: ["entitled", "entitlements"]),
            Key(
                "nak", .word(PhoneSpec.NAKDelivery.self),
                "Whether a NAK fails the app's command or comes as one byte.", standard: "error"),
            Key(
                "second_session", .word(PhoneSpec.SecondSession.self),
                "Whether a session beside an open one ends with 203 or waits.", standard: "busy",
                synonyms: ["second", "sessions"]),
            Key(
                "time_limit", .duration, "How long a session may be open; then it ends with 201.", standard: "60s",
                synonyms: ["timeout", "limit", "session_timeout"]),
            Key(
                "radio", .word(PhoneSpec.Radio.self),
                "Whether the phone reads: `off` stands for `phone.radio_off`, `none` for `phone.unsupported`, always.",
                standard: "on", synonyms: ["nfc", "available", "reading_available"]),
            Key(
                "cancel", TriggerLanguage.shape, "When a person ends the session; stands for `phone.user_cancel`.",
                synonyms: ["user_cancel", "canceled", "cancelled"]),
        ])

    /// The phone that a map states.
    static func decode(
        _ value: ValueReader, _ names: CardNames, files: (any CompanionFiles)?, into diagnostics: inout Diagnostics
    ) -> PhoneSpec {
        let map = value.map
        var spec = PhoneSpec()
        spec.systemCodes = map["system_codes"]?.items.map { SystemCode($0.code) }
        spec.usage = map["usage"]?.text
        spec.hasEntitlement = map["entitlement"]?.boolean
        spec.nak = map["nak"]?.word()
        spec.secondSession = map["second_session"]?.word()
        spec.timeLimit = map["time_limit"]?.duration
        spec.radio = map["radio"]?.word()
        if let cancel = map["cancel"] {
            spec.cancel = TriggerLanguage.decode(cancel, names, into: &diagnostics)
            for entry in spec.faults where entry.id == "phone.cancel" {
                FaultLanguage.check(entry.fault, entry.trigger, names, at: cancel, into: &diagnostics)
            }
        }
        for (key, value) in map.entries { spec.sources[key] = value.source }
        if let path = map["info_plist"] { read(path, beside: map, files, into: &spec, &diagnostics) }
        return spec
    }

    /// Reads what an Info.plist declares; where files cannot be reached, whoever runs the app has it.
    private static func read(
        _ value: ValueReader, beside map: MapReader, _ files: (any CompanionFiles)?, into spec: inout PhoneSpec,
        _ diagnostics: inout Diagnostics
    ) {
        for key in ["system_codes", "usage"] {
            guard let other = map[key] else { continue }
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`\(key)` cannot stand beside `info_plist`", at: other.node,
                    hint: "the file declares it; keep one of the two"))
        }
        guard case .scalar(let path) = value.node, let base = path.written?.file.name else { return }
        spec.infoPlist = InfoPlistPath(path: path.text, file: base)
        guard let files else { return }
        let file: CompanionFile
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
