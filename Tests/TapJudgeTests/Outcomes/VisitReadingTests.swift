import TapDocument
import TapField
import TapScenario
import TapYAML
import Testing

@testable import TapJudge

/// A terminal that shows a card in each of three visits; the second brings the first card with another balance.
@Suite struct `Visits to a terminal` {
    private static let cards: [Node] = [
        ("0112233445566778", 3120), ("0112233445566778", 2450), ("01129A8B7C6D5E4F", 7960),
    ].map {
        ["idm": .text($0.0), "balance": .number($0.1), "trips": [["balance": .number($0.1), "date": "2026-03-01"]]]
    }

    @Test(
        arguments: [
            (["3,120 yen", "2,450 yen", "7,960 yen"], nil),
            (["3120 yen", "3120 yen", "7960 yen"], "in visit 2 it prints 3120"),
            (
                ["visitor 1: 3120 yen", "visitor 2: 2450 yen", "visitor 3: 2450 yen"],
                "in visit 3 it prints 2450, the balance of visit 2"
            ),
            (
                ["IDm 01122334 45566778", "IDm 01122334 45566778", "IDm 01122334 45566778"],
                "in visit 3 it prints 0112233445566778, the idm"
            ),
            (["IDm 01122334 45566778", "IDm 01122334 45566778", "IDm 01129A8B 7C6D5E4F"], nil),
            // Both balances, none, or the last one as a part of an error are no other visitor's.
            (["3120 yen", "2450 yen, before 3120 yen", "7960 yen, before 2450 yen"], nil),
            (["welcome", "welcome", "welcome"], nil),
            (["3120 yen", "card error; balance was 3120 yen", "card error; balance was 3120 yen"], nil),
            (["3120 yen", "", "7960 yen"], nil),
        ] as [([String], String?)])
    func `are told apart by what is on the card of each`(lines: [String], finding: String?) {
        let visits = zip(Self.cards, lines).enumerated().map { index, visit in
            let (card, line) = visit
            return VisitReading(index + 1, reference: card, printed: .list(NodeList([.text(line), "thank you"])))
        }
        let found = VisitReading.stale(in: visits)?.reason
        if let finding {
            #expect(found?.hasPrefix(finding) == true, "\(found ?? "nothing")")
        } else {
            #expect(found == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `are compared quickly even if there are many`() {
        let last = 1_000
        let visits = (1...last).map { number in
            let card: Node = ["idm": .text("\(1_000_000 + number)"), "balance": .number(5_000 + number)]
            let shown = number == last ? 5_001 : 5_000 + number
            let lines: [Node] = [.text("\(shown) yen"), "thank you"]
            return VisitReading(number, reference: card, printed: .list(NodeList(lines)))
        }
        #expect(VisitReading.stale(in: visits.dropLast()) == nil)
        let found = VisitReading.stale(in: visits)?.reason
        #expect(found == "in visit 1000 it prints 5001, the balance of visit 1, where the balance is 6000")
    }

    @Test(.enabled(if: YAMLReader.isAvailable)) func `are numbered even if one prints nothing`() throws {
        let test = try `The outcome of a run`.test()
        var script = OutcomeScript(test)
        script.poll()
        script.read(0..<1)
        let first = script.world.exchangeCount
        for card in ["pass", "tag"] { script.remove(card) }
        script.tap("pass")
        script.poll()
        script.read(0..<1)
        script.remove("pass")
        script.tap("tag")
        script.select()
        script.ntag("30 04")
        let line = "balance 3120\n"
        script.client = ClientReport(end: .exit(0), standardOutput: line + line)
        script.client.marks = [(1, first), (2, script.world.exchangeCount)].map { count, exchange in
            OutputMark(.output, end: count * line.utf8.count, exchange: exchange, time: .zero)
        }
        let visits = try `The outcome of a run`.baseline(test, isWriter: false).visits(
            in: script.record, references: ["pass": ["balance": 3120], "tag": ["balance": 7960]])
        let found = VisitReading.stale(in: visits)?.reason
        #expect(
            found == "in visit 3 it prints 3120, the balance of visit 1, where the balance is 7960")
    }

    @Test func `are numbered as in the notes of a plan`() {
        #expect(ClientReport.Visits.number(inNote: ClientReport.Visits.note(12, of: 30)) == 12)
        for note in ["visit 2", "visit two of 3", "visit 2  of 3", "visit 2 of 3 begins", "a visit"] {
            #expect(ClientReport.Visits.number(inNote: note) == nil)
        }
    }
}
