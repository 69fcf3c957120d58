import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `An NTAG21x value` {
    @Test func `does not share writes with its copies`() {
        let template = NTAGTemplate(SampleTags.t0())
        var session = NTAGSession(template.definition)
        let before = session.card
        session.select()
        session.send("A2 0A 11 22 33 44")
        #expect(session.card[page: 0x0A] == PageData(0x11, 0x22, 0x33, 0x44))
        #expect(before[page: 0x0A] == PageData(0x0A, 0xF5, 0x50, 0x46))
        #expect(!session.card.hasSameMemory(as: before))
        #expect(NTAGCard(template).hasSameMemory(as: before))
        #expect(NTAGCard(template) == NTAGCard(template.definition))
        #expect(NTAGCard(template) != session.card)
        #expect(Set([NTAGCard(template), before, NTAGCard(template.definition), session.card]).count == 3)
    }

    @Test func `takes at most 64 bytes apart from its template, like a FeliCa card`() {
        #expect(MemoryLayout<NTAGCard>.stride <= 64)
        #expect(MemoryLayout<FeliCaCard>.stride <= 64)
    }

    @Test func `does not answer a protected READ of page 00 before it is selected`() {
        var definition = SampleTags.t1()
        definition.configuration.auth0 = 0
        var session = NTAGSession(definition)
        session.send("26:7")
        #expect(session.send("30 00") == "-")
        #expect(session.card.stateName == "IDLE")
    }

    @Test func `has a counter of 24 bits`() {
        var definition = SampleTags.t4()
        definition.counter = .max
        #expect(NTAGCard(definition).counter == 0xFF_FFFF)
    }

    @Test func `can be recreated from its own definition`() {
        var session = NTAGSession(SampleTags.t4())
        session.select()
        for command in ["30 00", "A2 86 01 02 03 04", "A2 85 05 06 07 08", "A2 02 00 00 10 00", "1B 00 00 00 00"] {
            session.send(command)
        }
        let definition = session.card.definition
        #expect(definition.counter == 0x3F31)
        #expect(definition.failedAuthentications == 1)
        #expect(definition.pack == 0x0102)
        #expect(definition.password == PageData(5, 6, 7, 8))
        let again = NTAGCard(definition)
        #expect(again.hasSameMemory(as: session.card))
        #expect(again[page: 0x86] == PageData(1, 2, 3, 4))
        #expect(again.configuration == definition.configuration)
        #expect(again[page: 135] == .zero)
        #expect(again[page: -1] == .zero)
        #expect(again.uid == definition.uid)
    }

    @Test func `loses its session with the field`() {
        var session = NTAGSession(SampleTags.t1())
        let fresh = session.card
        session.select()
        session.authenticate()
        session.send("A0 0A")
        session.cycle()
        #expect(session.card == fresh)
        session.select()
        #expect(session.send("30 04") == "00:4")
    }

    @Test(arguments: [
        "A2 0A 11 22 33 44", "A2 02 00 00 FF FF", "A2 85 00 00 00 00", "A2 86 00 00 00 00", "A2 83 00 00 00 00",
    ])
    func `changes nothing and reports it when its memory fails`(command: String) {
        var session = NTAGSession(SampleTags.t0(), isMemoryFailing: true)
        let before = session.card
        session.select()
        #expect(session.send(command) == "05:4")
        #expect(session.card.stateName == "IDLE")
        #expect(session.card.hasSameMemory(as: before))
    }

    @Test func `does not count when its memory fails`() {
        var definition = SampleTags.t4()
        definition.failedAuthentications = 1
        var session = NTAGSession(definition, isMemoryFailing: true)
        let before = session.card
        session.select()
        #expect(session.send("A0 0A") == "0A:4")
        #expect(session.send(String(repeating: "00", count: 16)) == "05:4")
        session.select()
        #expect(session.send("30 00") != "-")
        #expect(session.send("1B FF FF FF FF") == "00 00")
        #expect(session.send("1B 00 00 00 00") == "00:4")
        #expect(session.card.hasSameMemory(as: before))
    }

    @Test(arguments: [
        ("", "26:7", FrameDelay.afterZero), ("", "52:7", FrameDelay.afterOne), ("52:7", "93 20", FrameDelay.afterZero),
        ("52:7", "93 70 88 04 A2 3B 15", FrameDelay.afterOne), ("sel", "30 00", FrameDelay.afterOne),
        ("sel", "1B FF FF FF FF", FrameDelay.afterOne), ("sel", "30 87", FrameDelay.afterOne),
        ("sel", "A2 0A 00 00 00 00", FrameDelay.afterOne + .milliseconds(4)),
        ("sel", "A2 00 00 00 00 00", FrameDelay.afterOne), ("sel", "A0 0A", FrameDelay.afterOne),
        ("A0", "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", FrameDelay.afterOne + .milliseconds(4)),
    ])
    func `answers in time`(setup: String, command: String, delay: Duration) {
        for isMemoryFailing in [false, true] {
            var session = NTAGSession(SampleTags.t0(), isMemoryFailing: isMemoryFailing)
            if setup == "52:7" { session.send(setup) }
            if setup == "sel" || setup == "A0" { session.select() }
            if setup == "A0" { session.send("A0 0A") }
            let frame = RFFrame(text: command)
            let answer = session.card.answer(frame.bytes, bitCount: frame.bitCount, context: &session.context)
            #expect(answer?.reply == .frame(after: delay))
        }
    }

    @Test func `handles bit counts that do not match its bytes`() {
        var session = NTAGSession(SampleTags.t0())
        var buffer = FrameBuffer()
        let bytes: [UInt8] = [0x26]
        let slice = bytes[...]
        for count in [Int.min, -1, 0, 1, 8, 9, 1_000, Int.max] {
            let reply = session.card.answer(
                slice.span, bitCount: count, integrity: .good, context: &session.context, into: &buffer)
            #expect(reply == .silence)
        }
        #expect(session.send("26:7") == "44 00")
    }
}

