import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import TapYAML
import Testing

/// Lists of stations, and scenarios that name stations.
@Suite struct `Names of stations` {
    private static let own = "area,line,station,name,line_name,company\n0,1,204,渋谷,山手,JR東日本\n2,129,9,梅田,御堂筋,大阪市\n"
    /// Lists with the columns of public lists, other codes and more columns.
    private static let lists = [
        own,
        "\u{FEFF}AreaCode,LineCode,StationCode,CompanyName,LineName,StationName,Note\r\n0,1,204,JR東日本,山手,渋谷,\r\n"
            + "2,129,9,大阪市,御堂筋,梅田,\"a, \"\"b\"\"\"\r\n",
        "地区コード(16進),線区コード(16進),駅順コード(16進),会社名,線区名,駅名,備考\n0,1,CC,JR東日本,山手,渋谷,\n2,81,9,大阪市,御堂筋,梅田,\n0,1,CD,x,y,,\n",
    ]

    private func names(_ text: String) throws -> StationNames { try StationList.read(Array(text.utf8)) }

    @Test(arguments: lists) func `are read from our own and from public lists`(text: String) throws {
        let names = try names(text)
        let shibuya = StationNames.Place(area: 0, code: StationCode(0x01CC))
        let umeda = StationNames.Place(area: 2, code: StationCode(0x8109))
        #expect(names.place(named: "渋谷") == shibuya && names.place(named: "山手 渋谷") == shibuya)
        #expect(names.place(named: "大阪市 御堂筋 梅田") == umeda && names.place(named: "山手 梅田") == nil)
        #expect(names.name(of: umeda.code, area: nil) == "梅田" && names.name(of: umeda.code, area: 0) == nil)
        #expect(names.named("from \"001-204\" to 129-009.") == "from \"001-204 渋谷\" to 129-009 梅田.")
        #expect(names.named("2026-001-204, 001-2045") == "2026-001-204, 001-2045")
    }

    @Test(arguments: [
        ("", "the header lacks the column `area`, `line`, `station` or `name`"),
        ("area,line,station,name\n", "no station"),
        ("area,line,station,name\n0,1,2,a\n0,1\n", "line 3: the row has no `station`"),
        ("area,line,station,name\n4,1,2,a\n", "line 2: `area` is `4`"),
        ("area,line,station,name\n0,0x1,2,a\n", "line 2: `line` is `0x1`"),
        ("area,line,station,name\n0,1,2,\"a\n", "line 2: a quote is not closed"),
        (String(repeating: "\n", count: 50_001), "more than 50000 rows"),
    ])
    func `report errors in a list`(text: String, message: String) throws {
        let problem = #expect(throws: StationList.Problem.self) { try names(text) }
        #expect(problem?.description.contains(message) == true, "\(problem?.description ?? "")")
    }

    @Test func `explain how to convert a list that is not UTF-8`() {
        let problem = #expect(throws: StationList.Problem.self) { try StationList.read([0x8F, 0x61, 0x92, 0x4A]) }
        #expect(problem?.description.contains("iconv") == true)
    }

    @Test func `replace codes in histories, and imply their area`() throws {
        let text = """
            format: 1
            cards:
              suica:
                template: suica
                history:
                  - {kind: fare-gate, from: 渋谷, to: 御堂筋 梅田, balance: 3120}
                  - {kind: fare-gate, from: 梅田, to: "129-009", balance: 3330}
                gates: [{event: entry, station: 梅田}]
            """
        var diagnostics = Diagnostics()
        let loader = ScenarioLoader(reader: YAMLReader(), .init(stations: try names(Self.own)))
        let scenario = loader.load(SourceFile(name: "named.yaml", text: text), into: &diagnostics)
        #expect(diagnostics.isEmpty, "\(diagnostics.found)")
        let card = try #require(scenario?.cases.first?.cards.first?.definition)
        let engine = try #require(card.makeEngine() as? FeliCaCard)
        let history = try (0..<2).map { index in
            TransitHistoryRecord(
                try #require(engine.block(index, of: TransitServices.history.code, in: .transit)))
        }
        #expect(history.map(\.place.description) == ["001-204 to 129-009", "129-009 to 129-009"])
        #expect(history.map(\.region) == [0x00, 0x80])
    }
}
