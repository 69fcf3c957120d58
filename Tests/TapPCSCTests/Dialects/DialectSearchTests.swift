import TapClient
import TapField
import TapPCSC
import TapReaders
import TapWire
import Testing

@Suite struct `The dialect of a reader` {
    @Test(arguments: [
        ("ACS ACR122U PICC Interface 00 00", ReaderFamily.acr122), ("ACS ACR1252 1S CL Reader PICC 0", .acs),
        ("ACS ACR1281 1S Dual Reader 00 01", .acs), ("ACS ACM1252U-Y3 00 00", .acs),
        ("Sony FeliCa Port/PaSoRi 3.0 0", .rcs380), ("SONY FeliCa RC-S300/P (0123456) 00 00", .rcs300),
        ("Sony FeliCa Port/PaSoRi 4.0 0", .rcs300), ("OMNIKEY 5022-CL 0", .standard), ("", .standard),
    ])
    func `is guessed from its name`(name: String, family: ReaderFamily) {
        #expect(ReaderFamily(readerName: name) == family)
    }

    /// The first bytes of a dialect's commands, for each technology.
    private static let marks: [ReaderModel: (felica: [UInt8], typeA: [UInt8])] = [
        .storageCard: ([0xFF, 0xC2, 0x00, 0x01], [0xFF, 0xC2, 0x00, 0x01]),
        .acr122u: ([0xFF, 0x00, 0x00, 0x00], [0xFF, 0x00, 0x00, 0x00]),
        .rcs380: ([0xFF, 0xFE, 0x01, 0x00], [0xFF, 0xC2, 0x00, 0x01]),
        .rcs300: ([0xFF, 0x50, 0x00, 0x01], [0xFF, 0x50, 0x00, 0x01]),
        .rcs330: ([0xFF, 0xFE, 0x01, 0x00], [0xFF, 0xC2, 0x00, 0x01]),
        .scl3711: ([0xFF, 0xC2, 0x00, 0x01], [0xFF, 0xC2, 0x00, 0x01]),
    ]

    @Test(arguments: ReaderModel.allCases)
    func `is the dialect of its family`(model: ReaderModel) async throws {
        let marks = try #require(Self.marks[model])
        for (procedure, mark) in [(Procedure.transitCard, marks.felica), (.protectedNDEF, marks.typeA)] {
            let channel = ModelChannel(model.makeReader(), in: try procedure.world())
            var reader = CardReader(PCSCLink(channel))
            _ = await procedure.outcome(&reader)
            let exchanges = channel.sent.filter { $0.starts(with: mark) }
            #expect(exchanges.count > 4, "\(procedure)")
        }
    }

    @Test(arguments: [ReaderModel.storageCard, .rcs380, .rcs300])
    func `leaves no open session`(model: ReaderModel) async throws {
        let channel = ModelChannel(model.makeReader(), in: try Procedure.ndef.world())
        do {
            var link = PCSCLink(channel)
            #expect(try await link.activate(.typeA(), timeout: .zero) != nil)
            #expect(!channel.isClosed)
        }
        #expect(channel.isClosed)
        let dialect: SessionRequest.Dialect = model == .rcs300 ? .rcs300 : .standard
        #expect(channel.sent.last == SessionRequest(.manage, [.end], dialect: dialect).bytes)
    }

    @Test func `reports data that it cannot transfer`() async throws {
        var link = PCSCLink(ModelChannel(ReaderModel.acr122u.makeReader(), in: try Procedure.ndef.world()))
        #expect(try await link.activate(.typeA(), timeout: .zero) != nil)
        let whole = RFFrame(.typeA106, FastRead.Request(first: 0, last: 0x86).bytes)
        var error = await #expect(throws: LinkError.self) { try await link.transceive(whole, timeout: .zero) }
        #expect(error?.code == .tooLong)
        let broken = RFFrame(.typeA106, ReadPages.Request(page: 0).bytes, integrity: .badParity)
        error = await #expect(throws: LinkError.self) { try await link.transceive(broken, timeout: .zero) }
        #expect(error?.code == .unsupported)
        let long = RFFrame(.felica212, [255] + Array(repeating: 0, count: 254))
        error = await #expect(throws: LinkError.self) { try await link.transceive(long, timeout: .zero) }
        #expect(error?.code == .tooLong)
    }

    @Test(arguments: Procedure.allCases)
    func `is detected from a reader's answers if its name is unknown or misleading`(procedure: Procedure) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)
        let readers: [any PCSCReader] = [
            ReaderModel.acr122u.makeReader(name: "Some Reader"),
            ReaderModel.storageCard.makeReader(name: "ACS ACR122U"),
            ReaderModel.storageCard.makeReader(name: "RC-S300/S"), ReaderModel.rcs300.makeReader(name: "Some Reader"),
        ]
        for reader in readers {
            var client = CardReader(PCSCLink(ModelChannel(reader, in: try procedure.world())))
            #expect(await procedure.outcome(&client) == expected)
        }
    }

    @Test(arguments: Procedure.allCases)
    func `does not need commands to the reader itself, which a driver may reject`(procedure: Procedure) async throws {
        var virtual = CardReader(VirtualLink(try procedure.world()))
        let expected = await procedure.outcome(&virtual)
        for model in ReaderModel.allCases {
            let channel = ModelChannel(model.makeReader(), in: try procedure.world())
            channel.hasControl = false
            var client = CardReader(PCSCLink(channel))
            #expect(await procedure.outcome(&client) == expected, "\(model)")
        }
    }
}
