import TapWire
import TestSupport
import Testing

@Suite struct `FeliCa command codes` {
    private static let everyFirstByte = (0...255).map(UInt8.init)

    @Test(arguments: everyFirstByte)
    func `a command code and its response code map to each other`(_ first: UInt8) {
        let code = CommandCode(first & 0xFE, 0x12)
        #expect(code.response.command == code)
        #expect(code.response.isResponse == true)
        #expect(code.byteCount == (first < 0xC0 ? 1 : 2))
        #expect(code.function == (first < 0xC0 ? 0 : 0x12))
    }

    @Test func `Echo responds with its own code`() {
        #expect(CommandCode.echo.response == .echo)
        #expect(CommandCode(0xF0, 0x02).response == CommandCode(0xF1, 0x02))
    }

    @Test func `one-byte and two-byte codes are read from packets`() throws {
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
        let codes = CommandDescription.all.map(\.code)
        #expect(codes == Set(codes).sorted())
        #expect(Set(CommandDescription.all.map(\.name)).count == CommandDescription.all.count)
        for entry in CommandDescription.all {
            #expect(!entry.code.isResponse)
            #expect(entry.explanation.hasSuffix("."))
            #expect(CommandDescription.of(entry.code) == entry)
        }
    }

    @Test func `layouts describe the common parts of commands`() {
        func words(_ fits: (CommandDescription) -> Bool) -> Set<String> {
            Set(CommandDescription.all.filter { !$0.needsKey && fits($0) }.compactMap(\.word))
        }
        #expect(
            words(\.hasStatusFlags) == [
                "read", "write", "request_code_list", "request_block_information_ex", "set_parameter",
                "get_area_information", "get_node_property", "request_service_v2", "get_system_status",
                "request_product_information", "request_specification_version", "reset_mode",
            ])
        #expect(
            words { $0.nodeCountOffset != nil } == [
                "request_service", "read", "write", "request_block_information", "request_block_information_ex",
                "get_node_property", "request_service_v2",
            ])
        #expect(words(\.carriesBlocks) == ["read", "write"])
        #expect(words { !$0.answersWithIDm } == ["get_container_property", "get_container_id", "echo"])
        #expect(GetNodeProperty.description.nodeCountOffset == GetNodeProperty.Request.countOffset)
        #expect(
            words { $0.answerList != nil } == [
                "read", "request_service", "request_block_information", "request_system_code",
                "request_block_information_ex", "request_service_v2", "request_specification_version",
            ])
        #expect(ReadWithoutEncryption.description.answerList == .init(countOffset: 12, entryLength: 16))
        #expect(RequestServiceV2.description.answerList == .init(countOffset: 13, entryLength: 2))
    }

    @Test func `names describe codes`() {
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

    @Test func `an explanation gives the error location in both forms`() {
        let explanation = StatusFlags(0x04, .blockNumber).explanation
        #expect(explanation.contains("entry 4") && explanation.contains("bit 3"))
        #expect(StatusFlags(.blockCount).explanation == StatusFlag2.blockCount.entry?.explanation)
        #expect(StatusFlags(0xFF, 0x99).explanation.contains("99"))
    }
}

@Suite struct `Polling packets` {
    @Test func `reads and writes the command of vector S02`() throws {
        let bytes = try Hex.bytes("06 00 FFFF 01 00")
        let request = try Polling.Request(parsing: bytes)
        #expect(request == Polling.Request(systemCode: .any, requestCode: .systemCode))
        #expect(request.bytes == bytes)
    }
}

@Suite struct `FeliCa checksums` {
    @Test(arguments: VectorFile.lines("crc16-felica.txt"))
    func `a packet has the checksum of its vector`(_ line: String) throws {
        let parts = line.split(separator: " ")
        let packet = try Hex.bytes(parts[0])
        #expect(Hex.digits(CRC16FeliCa.checksum(of: packet), width: 4) == parts[1])
        #expect(Hex.text(CRC16FeliCa.appending(to: packet)) == parts[0] + parts[1])
    }

    /// The definition, computed one bit at a time.
    private func bitwise(_ bytes: [UInt8]) -> UInt16 {
        var crc: UInt16 = 0
        for byte in bytes {
            for bit in (0..<8).reversed() {
                let isSet = (crc >> 15 ^ UInt16(byte >> bit)) & 1 == 1
                crc = crc << 1 ^ (isSet ? 0x1021 : 0)
            }
        }
        return crc
    }

    @Test func `frames of any length have the same checksum as the bitwise definition`() {
        var random = TestRandom("checksum")
        for count in 0...600 {
            let bytes = random.bytes(count)
            #expect(CRC16FeliCa.checksum(of: bytes) == bitwise(bytes), "\(count) bytes, seed \(TestSeed.value)")
        }
    }

    @Test func `checking removes the checksum that appending adds`() {
        let packet: [UInt8] = [0x06, 0x00, 0xFF, 0xFF, 0x00, 0x00]
        let (taken, integrity) = CRC16FeliCa.checking(CRC16FeliCa.appending(to: packet))
        #expect(taken == packet)
        #expect(integrity == .good)
    }

    @Test(arguments: 0..<64)
    func `any flipped bit is detected`(_ bit: Int) {
        var bytes = CRC16FeliCa.appending(to: [0x06, 0x00, 0xFF, 0xFF, 0x00, 0x00])
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(CRC16FeliCa.checking(bytes).integrity == .badCRC)
    }

    @Test(arguments: [[], [0x00]] as [[UInt8]])
    func `a frame that is too short for a checksum has a bad checksum`(_ bytes: [UInt8]) {
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        #expect(packet == bytes)
        #expect(integrity == .badCRC)
    }
}
