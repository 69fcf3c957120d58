import TapDocument
import TapJudge
import Testing

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
        let visits = zip(Self.cards, lines).map { card, line in
            VisitReading(reference: card, printed: .list(NodeList([.text(line), "thank you"])))
        }
        let found = VisitReading.stale(in: visits)?.reason
        if let finding {
            #expect(found?.hasPrefix(finding) == true, "\(found ?? "nothing")")
        } else {
            #expect(found == nil)
        }
    }
}
