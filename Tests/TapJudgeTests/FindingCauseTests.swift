import TapDocument
import TapScenario
@testable import TapJudge
import Testing

@Suite struct `The cause of findings` {
    @Test(arguments: [
        ("it sent 600 frames and came to no end", "it sent # frames and came to no end"),
        ("it wrote page 2B at 0x00ff, then C4F1", "it wrote page # at #, then #"),
        ("exit 0, and A is NTAG215", "exit #, and A is NTAG215"), ("", ""),
    ])
    func `is told by words without numbers`(text: String, sign: String) {
        #expect(Sign.general(text) == sign)
    }

    @Test(arguments: [
        ("ValueError: month must be in 1..12", "ValueError"), ("panic: index 5 of 4", "panic"),
        ("cannot read: block 5", "cannot read: block #"), ("signal 11", "signal #"),
    ])
    func `is told by the name of an error`(error: String, kind: String) {
        #expect(Sign.kind(of: error) == kind)
    }

    @Test func `does not tell items apart`() {
        let three: Node = ["trips": [1, 2, 3]]
        let cases: [(clean: Node, got: Node, sign: String)] = [
            (three, ["trips": [1]], "`/trips` has too few items"),
            (three, ["trips": [1, 2, 3, 4]], "`/trips` has too many items"),
            (["trips": [["date": 1]]], ["trips": [["date": 2]]], "`/trips/*` is wrong"),
            (["trips": [["date": 1]]], ["trips": [[:]]], "`/trips/*` is missing"),
            ([:], ["balance": 1], "`/balance` is unexpected"), (1, 2, "the result is wrong"),
        ]
        for (clean, got, sign) in cases {
            #expect(ResultDifference.all(between: clean, and: got).map(\.sign) == [sign])
        }
    }

    @Test func `is the same wherever on a card a misdeed is done, and another where it breaks another rule`() {
        let writes = ["write page 20", "write page 44"].map { Misdeed(.safety, key: $0, at: 1, "it wrote") }
        #expect(Set(writes.map(\.sign)) == ["write page #"])
        #expect(Misdeed(.safety, .lockPages, key: "write page 2", at: 1, "it wrote").sign == "write page #, lock_pages")
    }

    @Test func `shows two long values from where they differ`() {
        let shared = String(repeating: "0123456789", count: 30)
        let difference = ResultDifference.changed(path: "/0", expected: .text(shared + "A"), got: .text(shared + "B"))
        #expect(difference.text == #"`/0` is …01234567890123456789B", not …01234567890123456789A""#)
    }
}
