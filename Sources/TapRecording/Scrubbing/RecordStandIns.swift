import TapWire

// What of a record is replaced, in one place for each: a scrubbed record has the fields that are named here, and zero
// everywhere else.

/// A record that can be scrubbed.
private protocol ScrubbedRecord: BlockRecord {
    func scrubbed(by standIns: inout StandIns) -> Self
}

extension RecordKind {
    /// A block with stand-ins; one that says nothing stays.
    ///
    /// - Parameter number: Which block of its service it is; of two blocks with one record the even one is the first.
    func scrubbed(_ block: BlockData, number: UInt16, by standIns: inout StandIns) -> BlockData {
        guard !block.bytes.saysNothing else { return block }
        switch self {
        case .transitHistory: return standIns.record(TransitHistoryRecord(block))
        case .transitBalance: return standIns.record(TransitBalance(block))
        case .transitGate: return standIns.record(TransitGateRecord(block))
        case .transitEntry: return standIns.record(TransitEntry.self, half: block, number: number)
        case .sapicaPoints: return standIns.record(SapicaPoints(block))
        case .ryutoHistory: return standIns.record(RyutoHistoryRecord(block))
        case .octopusBalance: return standIns.record(OctopusBalance(block))
        case .purse: return standIns.record(PurseBlock(block))
        case .cardNumber: return standIns.record(CardNumberBlock(block))
        case .edyIdentification: return standIns.record(EdyIdentification(block))
        case .edyHistory: return standIns.record(EdyHistoryRecord(block))
        case .nanacoPoints: return standIns.record(NanacoPoints(block))
        case .nanacoHistory: return standIns.record(NanacoHistoryRecord(block))
        case .waonPoints: return standIns.record(WAONPoints(block))
        case .waonHistory: return standIns.record(WAONHistoryRecord.self, half: block, number: number)
        }
    }
}

extension StandIns {
    private static let unsettled = StandIns(keeping: [])

    fileprivate mutating func record<Record: ScrubbedRecord>(_ record: Record) -> Record.Storage {
        var scrubbed = record.scrubbed(by: &self)
        // The named fields as they are: what has not been settled changes nothing.
        var unsettled = Self.unsettled
        let named = record.scrubbed(by: &unsettled)
        let lost = (0..<Record.Storage.byteCount).map { record.stored[$0] ^ named.stored[$0] }
        guard lost.contains(where: { $0 != 0 }) else { return scrubbed.stored }
        if bytes(.unnamed, record.bytes, by: named.bytes) == record.bytes {
            for (index, bits) in lost.enumerated() { scrubbed.stored[index] ^= bits }
        }
        return scrubbed.stored
    }

    /// One of the two blocks of a record, no field of which lies in both.
    fileprivate mutating func record<Record: ScrubbedRecord>(
        _: Record.Type, half block: BlockData, number: UInt16
    ) -> BlockData where Record.Storage == BlockPair {
        number % 2 == 0
            ? record(Record(BlockPair(block, .zero))).first : record(Record(BlockPair(.zero, block))).second
    }

    fileprivate mutating func date(_ date: TransitDate) -> TransitDate {
        guard let day = date.date else { return TransitDate(blank(date.rawValue)) }
        return (try? TransitDate(self.date(day, notBefore: TransitDate.years.lowerBound))) ?? .none
    }

    fileprivate mutating func time(_ time: BCDTime) -> BCDTime {
        guard let clock = time.time else { return BCDTime(blank(time.rawValue)) }
        return BCDTime(self.time(clock))
    }

    fileprivate mutating func time(_ time: TransitTime) -> TransitTime {
        guard let clock = time.time else { return TransitTime(blank(time.rawValue)) }
        return TransitTime(self.time(clock))
    }

    fileprivate mutating func time(_ time: RyutoTime) -> RyutoTime {
        guard let clock = time.time else { return RyutoTime(blank(time.rawValue)) }
        return RyutoTime(self.time(clock))
    }

    fileprivate mutating func timestamp<Stamp: PackedTimestamp>(_ stamp: Stamp, notBefore year: Int) -> Stamp {
        guard stamp.rawValue != 0 else { return stamp }
        guard let date = stamp.date, let time = stamp.time,
            let scrubbed = try? Stamp(self.date(date, notBefore: year), self.time(time))
        else { return Stamp(blank(stamp.rawValue)) }
        return scrubbed
    }

    fileprivate mutating func timestamp<Stamp: MinuteTimestamp>(_ stamp: Stamp) -> Stamp {
        timestamp(stamp, notBefore: Stamp.years.lowerBound)
    }
}

