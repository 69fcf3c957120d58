import TapWire
import TestSupport
import Testing

@Suite struct `Application record properties` {
    /// Checks that random bytes of the right length parse to a record with the same bytes, and that rewriting a field with its
    /// own value changes nothing.
    private func expectLossless<Record: BlockRecord>(_ type: Record.Type, _ fields: (inout Record) -> Void...) throws {
        var random = TestRandom(Record.name)
        let byteCount = Record.Storage.byteCount
        for _ in 0..<500 {
            let bytes = random.bytes(byteCount)
            let record = try Record(parsing: bytes)
            #expect(record.bytes == bytes, "seed \(TestSeed.value): \(type)")
            for field in fields {
                var same = record
                field(&same)
                #expect(same == record, "seed \(TestSeed.value): \(type)")
            }
        }
        WireLaws.expectFixedSize(type, byteCount)
        #expect(Record(.zero).isUnused)
    }

    @Test func `records keep every bit`() throws {
        try expectLossless(
            TransitHistoryRecord.self, { $0.terminal = $0.terminal }, { $0.process = $0.process },
            { $0.usesCash = $0.usesCash }, { $0.payment = $0.payment }, { $0.gate = $0.gate }, { $0.date = $0.date },
            { $0.place = $0.place }, { $0.balance = $0.balance }, { $0.sequence = $0.sequence },
            { $0.region = $0.region })
        try expectLossless(
            TransitBalance.self, { $0.cardType = $0.cardType }, { $0.area = $0.area }, { $0.balance = $0.balance },
            { $0.updateNumber = $0.updateNumber })
        try expectLossless(
            TransitGateRecord.self, { $0.event = $0.event }, { $0.intermediateGate = $0.intermediateGate },
            { $0.station = $0.station }, { $0.machine = $0.machine }, { $0.date = $0.date }, { $0.time = $0.time },
            { $0.amount = $0.amount }, { $0.passFare = $0.passFare }, { $0.passStation = $0.passStation })
        try expectLossless(
            TransitEntry.self, { $0.entryStation = $0.entryStation }, { $0.date = $0.date },
            { $0.timeIn = $0.timeIn }, { $0.stationIn = $0.stationIn }, { $0.timeOut = $0.timeOut },
            { $0.stationOut = $0.stationOut })
        try expectLossless(
            PurseBlock.self, { $0.value = $0.value }, { $0.cashback = $0.cashback }, { $0.userData = $0.userData },
            { $0.executionID = $0.executionID })
    }

    @Test func `records of electronic money keep every bit`() throws {
        try expectLossless(
            EdyHistoryRecord.self, { $0.type = $0.type }, { $0.sequence = $0.sequence }, { $0.time = $0.time },
            { $0.amount = $0.amount }, { $0.balance = $0.balance })
        try expectLossless(EdyIdentification.self, { $0.number = $0.number })
        try expectLossless(
            NanacoHistoryRecord.self, { $0.type = $0.type }, { $0.amount = $0.amount }, { $0.balance = $0.balance },
            { $0.time = $0.time }, { $0.sequence = $0.sequence })
        try expectLossless(NanacoPoints.self, { $0.first = $0.first }, { $0.second = $0.second })
        try expectLossless(CardNumberBlock.self, { $0.number = $0.number })
        try expectLossless(
            WAONHistoryRecord.self, { $0.terminal = $0.terminal }, { $0.sequence = $0.sequence },
            { $0.type = $0.type }, { $0.time = $0.time }, { $0.balance = $0.balance },
            { $0.withdrawal = $0.withdrawal }, { $0.charge = $0.charge })
        try expectLossless(WAONPoints.self, { $0.points = $0.points })
        try expectLossless(OctopusBalance.self, { $0.balance = $0.balance })
        try expectLossless(SapicaPoints.self, { $0.points = $0.points })
        try expectLossless(
            RyutoHistoryRecord.self, { $0.date = $0.date }, { $0.boarding = $0.boarding },
            { $0.alighting = $0.alighting }, { $0.boardingStop = $0.boardingStop },
            { $0.alightingStop = $0.alightingStop }, { $0.type = $0.type }, { $0.fare = $0.fare },
            { $0.balance = $0.balance })
    }

    @Test func `attribute information blocks keep every bit`() throws {
        try expectLossless(
            AttributeInformationBlock.self, { $0.version = $0.version }, { $0.blocksPerRead = $0.blocksPerRead },
            { $0.blocksPerWrite = $0.blocksPerWrite }, { $0.blockCount = $0.blockCount }, { $0.unused = $0.unused },
            { $0.writeFlag = $0.writeFlag }, { $0.accessFlag = $0.accessFlag },
            { $0.messageLength = $0.messageLength }, { $0.checksum = $0.checksum })
    }

    @Test func `packed dates and times round-trip`() throws {
        var random = TestRandom("timestamps")
        for _ in 0..<2_000 {
            // 2005-01-01 to 2036-12-31, a range that every format can represent.
            let date = try #require(CalendarDate(daysSince2000: random.number(1_827...13_514)))
            let time = try #require(ClockTime(secondOfDay: random.number(0...86_399)))
            let toTheMinute = ClockTime(hour: time.hour, minute: time.minute)
            #expect(try TransitDate(date).date == date, "seed \(TestSeed.value)")
            let evenSecond = ClockTime(secondOfDay: time.secondOfDay & ~1)
            #expect(TransitTime(time).time == evenSecond, "seed \(TestSeed.value)")
            #expect(BCDTime(time).time == toTheMinute, "seed \(TestSeed.value)")
            let edy = try EdyTimestamp(date, time)
            #expect(edy.date == date && edy.time == time, "seed \(TestSeed.value)")
            let nanaco = try NanacoTimestamp(date, time)
            #expect(nanaco.date == date && nanaco.time == toTheMinute, "seed \(TestSeed.value)")
            let waon = try WAONTimestamp(date, time)
            #expect(waon.date == date && waon.time == toTheMinute, "seed \(TestSeed.value)")
        }
    }

    @Test func `no bit pattern traps a view or a description`() {
        var random = TestRandom("views")
        var characters = 0
        for _ in 0..<30_000 {
            let bits = UInt32(truncatingIfNeeded: random.next())
            let descriptions = [
                TransitDate(UInt16(bits >> 16)).description, TransitTime(UInt16(bits >> 16)).description,
                BCDTime(UInt16(bits >> 16)).description, EdyTimestamp(bits).description,
                NanacoTimestamp(bits).description, WAONTimestamp(bits).description,
            ]
            characters += descriptions.reduce(0) { $0 + $1.utf8.count }
        }
        #expect(characters > 30_000 * 30, "seed \(TestSeed.value)")
        var records: [TransitHistoryRecord] = []
        for _ in 0..<5_000 { records.append(TransitHistoryRecord(BlockData(random.bytes(16)))) }
        let trips = TransitHistory(records).trips
        #expect(trips.map(\.record) == records, "seed \(TestSeed.value)")
        #expect(trips.dropLast().allSatisfy { $0.amount != nil }, "seed \(TestSeed.value)")
    }
}
