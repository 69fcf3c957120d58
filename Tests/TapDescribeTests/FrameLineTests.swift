import TapDescribe
import TapWire
import Testing

/// A frame, the command it answers, and its line.
struct LineCase: Sendable, CustomTestStringConvertible {
    let frame: String
    let command: String?
    let line: String

    init(_ frame: String, to command: String? = nil, _ line: String) {
        self.frame = frame
        self.command = command
        self.line = line
    }

    var testDescription: String { line }

    /// The description; of a command if the frame answers nothing.
    func description(_ technology: Technology) throws -> FrameDescription {
        let (bytes, bitCount) = try FrameText.parse(frame)
        let frame = RFFrame(technology, bytes, bitCount: bitCount)
        guard let command else { return FrameDescription(command: frame) }
        let (commandBytes, commandBits) = try FrameText.parse(command)
        return FrameDescription(answer: frame, to: RFFrame(technology, commandBytes, bitCount: commandBits))
    }
}

@Suite struct `Frames in one line` {
    static let polling = "06 00 0003 00 00"
    static let read = "10 06 0101010101010101 01 0F09 01 8000"

    @Test(arguments: [
        LineCase(polling, "Polling 0003"),
        LineCase("06 00 FFFF 01 0F", "Polling FFFF asking for the system code in 16 slots"),
        LineCase(
            "12 01 0101010101010101 0120220427674EFF", to: polling,
            "IDm 0101 0101 0101 0101   PMm 0120…   IC 20"),
        LineCase(
            "2C 06 0101010101010101 01 0F09 0F 8000 8001 8002 8003 8004 8005 8006 8007 8008 8009 800A 800B 800C 800D 800E",
            "Read 090F blocks 0..14"),
        LineCase("0C 07 0101010101010101 FF A2", to: read, "FF A2  illegal number of blocks"),
        LineCase("0C 07 0101010101010101 01 A6", to: read, "01 A6  no such node, entry 1"),
        LineCase(read, "Read 090F block 0"),
        LineCase("14 06 0101010101010101 02 8B00 0F09 02 8000 8103", "Read 008B block 0, 090F block 3"),
        LineCase(
            "20 08 0101010101010101 01 9310 01 9000 64000000 000000000000000000000000",
            "Write 1093 block 0 as cashback"),
        LineCase("0C 09 0101010101010101 00 00", to: "02 08", "written"),
        LineCase("12 06 0101010101010101 01 0B00 02 8082 8091", "Read 000B blocks 130 (ID), 145 (MAC_A)"),
        LineCase("0D 02 0101010101010101 01 0F09", "Request Service 090F"),
        LineCase(
            "1F 02 0101010101010101 0A 0F09 0F09 0F09 0F09 0F09 0F09 0F09 0F09 0F09 0F09",
            "Request Service 090F 090F 090F 090F 090F 090F 090F 090F and 2 more"),
        LineCase("10 06 0101010101010101 01 0F09 01 8100", "Read (service order 1) block 0"),
        LineCase("0F 03 0101010101010101 02 0100 FFFF", to: "02 02", "key versions 0001 absent"),
        LineCase("0B 05 0101010101010101 00", to: "02 04", "Mode0"),
        LineCase("0E 0B 0101010101010101 0000 FEFF", to: "02 0A", "0000 to FFFE"),
        LineCase("0F 0D 0101010101010101 02 0003 FE00", to: "02 0C", "2 systems: 0003 FE00"),
        LineCase("06 F0 00 A1B2C3", "Echo 3 bytes"),
        LineCase("07 00 FFFF 00 00", "Polling FFFF  (LEN is 7, but there are 6 bytes)"),
    ])
    func `FeliCa`(_ expected: LineCase) throws {
        #expect(try expected.description(.felica212).line == expected.line)
    }

    @Test(arguments: [
        LineCase("26:7", "REQA"), LineCase("52:7", "WUPA"),
        LineCase("44 00", to: "26:7", "ATQA 0044"),
        LineCase("93 20", "ANTICOLLISION cascade level 1"),
        LineCase("93 24 08:20", "ANTICOLLISION cascade level 1, 4 bits known"),
        LineCase("93 20 63", "ANTICOLLISION cascade level 1, 8 bits known  (NVB is for 16 bits, but there are 24)"),
        LineCase("93200102 00000000 00000000 00000000", "COMP_WRITE data 93 20 01 02"),
        LineCase("A:4", to: "93200102 00000000 00000000 00000000", "ACK"),
        LineCase("88 04 A2 3B 15", to: "93 20", "UID part 88 04 A2 3B 15"),
        LineCase("93 70 88 04 A2 3B 15", "SELECT cascade level 1"),
        LineCase("04", to: "93 70 88 04 A2 3B 15", "SAK 04, the UID continues"),
        LineCase("00", to: "95 70 5C 6D 7E 80 CF", "SAK 00"),
        LineCase("30 04", "READ page 04"),
        LineCase("04A23B15 5C6D7E80 CF480000 E1103E00", to: "30 00", "4 pages"),
        LineCase("0:4", to: "30 87", "NAK 0  no such page, or it needs the password"),
        LineCase("0:4", to: "1B 00 00 00 00", "NAK 0  wrong password"),
        LineCase("0:4", to: "C2 FF", "NAK 0  this tag does not have the command"),
        LineCase("1:4", to: "30 87", "NAK 1  parity or CRC error"),
        LineCase("A:4", to: "A2 04 00 00 00 00", "ACK"),
        LineCase("1B FF FF FF FF", "PWD_AUTH"), LineCase("AB CD", to: "1B FF FF FF FF", "PACK ABCD"),
        LineCase("3A 04 27", "FAST_READ pages 04 to 27"),
        LineCase("A2 04 03 00 FE 00", "WRITE page 04  03 00 FE 00"),
        LineCase("00 04 04 02 01 00 11 03", to: "60", "NTAG215"),
        LineCase("30 3F 00", to: "39 02", "counter 16176"), LineCase("50 00", "HLTA"),
        LineCase("30", "READ  (ends before its page)"),
    ])
    func `type A`(_ expected: LineCase) throws {
        #expect(try expected.description(.typeA106).line == expected.line)
    }
}
