import FuzzSupport
import TapDocument
import TapSystem
import TapField
import TapJudge
import TapScenario
import TapWire

@testable import TapServe

/// The socket on which programs and people control a field: requests as lines of JSON.
struct SteeredSession: TransportSession {
    private static let scenarioCase: ScenarioCase = {
        let text = """
            {"format": 1, "cards": {"badge": {"template": "ndef"}, "tag": {"template": "ndef"}},
             "timeline": [{"tap": "badge"}], "settings": {"clock": "virtual"}}
            """
        var diagnostics = Diagnostics()
        let node = JSONReader().read(SourceFile(name: "steered.json", text: text), into: &diagnostics)
        let scenario = node.flatMap { ScenarioLoader.scenario(from: $0, file: "steered.json", into: &diagnostics) }
        guard let scenarioCase = scenario?.cases.first else { fatalError("\(diagnostics.sorted.map(\.message))") }
        return scenarioCase
    }()

    private var lines = LineBuffer(maximumLength: ControlServer.maximumLineLength)
    /// Created with the first bytes, since sessions are copied and a field is shared.
    private var field: SteeredField?

    static func message(_ choices: inout Choices) -> [UInt8] {
        let card = choices.pick(["badge", "tag", "nobody", ""])
        let simple = [
            #"{"remove": {}}"#, #"{"reset": {}}"#, #"{"status": {}}"#, #"{"plug": {}}"#, #"{"stop": {}}"#,
            #"{"phone": {"radio": "off"}}"#,
        ]
        let request =
            switch choices.number(below: 7) {
            case 0: #"{"tap": "\#(card)"}"#
            case 1: #"{"remove": "\#(card)"}"#
            case 2: #"{"swap": {"out": "\#(card)", "in": "tag", "gap": "\#(choices.byte())ms"}}"#
            case 3: #"{"set": {"card": "\#(card)", "values": {"uid": "\#(Hex.text(choices.counted(below: 9)))"}}}"#
            case 4: #"{"journal": {"last": \#(choices.byte())}}"#
            case 5: #"{"verify": {"never": ["felica.write"], "counts": {"felica.read": "0..\#(choices.byte())"}}}"#
            default: choices.pick(simple)
            }
        return Array((request + "\n").utf8)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool {
        let field = field ?? Self.makeField()
        self.field = field
        lines.append(bytes)
        while let line = lines.next() {
            let (answer, _) = FieldService.answer(line, field)
            expect(
                answer["ok"]?.text == "true" ? answer["result"] != nil : answer["error"]?.text?.isEmpty == false,
                "\(line) is carried out or refused with a sentence")
            sent += Array((JSONWriter.text(answer) + "\n").utf8)
        }
        return true
    }

    private static func makeField() -> SteeredField {
        let scenarioCase = scenarioCase
        return SteeredField(
            scenarioCase, on: scenarioCase.makeHost(observer: nil), usedBy: Nobody(),
            reproduceCommand: ["tapsim", "serve"]
        ) {
            scenarioCase.makeTransportWorld(observer: nil)
        }
    }
}

/// A user without programs or a phone.
private struct Nobody: FieldUser {
    var status: (rows: [[String]], status: UserStatus) { ([], UserStatus()) }
    var hasPhone: Bool { false }

    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer {
        throw ControlRefusal("there is no such thing here")
    }

    func cardsHaveMoved() {}
    func fieldHasRestarted() {}
    func record(of world: World) -> RunRecord { RunRecord(world: world, client: ClientReport(end: .elsewhere)) }
}