extension TransitHistoryRecord: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        // The layout of the place follows from the first of these.
        record.terminal = self.terminal
        record.process = self.process
        record.usesCash = self.usesCash
        record.payment = self.payment
        record.gate = self.gate
        record.date = standIns.date(self.date)
        record.place = place.scrubbed(by: &standIns)
        record.balance = self.balance
        record.sequence = standIns.sequence(self.sequence, of: .transit)
        record.region = standIns.area(self.region)
        return record
    }
}

extension TransitHistoryRecord.Place {
    fileprivate func scrubbed(by standIns: inout StandIns) -> Self {
        switch self {
        case .rail(let entry, let exit): .rail(entry: standIns.station(entry), exit: standIns.station(exit))
        case .shop(let time, let terminal): .shop(standIns.time(time), terminal: standIns.number(terminal))
        case .bus(let company, let stop): .bus(company: standIns.number(company), stop: standIns.number(stop))
        case .machine(let station, let number):
            .machine(standIns.station(station), number: standIns.number(number))
        }
    }
}

extension TransitBalance: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.cardType = self.cardType
        record.area = standIns.area(self.area)
        record.balance = self.balance
        record.updateNumber = standIns.sequence(self.updateNumber, of: .transit)
        return record
    }
}

extension TransitGateRecord: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.event = self.event
        record.intermediateGate = self.intermediateGate
        record.station = standIns.station(self.station)
        record.machine = standIns.number(self.machine)
        record.date = standIns.date(self.date)
        record.time = standIns.time(self.time)
        record.amount = self.amount
        record.passFare = self.passFare
        record.passStation = standIns.station(self.passStation)
        return record
    }
}

extension TransitEntry: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.entryStation = standIns.station(self.entryStation)
        record.date = standIns.date(self.date)
        record.timeIn = standIns.time(self.timeIn)
        record.stationIn = standIns.station(self.stationIn)
        record.timeOut = standIns.time(self.timeOut)
        record.stationOut = standIns.station(self.stationOut)
        return record
    }
}

extension RyutoHistoryRecord: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.type = self.type
        record.date = standIns.date(self.date)
        record.boarding = standIns.time(self.boarding)
        record.alighting = standIns.time(self.alighting)
        record.boardingStop = standIns.number(self.boardingStop)
        record.alightingStop = standIns.number(self.alightingStop)
        record.fare = self.fare
        record.balance = self.balance
        return record
    }
}

extension PurseBlock: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.value = self.value
        record.cashback = self.cashback
        record.userData = standIns.data(self.userData)
        record.executionID = standIns.data(self.executionID)
        return record
    }
}

extension CardNumberBlock: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self { Self(number: standIns.cardNumber(self.number)) }
}

extension EdyIdentification: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self { Self(number: standIns.cardNumber(self.number)) }
}

extension EdyHistoryRecord: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.type = self.type
        record.sequence = standIns.sequence(self.sequence, of: .edy)
        record.time = standIns.timestamp(self.time, notBefore: 2000)
        record.amount = self.amount
        record.balance = self.balance
        return record
    }
}

extension NanacoHistoryRecord: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.type = self.type
        record.amount = self.amount
        record.balance = self.balance
        record.time = standIns.timestamp(self.time)
        record.sequence = standIns.sequence(self.sequence, of: .nanaco)
        return record
    }
}

extension WAONHistoryRecord: ScrubbedRecord {
    func scrubbed(by standIns: inout StandIns) -> Self {
        var record = Self(.zero)
        record.terminal = standIns.data(terminal, as: .number)
        record.sequence = standIns.sequence(self.sequence, of: .waon)
        record.type = self.type
        record.time = standIns.timestamp(self.time)
        record.balance = self.balance
        record.withdrawal = self.withdrawal
        record.charge = self.charge
        return record
    }
}

// Points and balances alone.

extension SapicaPoints: ScrubbedRecord {
    func scrubbed(by _: inout StandIns) -> Self { Self(points: self.points) }
}

extension OctopusBalance: ScrubbedRecord {
    func scrubbed(by _: inout StandIns) -> Self { Self(self.balance) }
}

extension NanacoPoints: ScrubbedRecord {
    func scrubbed(by _: inout StandIns) -> Self {
        var record = Self(.zero)
        record.first = self.first
        record.second = self.second
        return record
    }
}

extension WAONPoints: ScrubbedRecord {
    func scrubbed(by _: inout StandIns) -> Self {
        var record = Self(.zero)
        record.points = self.points
        return record
    }
}
