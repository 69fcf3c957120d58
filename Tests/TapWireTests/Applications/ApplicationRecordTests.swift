import TapWire
import Testing

@Suite struct `Application records` {
    @Test(arguments: WireVector.file("applications.txt"))
    func `are read and written as the vectors specify`(vector: WireVector) throws {
        let kind = String(vector.says.prefix { $0 != ":" })
        let read = try #require(readers[kind])
        let (says, bytes) = try read(vector.bytes)
        #expect("\(kind): \(says)" == vector.says)
        #expect(bytes == vector.bytes)
    }

    @Test func `are built from the fields that a scenario gives`() throws {
        let date = try TransitDate(#require(CalendarDate("2012-06-25")))
        let time = TransitTime(try #require(ClockTime("07:44")))
        let shop = TransitHistoryRecord(
            .shop, date: date, place: .shop(time, terminal: 0x2928), balance: 2300, sequence: 34)
        #expect(shop.bytes == (try Hex.bytes("C7460000 18D9 3D80 2928 FC08 00 0022 00")))

        let gate = TransitHistoryRecord(
            .fareGate, date: try TransitDate(#require(CalendarDate("2011-11-14"))),
            place: .rail(entry: try #require(StationCode("037-007")), exit: try #require(StationCode("001-007"))),
            balance: 1830, sequence: 26)
        #expect(gate.bytes == (try Hex.bytes("16010002 176E 2507 0107 2607 00 001A 00")))

        let exit = TransitGateRecord(
            .exit, station: try #require(StationCode("001-007")), machine: 0x1015, date: gate.date,
            time: BCDTime(try #require(ClockTime("22:10"))), amount: 160)
        #expect(exit.bytes == (try Hex.bytes("20000107 1015 176E 2210 A000 0000 0000")))

        #expect(
            TransitBalance(balance: 2300, updateNumber: 34).bytes
                == (try Hex.bytes("0000000000000000 20 0000 FC08 00 0022")))
        #expect(TransitEntry(entryStation: StationCode(0x01CC)).bytes.prefix(3) == [0x01, 0xCC, 0x00])
    }

    @Test func `of electronic money are built from the fields that a scenario gives`() throws {
        let date = try #require(CalendarDate("2016-02-15"))
        let time = try #require(ClockTime("12:23:29"))
        let edy = try EdyHistoryRecord(
            .payment, sequence: 4, time: EdyTimestamp(date, time), amount: 586, balance: 414)
        #expect(edy.bytes == (try Hex.bytes("20 000004 2E02AE41 0000024A 0000019E")))

        let nanaco = NanacoHistoryRecord(
            .payment, amount: 500, balance: 3000, time: try NanacoTimestamp(date, time), sequence: 258)
        #expect(nanaco.time.date == date)
        #expect(nanaco.time.time == ClockTime("12:23"))
        #expect(nanaco.bytes.prefix(9) == [0x47, 0x00, 0x00, 0x01, 0xF4, 0x00, 0x00, 0x0B, 0xB8])

        var waon = try WAONHistoryRecord(
            .payment, sequence: 1378,
            time: WAONTimestamp(#require(CalendarDate("2019-08-03")), #require(ClockTime("12:50"))),
            balance: 40, withdrawal: 4635)
        waon.terminal = try Hex.bytes("02000B16212C37424D58636F20 FF")
        #expect(
            waon.bytes.prefix(28)
                == (try Hex.bytes("02000B16212C37424D58636F 20 0562 00 00 04 740D9900050090D8 0000"))[...])

        #expect(
            PurseBlock(value: 414, cashback: 586, executionID: 0x400).bytes
                == (try Hex.bytes("9E010000 4A020000 00000000 00000400")))
        let number = try #require(CardNumber("1234 5678 9012 3456"))
        #expect(EdyIdentification(number: number).bytes[2..<4] == [0x12, 0x34])
        #expect(CardNumberBlock(number: number).bytes[..<2] == [0x12, 0x34])
        #expect(try NanacoPoints(first: 123, second: 456).total == 579)
        #expect(try WAONPoints(points: 1_000).bytes.prefix(3) == [0x00, 0x03, 0xE8])
    }

    @Test func `reject numbers and dates that do not fit into their bits`() throws {
        let noon = try #require(ClockTime("12:00"))
        let early = try #require(CalendarDate("1999-12-31"))
        let late = try #require(CalendarDate("4048-01-01"))
        for date in [early, late] {
            #expect(throws: WireError.self) { try TransitDate(date) }
            #expect(throws: WireError.self) { try EdyTimestamp(date, noon) }
            #expect(throws: WireError.self) { try NanacoTimestamp(date, noon) }
            #expect(throws: WireError.self) { try WAONTimestamp(date, noon) }
        }
        #expect(throws: WireError.self) { try NanacoPoints(first: 0x100_0000) }
        #expect(throws: WireError.self) { try WAONPoints(points: 0x100_0000) }
        #expect(throws: WireError.self) {
            try EdyHistoryRecord(.payment, sequence: 0x100_0000, time: EdyTimestamp(0), amount: 0, balance: 0)
        }
        let error = #expect(throws: WireError.self) {
            try WAONHistoryRecord(.payment, sequence: 0, time: WAONTimestamp(0), balance: 0, charge: 0x2_0000)
        }
        #expect(error?.field == "charge")
    }
}

/// For each kind of record: the text for some bytes, and the bytes written from the parsed record.
private let readers: [String: @Sendable ([UInt8]) throws -> (says: String, bytes: [UInt8])] = [
    "history": reader(TransitHistoryRecord.self) { record in
        let codes = "terminal \(hex(record.terminal.rawValue)), process \(hex(record.process.rawValue))"
        let more = "payment \(hex(record.payment.rawValue)), gate \(hex(record.gate.rawValue))"
        return "\(record.kind?.rawValue ?? "-"), \(codes), cash \(record.usesCash), \(more), \(record.date), "
            + "\(record.place), balance \(record.balance), no. \(record.sequence), region \(hex(record.region))"
    },
    "balance": reader(TransitBalance.self) {
        "\($0.cardType), \($0.area), balance \($0.balance), no. \($0.updateNumber)"
    },
    "gate": reader(TransitGateRecord.self) {
        "\($0.event), \(hex($0.intermediateGate)), \($0.station), machine \(Hex.digits($0.machine, width: 4)), "
            + "\($0.date) \($0.time), amount \($0.amount), pass fare \($0.passFare), pass station \($0.passStation)"
    },
    "entry": reader(TransitEntry.self) {
        "\($0.entryStation), \($0.date), in \($0.timeIn) at \($0.stationIn), out \($0.timeOut) at \($0.stationOut)"
    },
    "purse": reader(PurseBlock.self) {
        "\($0.value), cashback \($0.cashback), user data \(Hex.digits($0.userData, width: 8)), "
            + "execution \(Hex.digits($0.executionID, width: 8))"
    },
    "Edy": reader(EdyHistoryRecord.self) {
        "\($0.type), no. \($0.sequence), \($0.time), amount \($0.amount), balance \($0.balance)"
    },
    "Edy number": reader(EdyIdentification.self) { "\($0.number)" },
    "nanaco": reader(NanacoHistoryRecord.self) {
        "\($0.type), amount \($0.amount), balance \($0.balance), \($0.time), no. \($0.sequence)"
    },
    "nanaco points": reader(NanacoPoints.self) { "\($0.first) and \($0.second), \($0.total) in all" },
    "number": reader(CardNumberBlock.self) { "\($0.number)" },
    "WAON": reader(WAONHistoryRecord.self) {
        "\($0.type), terminal \(Hex.text($0.terminal)), no. \($0.sequence), \($0.time), balance \($0.balance), "
            + "withdrawal \($0.withdrawal), charge \($0.charge)"
    },
    "WAON points": reader(WAONPoints.self) { "\($0.points)" },
    "Ryuto": reader(RyutoHistoryRecord.self) {
        "\($0.type), \($0.date), \($0.boarding) at \(Hex.digits($0.boardingStop, width: 4)) to \($0.alighting) at "
            + "\(Hex.digits($0.alightingStop, width: 4)), fare \($0.fare), balance \($0.balance)"
    },
    "Octopus": reader(OctopusBalance.self) { "\($0.balance)" },
    "SAPICA points": reader(SapicaPoints.self) { "\($0.points)" },
]

private func reader<Record: BlockRecord>(
    _ type: Record.Type, says: @escaping @Sendable (Record) -> String
) -> @Sendable ([UInt8]) throws -> (says: String, bytes: [UInt8]) {
    { bytes in
        let record = try Record(parsing: bytes)
        return (says(record), record.bytes)
    }
}

private func hex(_ byte: UInt8) -> String { Hex.digits(byte, width: 2) }