@Suite struct `NTAG21x in public traces` {
    @Test func `answers like a genuine NTAG213 that counts wrong passwords`() throws {
        let uid = try #require(UID(Hex.bytes("04112233445566")))
        var session = NTAGSession(try NTAGDefinition(.ntag213, uid: uid))
        session.select()
        for command in ["A2 2A 82 05 00 00", "A2 2B DE AD BE AF", "A2 29 04 00 00 0A"] {
            #expect(session.send(command) == "0A:4")
        }
        session.send("50 00")
        let passwords = ["00 00 00 00", "DE AD BE AF", "00 00 00 00", "00 00 00 00", "DE AD BE AF"]
        let answers = passwords.map { password in
            session.select()
            return session.send("1B \(password)")
        }
        #expect(answers == ["00:4", "00 00", "00:4", "04:4", "04:4"])
    }

    @Test func `selects like the MIFARE Ultralight EV1 of a sample trace`() throws {
        let uid = try #require(UID(Hex.bytes("04A81D12DE5F80")))
        var session = NTAGSession(try NTAGDefinition(.ntag213, uid: uid))
        session.send("26:7")
        let exchanges = [("93 70 88 04 A8 1D 39 BB 3B", "04 DA 17"), ("95 70 12 DE 5F 80 13 51 12", "00 FE 51")]
        for (request, response) in exchanges {
            let command = TypeAFraming.command(rfBytes: try Hex.bytes(request))
            let reply = session.send(command)
            let answer = try #require(reply)
            #expect(TypeAFraming.rfBytes(answer: answer, to: command) == (try Hex.bytes(response)))
        }
    }

    @Test func `answers like the NTAG216 of a user in NXP's forum`() throws {
        let uid = try #require(UID(Hex.bytes("04475ED29C3980")))
        var definition = try NTAGDefinition(.ntag216, uid: uid)
        definition.pack = 0x0123
        var session = NTAGSession(definition)
        session.select()
        #expect(session.send("1B FF FF FF FF") == "01 23")
        #expect(session.send("A2 04 12 34 56 00") == "0A:4")
    }

    @Test func `wraps around before AUTH0 like a Fudan clone`() {
        var definition = NTAGPreset.fudanLikeClone.applied(to: SampleTags.t1())
        definition.configuration.auth0 = 5
        var session = NTAGSession(definition)
        session.select()
        let pages = [4, 0, 1, 2].flatMap { definition[page: $0].bytes }
        #expect(session.send("30 04") == Hex.text(pages, separator: " "))
        #expect(session.send("3A 04 05") == "00:4")
    }
}
