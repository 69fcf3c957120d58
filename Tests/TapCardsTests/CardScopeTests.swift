import TapWire
import Testing

@testable import TapCards

/// The states and commands of a card that faults can refer to.
@Suite struct `The scope of a card` {
    @Test func `of a tag contains every state of its engine`() throws {
        var tag = NTAGCard(try NTAGDefinition(.ntag215, uid: try #require(UID(NTAGDefinition.sampleUID))))
        let scope = CardScope(tag)
        #expect(scope.states == ["IDLE", "READY1", "READY2", "ACTIVE", "AUTHENTICATED", "HALT"])
        #expect(scope.commands.contains { $0.rawValue == "ntag.pwd_auth" })
        #expect(scope.commands.allSatisfy { $0.layer == .ntag })
        tag.fieldRose()
        #expect(scope.states.contains(CardScope.state(tag.stateName)))
    }

    @Test(arguments: [("ACTIVE*", "ACTIVE"), ("Mode2 of system 0003", "Mode2"), ("no session", "no session")])
    func `omits the way a card reached its state`(name: String, state: String) {
        #expect(CardScope.state(name) == state)
    }
}
