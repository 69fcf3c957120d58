import TapWire
import Testing

@testable import TapTesting

/// An invalid trait and the expected message.
struct WrongTrait: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let traits: [PhoneTrait]
    let text: String
    let line: Int

    init(_ name: String, _ traits: PhoneTrait..., says text: String, line: Int = #line) {
        testDescription = name
        self.traits = traits
        self.text = text
        self.line = line
    }
}

@Suite struct WrongTraitTests {
    @Test(
        arguments: [
            WrongTrait("a misspelt fault", .card(.suica()), .fault("rf.silenc"), says: "did you mean `rf.silence`?"),
            WrongTrait(
                "a misspelt command", .card(.suica()), .fault(.silence, when: "felica.raed"),
                says: "felica.read", line: #line - 2),
            WrongTrait("a fault without a time", .card(.suica()), .fault(.silence), says: "`when` is missing"),
            WrongTrait("a misspelt template", .card("siuca"), says: "did you mean `suica`?"),
            WrongTrait("a balance below zero", .card(.suica(balance: -1)), says: "0"),
            WrongTrait("a wrong UID", .card(.ntag215(uid: "04 11")), says: "7 bytes"),
            WrongTrait("a wrong system code", .card(.suica()), .systemCodes("00031"), says: "system code"),
            WrongTrait(
                "a fault that no phone has", .card(.suica()), .fault("pcsc.slow", when: .felicaRead),
                says: "has neither PC/SC"),
            WrongTrait(
                "a fault of another moment", .card(.suica()), .fault("phone.system_busy", when: .felicaRead),
                says: "it is injected at the phone's `began`"),
            WrongTrait("no such file", .scenario("none.json"), says: "there is no such file"),
            WrongTrait(
                "a fault that no card has", .card(.suica()), .fault(.nak(), when: .ntagRead),
                says: "does not apply to any"),
        ])
    func anErrorIsReportedAtTheLineOfTheTrait(_ wrong: WrongTrait) async throws {
        let (told, _) = try await findings(wrong.traits) { Issue.record("the body must not run") }
        #expect(told.contains { $0.text.contains(wrong.text) }, "\(told.map(\.text))")
        #expect(told.allSatisfy { $0.location.filePath == #filePath })
        #expect(told.allSatisfy { abs($0.location.line - wrong.line) <= 2 }, "\(told.map(\.location.line))")
    }

    @Test(
        arguments: [
            WrongTrait("no card at all", .card(""), says: ""),
            WrongTrait("a card without its key", .card("suica:=1,,"), says: ""),
            WrongTrait("a key that no card has", .card(.suica().with(["colour": "green"])), says: "colour"),
            WrongTrait("a fault without a name", .card(.suica()), .fault("", when: .felicaRead), says: ""),
            WrongTrait(
                "a parameter no fault has", .card(.suica()),
                .fault(VirtualFault("rf.silence", ["x": 1]), when: .felicaRead), says: "x"),
            WrongTrait(
                "a time before now", .card(.suica()), .fault(.loseTag(backIn: .seconds(-5)), when: .felicaRead),
                says: "duration"),
            WrongTrait(
                "a time beyond all bounds", .card(.suica()),
                .fault(.loseTag(backIn: .seconds(Int64.max)), when: .felicaRead), says: "too long"),
            WrongTrait("the nought-th time", .card(.suica()), .fault(.silence, when: .felicaRead, nth: 0), says: "0"),
            WrongTrait("no range", .card(.suica()), .fault(.silence, when: .felicaRead, times: ""), says: ""),
            WrongTrait(
                "an exchange before the first", .card(.suica()), .fault(.silence, when: .exchange(-1)), says: ""),
            WrongTrait("an event that does not exist", .card(.suica()), .fault(.silence, when: "phone."), says: ""),
            WrongTrait("a step that does not exist", .card(.suica()), .timeline(["jump"]), says: ""),
            WrongTrait("a phone of another make", .card(.suica()), .phone(["maker": "x"]), says: "maker"),
            WrongTrait("no path", .scenario(""), says: ""),
            WrongTrait(
                "two cards of one name", .card(.suica(), named: "a"), .card(.pasmo(), named: "a"),
                says: "two cards have the name `a`"),
        ])
    func anInvalidTraitIsReportedAndNothingRuns(_ wrong: WrongTrait) async throws {
        let (told, _) = try await findings(wrong.traits) { Issue.record("the body must not run") }
        #expect(told.contains { $0.text.contains(wrong.text) || wrong.text.isEmpty }, "\(told.map(\.text))")
    }

    @Test func messagesCannotControlATerminal() async throws {
        let (told, _) = try await findings([.card("sui\u{202E}ca\u{1B}[2J")]) { Issue.record("the body must not run") }
        let text = told.map(\.text).joined()
        #expect(text.contains("sui\u{FFFD}ca\u{FFFD}[2J"))
        #expect(!text.unicodeScalars.contains(where: PrintableText.isHarmful), "\(text.debugDescription)")
    }
}
