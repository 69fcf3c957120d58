import TapDescribe
import TapWire
import Testing

@Suite struct `Explanations` {
    @Test(arguments: CommandName.all)
    func `cover every command by its name`(_ name: CommandName) throws {
        let explanation = try #require(Explanation.matches(name.rawValue).first)
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
    func `are found by name, manual name or code`(_ asked: String, _ name: String) {
        #expect(Explanation.matches(asked).first?.name == name)
    }

    @Test(arguments: [
        ("9000", "9000", "done"), ("6D00", "6D00", "the instruction is not supported or not valid"),
        ("6300", "6300", "no details are given"), ("6700", "6700", "wrong length"),
        ("6A81", "6A81", "the function is not supported"), ("6B00", "6B00", "P1 or P2 is wrong"),
        ("6E00", "6E00", "the class is not supported"), ("6F00", "6F00", "an error without a precise diagnosis"),
        ("6a82", "6A82", "the file or application is not found"), ("6A 86", "6A86", "P1 or P2 is wrong"),
        ("0x6982", "6982", "the security status is not satisfied"),
        ("SW 6985", "6985", "conditions of use are not satisfied"),
        ("61xx", "61xx", "done, and xx more bytes are available"),
        ("6110", "6110", "done, and 16 more bytes are available"),
        ("6C08", "6C08", "wrong Le; the correct value is 8"), ("63C2", "63C2", "failed, and 2 tries are left"),
        ("6A42", "6A42", "P1, P2 or the data are wrong"),
    ])
    func `give status words the meaning from ISO 7816-4 and PC/SC`(_ asked: String, _ name: String, _ meaning: String) {
        let found = Explanation.matches(asked).first
        #expect(found?.name == name)
        #expect(found?.title == meaning)
        #expect(found?.kind == .statusWord)
    }

    @Test(arguments: [
        ("FF CA", "Get Data"), ("ffca", "Get Data"), ("FF B0", "Read Binary"), ("FF D6", "Update Binary"),
        ("FF C2 00 01", "Transparent Exchange"), ("FF 00 00 00", "Direct Transmit"), ("FF A4", "Select File"),
        ("Get Data", "Get Data"), ("00 A4", "SELECT"),
    ])
    func `are found by an APDU's first bytes or name`(_ asked: String, _ title: String) {
        #expect(Explanation.matches(asked).contains { $0.kind == .apdu && $0.title == title })
    }

    @Test(arguments: PCSCReturnCode.named)
    func `are found by the name or number of a PC/SC return code`(_ entry: PCSCReturnCode.Entry) {
        let digits = String(entry.code.description.dropFirst(2))
        for asked in [entry.name, digits, digits.lowercased(), entry.code.description] {
            let found = Explanation.matches(asked)
            #expect(found.contains { $0.title == entry.name && $0.code.contains(entry.code.description) }, "\(asked)")
            #expect(found.allSatisfy { $0.kind == .returnCode })
        }
    }

    @Test(arguments: ["", "frobnicate", "felica.", "ZZ", "7D", "0000 0000 0000"])
    func `do not exist for unknown names`(_ name: String) {
        #expect(Explanation.matches(name).first == nil)
    }

    @Test func `list A2 as a status flag and as the opcode of WRITE`() {
        #expect(Explanation.matches("A2").map(\.name) == ["FF A2", "ntag.write"])
    }

    @Test func `have distinct names and are complete`() {
        // FF A4 is a card's status flags and also the start of an APDU.
        for isOfReaders in [true, false] {
            let names = Explanation.all.filter { $0.kind.isOfReaders == isOfReaders }.map(\.name)
            #expect(Set(names).count == names.count)
        }
        for explanation in Explanation.all {
            #expect(!explanation.title.isEmpty && !explanation.code.isEmpty && !explanation.source.isEmpty)
            #expect(explanation.summary.hasSuffix("."), "\(explanation.name): \(explanation.summary)")
            for note in explanation.notes where explanation.kind != .system {
                #expect(note.hasSuffix("."), "\(explanation.name): \(note)")
            }
        }
    }

    @Test func `show a command's layout and the errors it can cause`() throws {
        let read = try #require(Explanation.matches("felica.read").first)
        #expect(
            read.layouts.map(\.line) == [
                "LEN | 06 | IDm (8) | m | service code (2, LE) × m | n | block list element (2 or 3) × n",
                "LEN | 07 | IDm (8) | status flag 1 | status flag 2 | n | data (16) × n",
            ])
        #expect(read.notes.contains { $0.contains("FF A2") })
        #expect(read.source.contains("FeliCa Card User's Manual"))
        let history = try #require(Explanation.matches("090F").first)
        #expect(history.code == "service code 090F, on the wire 0F 09")
        #expect(history.layouts.first?.parts.contains { $0.name == "balance" } == true)
    }
}
