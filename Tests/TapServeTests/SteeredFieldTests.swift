import ScenarioSupport
import TapDocument
import TapHost
import TapSystem
import TapField
import TapJudge
import TapScenario
import TestSupport
import Testing

@testable import TapServe

/// A user of a field that records its notifications.
private final class NotingUser: FieldUser {
    private let notes = Lock<[String]>([])

    var status: (rows: [[String]], status: UserStatus) { ([], UserStatus()) }
    var hasPhone: Bool { false }

    func take() -> [String] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }

    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer {
        throw ControlRefusal("this user has no such thing")
    }

    func cardsHaveMoved() { notes.withLock { $0.append("moved") } }
    func fieldHasRestarted() { notes.withLock { $0.append("restarted") } }
    func record(of world: World) -> RunRecord { RunRecord(world: world, client: ClientReport(end: .elsewhere)) }
}

/// A field with a FeliCa card on the reader and a tag that is away, and its control socket.
private final class ServedCards {
    let user = NotingUser()
    let host: FieldHost
    private let service: FieldService
    private let client: ControlClient
    private let wasStopped: Lock<Bool>

    init() throws {
        let text = """
            {"format": 1, "cards": {"suica": {"template": "suica"}, "tag": {"template": "ndef"}},
             "timeline": [{"tap": "suica"}]}
            """
        var diagnostics = Diagnostics()
        let node = try #require(JSONReader().read(SourceFile(name: "test.json", text: text), into: &diagnostics))
        let scenario = ScenarioLoader.scenario(from: node, file: "test.json", into: &diagnostics)
        let test = try #require(scenario?.cases.first, "\(diagnostics.sorted.map(\.message))")
        let host = test.makeHost(observer: nil)
        let stopped = Lock(false)
        self.host = host
        wasStopped = stopped
        let field = SteeredField(test, on: host, usedBy: user, reproduceCommand: ["tapsim", "serve"]) {
            test.makeTransportWorld(observer: nil)
        }
        service = try FieldService(field) { _ in stopped.withLock { $0 = true } }
        client = try ControlClient(to: service.path)
    }

    deinit {
        service.close()
        host.close()
    }

    var isStopped: Bool { wasStopped.withLock { $0 } }

    var present: [String] { host.snapshot.cards.filter(\.isPresent).map(\.name) }

    /// The answer to a request.
    func ask(_ request: String) throws -> Node {
        let answer = client.ask(request)
        let line = try #require(answer)
        var diagnostics = Diagnostics()
        return try #require(JSONReader().read(SourceFile(name: "answer", text: line), into: &diagnostics))
    }
}

@Suite(.timeLimit(.minutes(20))) struct `A field with a control socket` {
    @Test func `taps, removes and swaps cards, and notifies its user`() throws {
        let cards = try ServedCards()
        #expect(cards.present == ["suica"])
        #expect(try cards.ask(#"{"tap": "tag"}"#)["result"]?["tapped"]?[0]?.text == "tag")
        #expect(cards.present == ["suica", "tag"])
        #expect(try cards.ask(#"{"remove": "suica"}"#)["result"]?["removed"]?[0]?.text == "suica")
        #expect(cards.present == ["tag"])
        #expect(cards.user.take() == ["moved", "moved"])
        #expect(try cards.ask(#"{"remove": "suica"}"#)["text"]?[0]?.text == "suica is not on the reader")
    }

    @Test func `rejects an impossible request without changing anything`() throws {
        let cards = try ServedCards()
        let answer = try cards.ask(#"{"swap": {"out": "tag", "in": "suica"}}"#)
        #expect(answer["ok"]?.text == "false")
        #expect(answer["error"]?.text?.isEmpty == false)
        #expect(cards.present == ["suica"])
        #expect(cards.user.take().isEmpty)
    }

    @Test(arguments: ["", "{", "[]", #"{"tapp": "tag"}"#, #"{"tap": "nobody"}"#, #"{"tap": 1, "remove": {}}"#])
    func `answers an invalid request with an error message`(line: String) throws {
        let answer = try ServedCards().ask(line)
        #expect(answer["ok"]?.text == "false")
        #expect(answer["error"]?.text?.isEmpty == false)
    }

    @Test func `returns to its initial state after a reset`() throws {
        let cards = try ServedCards()
        _ = try cards.ask(#"{"tap": "tag"}"#)
        _ = cards.user.take()
        #expect(try cards.ask(#"{"reset": {}}"#)["ok"]?.text == "true")
        #expect(cards.user.take() == ["restarted"])
        #expect(cards.present == ["suica"])
    }

    private static let requests = [
        #"{"tap": "tag"}"#, #"{"tap": "suica"}"#, #"{"remove": "suica"}"#, #"{"remove": {}}"#,
        #"{"swap": {"out": "suica", "in": "tag", "gap": "5ms"}}"#,
        #"{"set": {"card": "suica", "values": {"balance": 500, "trips": 3}}}"#,
        #"{"set": {"card": "tag", "values": {"uid": "04A1B2C3D4E580"}}}"#, #"{"reset": {}}"#,
        #"{"journal": {"last": 5}}"#, #"{"verify": {"never": ["felica.write"], "counts": {"felica.read": "0..3"}}}"#,
        #"{"status": {}}"#, #"{"plug": {}}"#, #"{"unplug": {}}"#, #"{"phone": {"radio": "off"}}"#,
        #"{"keep": {"because": "it failed", "of": "a test"}}"#, #"{"stop": {"linger": true}}"#,
    ]

    @Test func `answers every request, and can always be reset`() throws {
        let cards = try ServedCards()
        let before = try cards.ask(#"{"status": {}}"#)["result"]
        var requests = Mutations(seed: TestSeed.value, "requests", of: Self.requests)
        for round in 0..<600 {
            let damaged = String(decoding: requests.next(), as: UTF8.self)
            let text = round % 3 == 0 ? Self.requests[round / 3 % Self.requests.count] : damaged
            // A request is one line.
            let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
            let answer = try cards.ask(line)
            let isCarriedOut = answer["ok"]?.text == "true"
            #expect(isCarriedOut || answer["error"]?.text?.isEmpty == false, "seed \(TestSeed.value): \(line)")
            // Regardless of earlier requests, these two are possible.
            let isPossible = [#"{"status": {}}"#, #"{"reset": {}}"#].contains(line)
            #expect(isCarriedOut || !isPossible, "seed \(TestSeed.value): \(line)")
        }
        #expect(try cards.ask(#"{"reset": {}}"#)["ok"]?.text == "true")
        #expect(try cards.ask(#"{"status": {}}"#)["result"] == before, "seed \(TestSeed.value)")
    }

    @Test func `keeps a journal and judges expectations`() throws {
        let cards = try ServedCards()
        #expect(try cards.ask(#"{"journal": {}}"#)["text"]?[0]?.text == "no frame has reached a card")
        #expect(try cards.ask(#"{"verify": {}}"#)["ok"]?.text == "false")
    }

    @Test func `passes phone requests to its user, and stops on request`() throws {
        let cards = try ServedCards()
        #expect(try cards.ask(#"{"phone": "cancel"}"#)["ok"]?.text == "false")
        #expect(!cards.isStopped)
        #expect(try cards.ask(#"{"stop": {}}"#)["ok"]?.text == "true")
        #expect(cards.isStopped)
    }
}
