import ScenarioSupport
import TapDocument
import TapField
import TapScenario
import TapWire
import TapYAML
import Testing

/// A decoder of the sample language: short, typed, without an error path.
@Suite struct `Decoding a checked document` {
    struct Card: Equatable {
        var name: String
        var idm: [UInt8]?
        var services: [UInt16: Int]
        var systems: [UInt16]
        var issued: String?
        var protection: SampleLanguage.Protection

        init(_ name: String, _ map: MapReader) {
            self.name = name
            idm = map["idm"]?.bytes
            services = map["services"]?.named.reduce(into: [:]) { $0[$1.name.code] = $1.value.items.count } ?? [:]
            systems = map["systems"]?.items.map(\.code) ?? []
            issued = map["issued"]?.date.description
            protection = map["config"]?.map["prot"]?.word() ?? .write
        }
    }

    indirect enum Step: Equatable {
        case tap(String, after: Duration)
        case swap(out: String, in: String, gap: Duration)
        case repeats([Step])

        init(_ map: MapReader) {
            switch map.chosen(as: SampleLanguage.Verb.self) {
            case (.tap, let value):
                self = .tap(value.text, after: map["after"]?.duration ?? map["at"]?.duration ?? .zero)
            case (.swap, let value):
                let swap = value.map
                self = .swap(
                    out: swap.required("out").text, in: swap.required("in").text, gap: swap["gap"]?.duration ?? .zero)
            case (.repeats, let value):
                self = .repeats(value.items.map { Step($0.map) })
            }
        }
    }

    struct Fault: Equatable {
        enum Action: String {
            case loss = "rf.lose_tag"
            case delay = "rf.delay"
        }

        var times: IntegerRange
        var action: Action
        var delay: TimeAmount?

        init(_ map: MapReader) {
            times = map["times"]?.range ?? IntegerRange(1, through: 1)
            let value = map.required("do")
            if value.kind == .scalar {
                action = value.word()
            } else {
                let chosen = value.map.chosen(as: Action.self)
                action = chosen.choice
                delay = chosen.choice == .delay ? chosen.value.timeAmount : nil
            }
        }
    }

    struct File: Equatable {
        var cards: [Card]
        var steps: [Step]
        var faults: [Fault]
        var arguments: [String]
        var skipped: [String]
        var result: Node?

        init(_ map: MapReader) {
            cards = map["cards"]?.named.map { Card($0.name.text, $0.value.map) } ?? []
            steps = map["timeline"]?.items.map { Step($0.map) } ?? []
            faults = map["faults"]?.items.map { Fault($0.map) } ?? []
            let client = map["client"]
            arguments = client?.kind == .map ? client?.map["run"]?.items.map(\.text) ?? [] : []
            skipped =
                map["cases"]?.items.map(\.map).filter { $0["skip"]?.boolean == true }.map { $0.required("name").text }
                ?? []
            result = map["result"]?.node
        }
    }

    static let yaml = """
        format: 1
        params: {idm: "01 02 03 04 05 06 07 08", gap: 30ms}
        cards:
          suica:
            idm: "${params.idm}"
            systems: ["0003", FE00]
            services: {"090F": [], "00 8B": ["00112233445566778899AABBCCDDEEFF"]}
            issued: 2026-11-18
          tag: {config: {prot: read_write}}
        timeline:
          - {tap: suica, after: 1.5s}
          - {at: 21ms, tap: tag}
          - repeat:
              - swap: {out: suica, in: tag, gap: "${params.gap}"}
        faults:
          - {when: felica.read, times: 2.., do: {rf.delay: 90%}}
          - {when: felica.read, do: rf.lose_tag}
        client: {run: [./reader, "{nfcpy}", "a${b}"]}
        result: {"/trips/length": 20}
        cases:
          - {name: one, skip: true}
          - name: two
        """

    @Test(.enabled(if: YAMLReader.isAvailable))
    func `returns typed values`() throws {
        let document = SampleDocument("a.yaml", Self.yaml)
        #expect(document.diagnostics.isEmpty)
        let file = File(try #require(document.map))
        #expect(file.cards.map(\.name) == ["suica", "tag"])
        #expect(file.cards.map(\.idm) == [[1, 2, 3, 4, 5, 6, 7, 8], nil])
        #expect(file.cards.map(\.services) == [[0x090F: 0, 0x008B: 1], [:]])
        #expect(file.cards.map(\.systems) == [[0x0003, 0xFE00], []])
        #expect(file.cards.map(\.issued) == ["2026-11-18", nil])
        #expect(file.cards.map(\.protection) == [.write, .readWrite])
        let steps: [Step] = [
            .tap("suica", after: .milliseconds(1_500)), .tap("tag", after: .milliseconds(21)),
            .repeats([.swap(out: "suica", in: "tag", gap: .milliseconds(30))]),
        ]
        #expect(file.steps == steps)
        #expect(file.faults.map(\.action) == [.delay, .loss])
        #expect(file.faults.map(\.delay) == [.percent(90), nil])
        #expect(file.faults.map(\.times) == [IntegerRange(2, through: nil), IntegerRange(1, through: 1)])
        #expect(file.arguments == ["./reader", "{nfcpy}", "a${b}"])
        #expect(file.skipped == ["one"])
        #expect(file.result?["/trips/length"]?.text == "20")
    }

    @Test(.enabled(if: YAMLReader.isAvailable))
    func `returns the same values from JSON written from the tree`() throws {
        let first = SampleDocument("a.yaml", Self.yaml)
        let json = JSONWriter.text(try #require(first.node), .pretty)
        let second = SampleDocument("a.json", json)
        let one = File(try #require(first.map))
        var two = File(try #require(second.map))
        #expect(second.diagnostics.isEmpty)
        #expect(two.result?["/trips/length"] == "20")
        two.result = one.result
        #expect(one == two)
    }

    @Test func `requires a check without errors`() {
        var diagnostics = Diagnostics()
        #expect(SampleLanguage.file.read(["format": 2], into: &diagnostics) == nil)
        #expect(SampleLanguage.file.read(["format": 1], into: &diagnostics) != nil)
    }

    @Test func `traps if code asks for a key that is not in the table`() async {
        await #expect(processExitsWith: .failure) {
            var diagnostics = Diagnostics()
            _ = SampleLanguage.file.read(["format": 1], into: &diagnostics)?["fromat"]
        }
        await #expect(processExitsWith: .failure) {
            var diagnostics = Diagnostics()
            _ = SampleLanguage.file.read(["format": 1], into: &diagnostics)?.required("format").duration
        }
    }

    @Test func `supports custom rules`() throws {
        struct Station: ScalarRule {
            var noun: String { "a station such as `001-230`" }
            var schema: ScalarSchema { ScalarSchema(.pattern("[0-9]{3}-[0-9]{3}")) }
            func parse(_ text: String) throws(ScalarProblem) -> (line: Int, station: Int) {
                let parts = text.split(separator: "-").compactMap { Int($0) }
                guard parts.count == 2 else { throw ScalarProblem(.unknownWord, "is no station", hint: noun) }
                return (parts[0], parts[1])
            }
        }
        let table = KeyTable("a trip", [Key("from", .scalar(Station()), "The station.", isRequired: true)])
        var diagnostics = Diagnostics()
        let from = try #require(table.read(["from": "001-230"], into: &diagnostics)).required("from").read(Station.self)
        #expect(from == (1, 230))
        #expect(table.read(["from": "x"], into: &diagnostics) == nil)
    }
}
