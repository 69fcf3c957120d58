import Foundation
import TapCards
import TapWire
import TestSupport
import Testing

/// A cell of `Vectors/ntag21x-states.txt`: a frame in a state.
struct NTAGTransition: Sendable, CustomTestStringConvertible {
    let frame: String
    let request: String
    let state: String
    let answer: String
    let next: String

    static let all = VectorFile.lines("ntag21x-states.txt").flatMap(cells)

    var testDescription: String { "\(frame) in \(state)" }

    private static func cells(_ line: String) -> [NTAGTransition] {
        let fields = line.components(separatedBy: " | ")
        let columns = ["IDLE", "HALT", "READY1", "READY2", "ACTIVE", "AUTHENTICATED"]
        guard fields.count == 2 + columns.count else { fatalError("a row has eight fields: \(line)") }
        return zip(columns, fields.dropFirst(2)).flatMap { column, cell in
            let (answer, next) = (cell.components(separatedBy: " ")[0], cell.components(separatedBy: " ")[1])
            let isMarked = !["IDLE", "HALT"].contains(column)
            return (isMarked ? ["", "*"] : [""]).map { mark in
                NTAGTransition(
                    frame: fields[0], request: fields[1], state: column + mark, answer: answer,
                    next: Self.state(next, from: column, mark))
            }
        }
    }

    private static func state(_ next: String, from column: String, _ mark: String) -> String {
        switch next {
        case "stay": column + mark
        case "back": mark.isEmpty ? "IDLE" : "HALT"
        case "HALT", "READY1*": next
        default: next + mark
        }
    }
}

@Suite struct `NTAG21x states` {
    @Test(arguments: NTAGTransition.all)
    func `handle every frame as the table specifies`(transition: NTAGTransition) throws {
        var session = Self.session(in: transition.state)
        try #require(session.card.stateName == transition.state)
        let answer = session.send(RFFrame(text: transition.request))
        let expected = transition.answer == "-" ? nil : BitText(transition.answer)
        #expect(answer.map { BitText($0.bytes, $0.bitCount) } == expected)
        #expect(session.card.stateName == transition.next)
    }

    @Test(arguments: ["IDLE", "HALT", "READY1", "READY1*", "READY2*", "ACTIVE*", "AUTHENTICATED", "AUTHENTICATED*"])
    func `end when the field is switched off`(state: String) {
        var session = Self.session(in: state)
        session.card.fieldFell()
        #expect(session.card.stateName == "OFF")
        #expect(session.send("52:7") == "-")
        #expect(session.card.stateName == "OFF")
        session.card.fieldRose()
        #expect(session.card.stateName == "IDLE")
        #expect(session.send("26:7") == "44 00")
    }

    @Test func `are six, four of them in two variants, plus no field`() {
        let states = Set(NTAGTransition.all.map(\.state))
        #expect(states.count == 10)
        #expect(NTAGCard(SampleTags.t1()).stateName == "OFF")
    }

    @Test func `respond only to type A`() {
        let card = NTAGCard(SampleTags.t0())
        #expect(Technology.allCases.filter(card.hears) == [.typeA106])
    }

    /// A tag T1 in the given state.
    private static func session(in state: String) -> NTAGSession {
        var session = NTAGSession(SampleTags.t1())
        if state == "HALT" || state.hasSuffix("*") {
            session.select()
            session.send("50 00")
        }
        let phase = state.replacingOccurrences(of: "*", with: "")
        if phase == "IDLE" || phase == "HALT" { return session }
        session.send("52:7")
        if phase == "READY1" { return session }
        session.select(.first)
        if phase == "READY2" { return session }
        session.select(.second)
        if phase == "AUTHENTICATED" { session.authenticate() }
        return session
    }
}
