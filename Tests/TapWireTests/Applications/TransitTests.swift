import TapWire
import Testing

@Suite struct `Transit records` {
    @Test(arguments: TransitHistoryRecord.Kind.allCases)
    func `keep the kind they were created with`(kind: TransitHistoryRecord.Kind) {
        var record = TransitHistoryRecord(kind, date: .none, balance: 0)
        #expect(record.kind == kind)
        #expect(record.terminal.name != nil && record.process.name != nil)
        record.usesCash = true
        #expect(record.kind == kind)
    }

    @Test(arguments: [
        (0x16, 0x15, TransitHistoryRecord.Kind.autoCharge), (0x1B, 0x02, .topUp), (0x07, 0x03, .ticketMachine),
        (0x05, 0x0F, .bus), (0x17, 0x01, .fareGate), (0xC8, 0x46, .vendingMachine), (0xC9, 0x46, .shop),
        (0x21, 0x05, .adjustment), (0x05, 0x1B, .busAdjustment),
    ])
    func `of other machines derive their kind from the process type`(
        terminal: Int, process: Int, kind: TransitHistoryRecord.Kind
    ) {
        var record = TransitHistoryRecord(.zero)
        record.terminal = TerminalType(UInt8(terminal))
        record.process = ProcessType(UInt8(process))
        #expect(record.kind == kind)
    }

    @Test func `have the kinds that scenarios use`() {
        let names = [
            "fare-gate", "shop", "bus", "top-up", "ticket-machine", "new-issue", "auto-charge", "adjustment",
        ]
        #expect(names.allSatisfy { TransitHistoryRecord.Kind(rawValue: $0) != nil })
        #expect(TransitHistoryRecord(.zero).kind == nil)
    }

    @Test func `share the four bytes of the place between all views`() throws {
        var record = TransitHistoryRecord(.bus, date: .none, balance: 0)
        record.place = .rail(entry: StationCode(line: 1, station: 2), exit: StationCode(line: 3, station: 4))
        #expect(record.place == .bus(company: 0x0102, stop: 0x0304))
    }

    @Test func `give every trip except the oldest an amount`() {
        let balances: [(TransitHistoryRecord.Kind, UInt16)] = [
            (.fareGate, 3120), (.shop, 3330), (.topUp, 4000), (.newIssue, 1500),
        ]
        var blocks = balances.map { TransitHistoryRecord($0, date: .none, balance: $1).stored }
        blocks.insert(.zero, at: 2)
        blocks += [.zero, .zero]
        let trips = TransitHistory(blocks: blocks).trips
        #expect(trips.map(\.amount) == [-210, -670, 2500, nil])
        #expect(trips.map(\.record.kind) == balances.map(\.0))
        #expect(TransitHistory(blocks: []).trips.isEmpty)
    }

    @Test func `give the largest amounts without overflow`() {
        let records = [0, UInt16.max, 0].map { TransitHistoryRecord(.fareGate, date: .none, balance: $0, sequence: 1) }
        #expect(TransitHistory(records).trips.map(\.amount) == [-65_535, 65_535, nil])
    }
}

@Suite struct `Station codes` {
    @Test(arguments: [("001-204", 0x01CC), ("000-000", 0), ("255-255", 0xFFFF), ("229-005", 0xE505)])
    func `are written in decimal`(text: String, rawValue: Int) {
        #expect(StationCode(text) == StationCode(UInt16(rawValue)))
        #expect(StationCode(UInt16(rawValue)).description == text)
    }

    @Test(arguments: ["", "1-204", "001204", "256-000", "001-256", "001-2O4", "001-204-1", "+01-204", "００１-204"])
    func `reject any other text`(text: String) {
        #expect(StationCode(text) == nil)
    }
}

@Suite struct `Named codes` {
    private func expectTable<Code: NamedCode>(_ type: Code.Type) {
        #expect(Set(Code.names.map(\.code)).count == Code.names.count, "\(type)")
        for name in Code.names {
            let code = Code(name.code)
            #expect(code.rawValue == name.code, "\(type)")
            #expect(code.name == name, "\(type)")
            #expect(!name.english.isEmpty && !name.japanese.isEmpty, "\(type)")
            #expect(Code(identifier: name.identifier)?.name?.english == name.english, "\(type)")
        }
        #expect(Code(identifier: "nothing-like-this") == nil)
    }

    @Test func `have one entry per code and are found by name`() {
        expectTable(TerminalType.self)
        expectTable(ProcessType.self)
        expectTable(PaymentType.self)
        expectTable(GateType.self)
        expectTable(TransitBalance.CardType.self)
        expectTable(TransitBalance.Area.self)
        expectTable(TransitGateRecord.Event.self)
        expectTable(EdyHistoryRecord.TransactionType.self)
        expectTable(NanacoHistoryRecord.TransactionType.self)
        expectTable(WAONHistoryRecord.TransactionType.self)
        expectTable(RyutoHistoryRecord.TransactionType.self)
    }

    @Test func `print as words, or as hexadecimal if unknown`() {
        #expect(TerminalType.automaticGate.description == "automatic gate")
        #expect(TerminalType.automaticGate.name?.japanese == "自動改札機")
        #expect(TerminalType(0xEE).description == "code EE")
        #expect(ProcessType(identifier: "shinkansen-exit") == .shinkansenExit)
        #expect(TerminalType(identifier: "ticket-machine") == .ticketMachine)
        #expect(ProcessType(0xC6) == .purchase)
    }
}

@Suite struct `Application services` {
    @Test(arguments: KnownApplication.all.map(\.services))
    func `are sorted by service code`(services: [ApplicationService]) {
        let codes = services.map(\.code.rawValue)
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
        #expect(services.allSatisfy { $0.code.attribute.isService && $0.blockCount > 0 })
    }

    @Test(arguments: KnownApplication.all)
    func `classify the privacy of every record field`(_ application: KnownApplication) {
        for service in application.services {
            let pieces = service.record?.fields.flatMap { $0.pieces(in: BlockPair.zero) } ?? []
            let masked = pieces.filter { if case .masked = $0.privacy { true } else { false } }
            #expect(masked.isEmpty, "\(service.code)")
        }
    }

    @Test func `are where clients look for them`() {
        #expect(TransitServices.history.code == NodeCode(0x090F))
        #expect(TransitServices.history.blockCount == 20)
        #expect(TransitServices.history.system == .transit)
        #expect(TransitServices.history.code.attribute.isAuthenticationFree)
        #expect(TransitServices.history.code.number == TransitServices.historyWithKey.code.number)
        #expect(EdyServices.balance.code.attribute.kind == .purse)
        #expect(WAONServices.history.system == .commonArea)
    }
}
