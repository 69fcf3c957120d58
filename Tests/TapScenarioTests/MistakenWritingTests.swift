import ScenarioSupport
import TapDocument
import TapScenario
import TapYAML
import Testing

/// Mistakes of people who are new to the language, and the suggested fixes.
@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Common beginner mistakes` {
    private func errors(_ text: String) -> String {
        LoadedScenario("format: 1\n\(text)\n").diagnostics.text()
    }

    @Test(arguments: [
        ("client: ./kiosk", "write `{run: [./kiosk]}`"), ("client: [./kiosk, -v]", "write `{run: [./kiosk, \"-v\"]}`"),
        ("client: python3 x.py --once", "write `{run: [python3, x.py, \"--once\"]}`"),
        ("client: ndef", "write `{builtin: ndef}`"),
        (
            "cards: {a: {template: ndef, ndef: \"https://example.com/t/1\"}}",
            "write `[{uri: \"https://example.com/t/1\"}]`"
        ),
        ("cards: {a: {template: ndef, ndef: hello}}", "write `[{text: \"hello\"}]`"),
        ("cards: {a: {template: ndef, ndef: [\"tel:+81312345678\"]}}", "write `{uri: \"tel:+81312345678\"}`"),
        ("cards: {a: {template: ndef, ndef: {uri: \"https://a.example\"}}}", "write it as an item of a list"),
        ("cards: {a: {template: ndef, ndef: D1010}}", "a byte has two digits"),
        ("client: {run: \"python kiosk.py --once\"}", "write `[python, kiosk.py, \"--once\"]`"),
        ("faults: [rf.lose_tag]", "write `{when: {command: felica.read, nth: 1}, do: rf.lose_tag}`"),
        ("cards: suica", "write `{tag: {template: suica}}`"), ("cards: {a: suica}", "write `{template: suica}`"),
        ("cards: {a: {template: suica, balance: -5}}", "`balance` is negative"),
        ("cards: {a: {template: ndef, uri: \"https://a.example\"}}", "did you mean `uri` in an item of `ndef`?"),
        ("cards: {a: {template: “suica”}}", "remove the typographic quotes; did you mean `suica`?"),
        ("cards: {a: {template: suica}}\nreader: pasori", "did you mean `rc-s380`, `rc-s300` or `rc-s330`?"),
        ("cards: {a: {template: suica}}\nreader: RC-S620/S", "did you mean `rc-s330`?"),
        (
            "cards: {a: {template: suica}}\nclient: {run: [./kiosk, \"{NFCPY}\"]}",
            "there is no placeholder `{NFCPY}`"
        ),
        ("cards:\n  a:\n    template:suica", "write `template: suica`, with a space after the colon"),
    ])
    func `are reported with the correct spelling`(_ text: String, _ hint: String) {
        #expect(errors(text).contains(hint), "\(errors(text))")
    }

    @Test(arguments: [
        "timeline: [{at: 10, tap: a}]", "timeline: [{after: 10, tap: a}]", "settings: {limits: {wall: 10}}",
        "client: {run: [./a], kill_after: 10}", "expect: {client: {within: 10}}",
        "settings: {limits: {idle: 10}}",
        "faults: [{when: {command: felica.read, nth: 1}, do: {rf.lose_tag: {back_in: 10}}}]",
    ])
    func `include durations without a unit`(_ text: String) {
        let found = errors("cards: {a: {template: suica}}\n\(text)")
        #expect(found.contains("is not a duration"), "\(found)")
        #expect(found.contains("the unit is ns, us, ms or s: `10ms` or `10s`"), "\(found)")
    }

    @Test(arguments: [
        ("cards:\n  a:\n    template: suica\n    balance： 1000", "write `: `, with a space"),
        ("cards:\n  a:\n    template: suica\n    balance：1000", "a full-width colon instead of `:`"),
        ("cards：\n  a: {template: suica}", "a full-width colon instead of `:`"),
        ("cards:\n  a: {template: suica， balance: 100}", "a full-width comma instead of `,`"),
        ("cards:\n  a: ｛template: suica｝", "a full-width bracket instead of `{`"),
        (
            "cards:\n  a:\n    template: suica\n    balance:　1000",
            "an ideographic space (U+3000) instead of a space"
        ),
        ("cards:\n  a:\n　　template: suica", "an ideographic space (U+3000) instead of a space"),
        ("cards:\n  suica：{template: suica}", "`：` is a full-width colon"),
        ("cards:\n  スイカ: {template: suica}", "`ス` is not a letter from a to z; write `suika`"),
        ("cards:\n  残高: {template: suica}", "starts with a letter from a to z"),
        ("cards:\n  a: {template: スイカ}", "did you mean `suica`?"),
        ("cards:\n  a: {template: パスモ}", "did you mean `pasmo`?"),
        ("cards:\n  a: {template: suica, balance: １０００}", "`１` is a full-width digit; write `1000`"),
        ("cards:\n  a: {ｔｅｍｐｌａｔｅ: suica}", "`ｔ` is a full-width letter; write `template`"),
        ("cards:\n  a: {template: “suica”}", "did you mean `suica`?"),
        ("settings: {limits: {wall: ３s}}", "`３` is a full-width digit; write `3s`"),
    ])
    func `include characters from a Japanese keyboard`(_ text: String, _ hint: String) {
        let found = errors(text)
        #expect(found.contains(hint), "\(found)")
    }

    @Test(arguments: [
        "title: 駅：改札　１番線", "title: \"“a”\"", "x-note: ｛｝", "cards: {a: {template: ndef, ndef: [{text: 改札：１}]}}",
    ])
    func `do not include other alphabets in texts`(_ text: String) {
        let body = text.hasPrefix("cards") ? text : "\(text)\ncards: {a: {template: suica}}"
        #expect(errors(body).isEmpty, "\(errors(body))")
    }
}
