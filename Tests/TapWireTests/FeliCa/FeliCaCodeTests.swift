import TapWire
import Testing

@Suite struct `FeliCa command codes` {
    private static let everyFirstByte = (0...255).map(UInt8.init)

    @Test(arguments: everyFirstByte)
    func `a command and its response find each other`(_ first: UInt8) {
        let code = CommandCode(first & 0xFE, 0x12)
        #expect(code.response.command == code)
        #expect(code.response.isResponse == true)
        #expect(code.byteCount == (first < 0xC0 ? 1 : 2))
        #expect(code.function == (first < 0xC0 ? 0 : 0x12))
    }

    @Test func `Echo answers with its own code`() {
        #expect(CommandCode.echo.response == .echo)
        #expect(CommandCode(0xF0, 0x02).response == CommandCode(0xF1, 0x02))
    }

    @Test func `codes are read from packets, one byte or two`() throws {
        func code(_ hex: String) throws -> CommandCode? {
            let slice = try Hex.bytes(hex)[...]
            return CommandCode(of: slice.span)
        }
        #expect(try code("0A 04 01010A1020304050") == .requestResponse)
        #expect(try code("03 F000") == .echo)
        #expect(try code("02 F0") == nil)
        #expect(try code("01") == nil)
    }

    @Test func `known codes are distinct, ascending, even and explained`() {
        let codes = CommandCode.known.map(\.code)
        #expect(codes == Set(codes).sorted())
        #expect(Set(CommandCode.known.map(\.name)).count == CommandCode.known.count)
        for entry in CommandCode.known {
            #expect(!entry.code.isResponse)
            #expect(entry.explanation.hasSuffix("."))
            #expect(entry.code.entry == entry)
        }
    }

    @Test func `names say what a code is`() {
        #expect(CommandCode.readWithoutEncryption.name == "Read Without Encryption")
        #expect(CommandCode.readWithoutEncryption.response.name == "Read Without Encryption response")
        #expect(CommandCode(0x7E).name == "unknown command 7E")
        #expect(CommandCode(0xC3, 0x01).name == "unknown response C301")
    }
}

@Suite struct `FeliCa status flags` {
    @Test func `known reasons are distinct, ascending and explained`() {
        let codes = StatusFlag2.known.map(\.code.rawValue)
        #expect(codes == Set(codes).sorted())
        #expect(Set(StatusFlag2.known.map(\.name)).count == codes.count)
        #expect(StatusFlag2.known.allSatisfy { $0.explanation.hasSuffix(".") && $0.code.entry == $0 })
    }

    @Test func `every byte has a name`() {
        #expect(StatusFlag2(0xA6).name == "no such node")
        #expect(StatusFlag2(0x99).name == "unknown status 99")
    }

    @Test func `an explanation gives the place in both forms`() {
        let explanation = StatusFlags(0x04, .blockNumber).explanation
        #expect(explanation.contains("entry 4") && explanation.contains("bit 3"))
        #expect(StatusFlags(.blockCount).explanation == StatusFlag2.blockCount.entry?.explanation)
        #expect(StatusFlags(0xFF, 0x99).explanation.contains("99"))
    }
}
