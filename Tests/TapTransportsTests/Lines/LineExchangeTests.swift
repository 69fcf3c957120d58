import TapSystem
import TapCards
import TapTransports
import TapField
import TapWire
import TestSupport
import Testing

@Suite struct `A line exchange` {
    private func tag(hasCRC: Bool = false) throws -> LineExchange {
        var world = World(seed: 1)
        world.add(NTAGCard(SampleTags.t1()), named: "tag")
        world.tap("tag")
        world.switchField(on: true)
        return LineExchange(world, technology: .typeA106, hasCRC: hasCRC)
    }

    private func card(hasCRC: Bool = false) throws -> LineExchange {
        var world = World(seed: 1)
        world.add(try CardS.card(), named: "card")
        world.tap("card")
        return LineExchange(world, technology: .felica212, hasCRC: hasCRC)
    }

    @Test func `communicates with an NTAG without CRC`() throws {
        var lines = try tag()
        let script = [
            ("26:7", "4400"), ("93 20", "8804A23B15"), ("9370 8804A23B15", "04"), ("9520", "5C6D7E80CF"),
            ("95705C6D7E80CF", "00"), ("3004", "0:4"), ("@select", "00"), ("1B12345678", "ABCD"),
            ("A20A01020304", "A:4"),
            ("@off", "-"), ("@on", "-"), ("3000", "-"), ("@select", "00"), ("@cycle", "-"), ("3000", "-"),
        ]
        for (line, answer) in script { #expect(lines.answer(line) == answer, "after \(line)") }
    }

    @Test func `communicates with an NTAG with CRC, which it checks`() throws {
        var lines = try tag(hasCRC: true)
        let script = [
            ("52:7", "4400"), ("9320", "8804A23B15"), ("93708804A23B154CD4", "04DA17"),
            ("95705C6D7E80CF9CB3", "00FE51"),
            ("60F832", "0004040201001103019E"), ("60F833", "1:4"), ("@select", "00FE51"), ("5000 57CD", "-"),
        ]
        for (line, answer) in script { #expect(lines.answer(line) == answer, "after \(line)") }
    }

    @Test func `supports frames with any number of bits`() throws {
        var lines = try tag()
        #expect(lines.answer("52:7") == "4400")
        // The rest of 88 04 A2 3B 15 after its first four bits, packed from bit 0 on.
        #expect(lines.answer("9324 8:20") == "4820BA5301:36")
    }

    @Test func `communicates with a FeliCa card with and without CRC`() throws {
        var plain = try card()
        #expect(plain.answer("06 00 FFFF 01 00") == "140101010A1020304050100B4B428485D0FF0003")
        #expect(plain.answer("@select") == "120101010A1020304050100B4B428485D0FF")
        var checked = try card(hasCRC: true)
        #expect(checked.answer("0600FFFF0000 0921") == "120101010A1020304050100B4B428485D0FFB637")
        #expect(checked.answer("0600FFFF0000 0920") == "-")
    }

    @Test func `ignores blank lines and comments`() throws {
        var lines = try tag()
        #expect(lines.answer("") == nil)
        #expect(lines.answer("   ") == nil)
        #expect(lines.answer("# READ") == nil)
    }

    @Test(arguments: [
        ("3", "1 hexadecimal digits are not whole bytes; add or remove one digit"),
        ("30:17", "`17` is not a number of bits that ends in the last of 1 bytes"),
        ("30:x", "`x` is not a number of bits that ends in the last of 1 bytes"),
        ("xyz", "`x` at position 1 is not a hexadecimal digit"),
        ("@jump", "unknown event `@jump`; use @select, @cycle, @off or @on"),
    ])
    func `reports the problem with a line`(line: String, problem: String) throws {
        var lines = try tag()
        var output: [UInt8] = []
        #expect(lines.answer(.whole(Array(line.utf8)[...]), into: &output)?.description == problem)
        #expect(output == Array("?\n".utf8))
    }

    @Test func `counts characters, not bytes, up to the first invalid digit`() throws {
        var lines = try tag()
        var output: [UInt8] = []
        let line = Array("30 0 ".utf8) + [0xFF] + Array("é".utf8)
        #expect(
            lines.answer(.whole(line[...]), into: &output)?.description
                == "`\u{FFFD}` at position 6 is not a hexadecimal digit")
    }
}

extension LineExchange {
    /// The answer to a line as text; `nil` if there is none.
    fileprivate mutating func answer(_ line: String) -> String? {
        var output: [UInt8] = []
        let problem = answer(.whole(Array(line.utf8)[...]), into: &output)
        #expect(problem == nil)
        return output.isEmpty ? nil : String(decoding: output.dropLast(), as: UTF8.self)
    }
}
