import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `NTAG21x vectors` {
    @Test(arguments: NTAGVector.all)
    func `give the answer and the new state`(vector: NTAGVector) {
        var session = vector.session()
        for earlier in vector.chain.dropLast() {
            earlier.prepare(&session)
            _ = earlier.exchange(&session)
        }
        vector.prepare(&session)
        #expect(session.card.stateName == vector.stateBefore)
        let answer = vector.exchange(&session)
        #expect(answer == vector.expectedAnswer(session))
        #expect(session.card.stateName == vector.stateAfter)
    }

    @Test func `are complete, with one row each`() {
        let names = NTAGVector.all.map(\.name)
        #expect(names == (1...243).map { "V" + String(repeating: "0", count: 3 - "\($0)".count) + "\($0)" })
        #expect(NTAGVector.all.allSatisfy { ["D", "R", "O", "I", "X"].contains($0.confidence) })
    }
}
