import TapWire
import Testing

@Suite struct `Explanations` {
    @Test(arguments: CommandName.all)
    func `every command has one under its name`(_ name: CommandName) throws {
        let explanation = try #require(Explanation.of(name.rawValue))
        #expect(explanation.name == name.rawValue)
        #expect(explanation.kind == .command)
    }

    @Test(arguments: [
        ("felica.read", "felica.read"), ("Read Without Encryption", "felica.read"), ("06", "felica.read"),
        ("Read", "felica.read"), ("read", "felica.read"), ("READ", "ntag.read"), ("30", "ntag.read"),
        ("1B", "ntag.pwd_auth"), ("pwd_auth", "ntag.pwd_auth"), ("PWD_AUTH", "ntag.pwd_auth"),
        ("reqa", "a3.reqa"), ("select", "a3.select"), ("polling", "felica.polling"), ("F000", "felica.echo"),
        ("A2", "FF A2"), ("FF A2", "FF A2"), ("FFA2", "FF A2"), ("01 A6", "01 A6"), ("a6", "FF A6"),
        ("NAK 0", "NAK 0"), ("nak4", "NAK 4"), ("ACK", "ACK"),
        ("07", "felica.read"), ("NAK", "NAK 0"), ("AUTHENTICATE", "AUTHENTICATE"), ("RATS", "RATS"),
        ("48", "Delete Key"),
        ("090F", "090F"), ("090f", "090F"), ("1009", "1009"), ("0003", "0003"), ("FE00", "FE00"),
    ])
    func `a name, a manual's name or a code finds it`(_ asked: String, _ name: String) {
        #expect(Explanation.of(asked)?.name == name)
    }

    @Test(arguments: ["", "frobnicate", "felica.", "ZZ", "7D", "0000 0000"])
    func `what nobody knows has none`(_ name: String) {
        #expect(Explanation.of(name) == nil)
    }

    @Test func `A2 is a status flag and the opcode of WRITE`() {
        #expect(Explanation.matches("A2").map(\.name) == ["FF A2", "ntag.write"])
    }

    @Test func `names are distinct, and all are whole`() {
        #expect(Set(Explanation.names).count == Explanation.names.count)
        for explanation in Explanation.all {
            #expect(!explanation.title.isEmpty && !explanation.code.isEmpty && !explanation.source.isEmpty)
            #expect(explanation.summary.hasSuffix("."), "\(explanation.name): \(explanation.summary)")
            for note in explanation.notes where explanation.kind != .system {
                #expect(note.hasSuffix("."), "\(explanation.name): \(note)")
            }
        }
    }

    @Test func `a command tells its layout and what refuses it`() throws {
        let read = try #require(Explanation.of("felica.read"))
        #expect(
            read.layouts.map(\.line) == [
                "LEN | 06 | IDm (8) | m | service code (2, LE) × m | n | block list element (2 or 3) × n",
                "LEN | 07 | IDm (8) | status flag 1 | status flag 2 | n | data (16) × n",
            ])
        #expect(read.notes.contains { $0.contains("FF A2") })
        #expect(read.source.contains("FeliCa Card User's Manual"))
        let history = try #require(Explanation.of("090F"))
        #expect(history.code == "service code 090F, on the wire 0F 09")
        #expect(history.layouts.first?.parts.contains { $0.name == "balance" } == true)
    }
}
