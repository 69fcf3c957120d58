import ScenarioSupport
import TapDocument
import TapField
import TapScenario
import TapWire
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `The phone of a scenario` {
    static let head = "format: 1\ncards: {tag: {ic: NTAG215}}\n"
    static let plist = """
        <plist><dict><key>NFCReaderUsageDescription</key><string>To read cards</string>
        <key>com.apple.developer.nfc.readersession.felica.systemcodes</key><array><string>0003</string></array></dict></plist>
        """

    private func cases(_ text: String, _ others: (name: String, text: String)...) throws -> [ScenarioCase] {
        let loaded = LoadedScenario([("main.yaml", Self.head + text)] + others)
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics.text())")
        return try #require(loaded.scenario).cases
    }

    @Test func `has no values that the file does not set`() throws {
        #expect(try cases("").first?.phone == nil)
        let phone = try #require(try cases("phone: {}").first?.phone)
        #expect(phone == PhoneSpec() && phone.systemCodes == nil && phone.usage == nil && phone.timeLimit == nil)
    }

    @Test func `has declarations and policies that a case can override individually`() throws {
        let all = try cases(
            """
            phone: {system_codes: ["0003", FE00], usage: Reads, nak: byte, second_session: queue, time_limit: 5s}
            cases: [{name: a}, {name: b, phone: {system_codes: [], nak: error, radio: "on"}}]
            """)
        let (first, second) = (try #require(all[0].phone), try #require(all[1].phone))
        #expect(first.systemCodes == [SystemCode(3), SystemCode(0xFE00)] && first.usage == "Reads")
        #expect(first.nak == .byte && first.secondSession == .queue && first.timeLimit == .seconds(5))
        #expect(second.systemCodes == [] && second.nak == .error && second.radio == .on)
        #expect(second.usage == "Reads" && second.secondSession == .queue && second.timeLimit == .seconds(5))
        #expect(all.allSatisfy { $0.plan.isEmpty })
    }

    @Test func `has shortcuts for faults, added after the faults of the file`() throws {
        let test = try #require(
            try cases(
                """
                faults: [{when: ntag.read, do: rf.silence}]
                phone:
                  entitlement: false
                  radio: none
                  cancel: {phone: connected, nth: 2}
                """
            ).first)
        let entries = test.plan.entries
        #expect(
            entries.map(\.fault.kind.name)
                == ["rf.silence", "phone.missing_entitlement", "phone.unsupported", "phone.user_cancel"])
        #expect(
            entries.dropFirst().map(\.trigger.event)
                == [.phone(.began), .phone(.available), .phone(.connected)])
        #expect(entries.dropFirst().map(\.times) == [.always, .always, .once])
        #expect(entries.last?.trigger.nth == 2)
        #expect(entries.dropFirst().map(\.id) == ["phone.entitlement", "phone.radio", "phone.cancel"])
        #expect(entries.map(\.source?.line) == [3, 5, 6, 7])
        #expect(test.disturbed(by: FaultPlan()).phone == PhoneSpec())
    }

    @Test func `takes its declarations from an Info.plist, and inlines them when resolved`() throws {
        let test = try #require(
            try cases("phone: {info_plist: app/Info.plist}", ("app/Info.plist", Self.plist)).first)
        let phone = try #require(test.phone)
        #expect(phone.infoPlist == InfoPlistPath(path: "app/Info.plist", file: "main.yaml"))
        #expect(phone.systemCodes == [SystemCode(3)] && phone.usage == "To read cards")
        #expect(test.resolved["phone"] == ["system_codes": ["0003"], "usage": "To read cards"])
        #expect(test.resolvedText.contains("# app/Info.plist, main.yaml:3"))
    }

    @Test func `keeps the path of an Info.plist if files are not accessible`() {
        var diagnostics = Diagnostics()
        let file = SourceFile(
            name: "a.json",
            text: #"{"format": 1, "cards": {"tag": {"ic": "NTAG215"}}, "phone": {"info_plist": "Info.plist"}}"#)
        let test = ScenarioLoader(reader: JSONReader()).load(file, into: &diagnostics)?.cases.first
        #expect(diagnostics.isEmpty)
        #expect(test?.phone?.infoPlist == InfoPlistPath(path: "Info.plist", file: "a.json"))
        #expect(test?.phone?.systemCodes == nil)
        #expect(test?.resolved["phone"] == ["info_plist": "Info.plist"])
    }

    @Test func `reports errors in an Info.plist at its path`() {
        let loaded = LoadedScenario([
            ("main.yaml", Self.head + "phone: {info_plist: a.plist}"), ("a.plist", "{\"a\": 1}"),
        ])
        #expect(loaded.diagnostics.found.map(\.code) == [.noInfoPlist])
        #expect(loaded.diagnostics.text().contains("`a.plist` is not an XML property list"))
    }

    @Test func `is inherited from the extended scenario, relative to that scenario's folder`() throws {
        let test = try #require(
            try cases(
                "extends: base/base.yaml\nphone: {nak: byte}",
                ("base/base.yaml", "format: 1\nphone: {info_plist: Info.plist, nak: error, time_limit: 9s}"),
                ("base/Info.plist", Self.plist)
            ).first)
        #expect(test.phone?.nak == .byte && test.phone?.timeLimit == .seconds(9))
        #expect(test.phone?.systemCodes == [SystemCode(3)] && test.phone?.infoPlist?.file == "base/base.yaml")
    }

    @Test func `has expectations that are dropped if no phone reads the cards`() throws {
        let test = try #require(
            try cases("expect: {counts: {ntag.read: 0}, phone: {alerts: x, sessions: 1}, client: {exit: 0}}").first)
        let run = test.withoutPhone()
        #expect(run.expectations.items.map(\.path) == ["expect.counts  ntag.read", "expect.client.exit"])
        #expect(run.droppedExpectations.map(\.key) == ["expect.phone.alerts", "expect.phone.sessions"])
        #expect(
            run.droppedExpectations.lines == [
                "not judged, since no app reads the cards on a phone: expect.phone.alerts, expect.phone.sessions"
            ])
        #expect(run.resolved["expect"] == ["counts": ["ntag.read": 0], "client": ["exit": 0]])
        let app = test.judgingFieldAlone(hasPhone: true)
        #expect(
            app.expectations.items.map(\.path)
                == ["expect.counts  ntag.read", "expect.phone.alerts", "expect.phone.sessions"])
        #expect(test.judgingFieldAlone().expectations.items.map(\.path) == ["expect.counts  ntag.read"])
    }

    @Test(arguments: [
        ("faults: [{when: {phone: connected}, do: phone.background}]", "faults", "main.yaml:4: `phone.background`"),
        ("faults: [{when: {phone: connected}, do: rf.silence}]", "faults", "main.yaml:4: `rf.silence`"),
        ("faults: [{when: ntag.read, do: phone.time_limit}]", "faults", "main.yaml:4: `phone.time_limit`"),
        ("phone: {radio: \"off\"}", "faults", "main.yaml:4: `phone.radio_off`"),
        (
            "timeline: [{tap: tag}, {when: {phone: call}, remove: tag}]", "timeline",
            "main.yaml:4: the step never happens"
        ),
    ])
    func `is required by phone events and faults`(text: String, key: String, description: String) throws {
        let test = try #require(try cases("client: {builtin: dump}\n" + text).first)
        let obstacle = try #require(test.obstacle(to: .builtin))
        #expect(obstacle.key.rawValue == key)
        #expect(obstacle.text.hasPrefix(description))
        #expect(test.obstacle(to: .app) == nil)
    }

    @Test func `is not required by its declarations`() throws {
        let test = try #require(try cases("phone: {system_codes: [FE00], nak: byte, time_limit: 1s}").first)
        #expect(test.obstacle(to: .builtin) == nil)
    }
}
