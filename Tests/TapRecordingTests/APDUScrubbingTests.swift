import TapCards
import TapField
import TapReaders
import TapRecording
import TapScenario
import TapWire
import TestSupport
import Testing

/// Scrubbing of the APDUs between a program and a reader.
@Suite struct `Scrubbed reader sessions` {
    private static let idm = "0101112233445566"
    private static let uid = "04A23B5C6D7E80"
    private static let transit = "{template: suica, idm: '\(idm)', trips: 3}"
    private static let tag = "{ic: NTAG215, uid: \(uid), ndef: [{uri: 'https://shop.invalid/8812'}]}"
    private static let read = "06\(idm)010F090280008001"

    /// Commands of programs that read two history blocks, or the first pages of a tag.
    private static let cases: [(model: ReaderModel, card: String, commands: [String])] = [
        (.storageCard, transit, ["FFCA000000", "FFB0000008010F0902 80008001 00"]),
        (
            .storageCard, transit,
            ["FFC20000028100", "FFC20002048F020300", "FFC2000114 9512 12\(read)", "FFC20000028200"]
        ),
        (.rcs380, transit, ["FFA40001020F09", "FFB0000010", "FFB080020480008001", "FFFE010012 12\(read) 00"]),
        (.rcs380, transit, ["FFFE0000050000030000", "FFCA000000"]),
        (
            .acr122u, transit,
            ["FF00000009D44A010100FFFF0100", "FF00000015 D44001 12\(read)", "FF00000014 D442 12\(read)"]
        ),
        (.storageCard, tag, ["FFCA000000", "FFB0000010", "FFB0000410", "FFB0000810", "FFD6000A04 73686F70"]),
        (.acr122u, tag, ["FF00000004D44A0100", "FF00000005D440013000", "FF00000005D440013004", "FF00000004D4423008"]),
        (
            .storageCard, tag,
            ["FFC20000028100", "FFC20002048F020003", "FFC20001049502 3000", "FFC20001049502 3004", "FFC20000028200"]
        ),
    ]

    private func session(_ model: ReaderModel, _ card: String, _ commands: [String]) throws -> RecordedSession {
        let scenario = try MadeSession.scenario("format: 1\ncards: {card: \(card)}\n")
        var world = scenario.makeWorld()
        var reader = model.makeReader()
        var session = RecordedSession(.apdu, .unknown)
        if case .card(let slot) = reader.reset(in: &world) { session.atr = slot.atr }
        #expect(session.atr != nil)
        session.readerName = "\(model.name) (0123456) 00 00"
        for command in commands {
            let bytes = try Hex.bytes(command.filter { $0 != " " })
            let answer = reader.transmit(bytes, in: &world)
            guard case .answer(let answer) = answer else { continue }
            session.exchanges.append(.init(bytes, .init(answer)))
        }
        return session
    }

    @Test(arguments: cases.indices) func `reveal nothing about the card, whatever carries it`(_ index: Int) throws {
        let (model, card, commands) = Self.cases[index]
        let session = try session(model, card, commands)
        let answers = session.exchanges.map { Hex.text($0.answer?.bytes ?? []) }
        let file = RecordingFile(name: "made", session.scrubbed().session).text
        #expect(RecordingCheck.findings(in: try MadeSession.scenario(file)) == [])
        let told = try MadeSession.scenario(RecordingFile(name: "made", session).text)
        #expect(!RecordingCheck.findings(in: told).isEmpty)
        #expect(session.exchanges.count == commands.count)
        #expect(answers.contains { $0.count > 30 }, "\(answers)")
        let once = session.scrubbed()
        #expect(once.session.scrubbed().session == once.session)
        let traces =
            card == Self.transit
            ? [String(Self.idm.dropFirst(1))] + (try Self.places(card))
            : ["04A23B", "5C6D7E80", Hex.text(Array("shop".utf8)), "38383132"]
        for trace in traces { #expect(!digits(once.session).contains(trace), "\(trace)") }
        #expect(traces.contains { digits(session).contains($0) })
        #expect(once.session.readerName == "\(model.name) (0000000) 00 00")
        #expect(once.session.byteCounts == session.byteCounts)
    }

    private func digits(_ session: RecordedSession) -> String {
        session.exchanges.map { Hex.text($0.command) + " " + Hex.text($0.answer?.bytes ?? []) }.joined(separator: " ")
    }

    /// The stored dates and places of a card's newest records.
    private static func places(_ card: String) throws -> [String] {
        let scenario = try MadeSession.scenario("format: 1\ncards: {card: \(card)}\n")
        guard case .felica(let template, _) = scenario.cards[0].definition else { return [] }
        let services = template.definition.systems.flatMap(\.services)
        let history = services.first { $0.code == TransitServices.history.code }
        return (history?.blocks.prefix(2) ?? []).map { Hex.text($0.bytes[4..<10]) }
    }

    @Test func `have a correct CRC if the program sends it`() throws {
        let page: [UInt8] = [0x04, 0xA2, 0x3B, 0x15, 0x5C, 0x6D, 0x7E, 0x80, 0xCF, 0x48, 0, 0, 0xE1, 0x10, 0x3E, 0]
        let answer = page + CRCA.wireBytes(of: CRCA.checksum(of: page))
        let frame = [0x30, 0x00] + CRCA.wireBytes(of: CRCA.checksum(of: [0x30, 0x00]))
        var session = RecordedSession(.apdu, .typeA(uid: try #require(UID(Array(page[0..<3] + page[4..<8])))))
        let command = CommandAPDU(ins: .acs, data: [0xD4, 0x42] + frame).bytes
        session.exchanges = [.init(command, .init([0xD5, 0x43, 0x00] + answer + [0x90, 0x00]))]
        let new = try #require(session.scrubbed().session.exchanges[0].answer?.bytes)
        let scrubbed = Array(new[3..<19])
        #expect(scrubbed != page && scrubbed[3] == 0x88 ^ scrubbed[0] ^ scrubbed[1] ^ scrubbed[2])
        #expect(Array(new[19..<21]) == CRCA.wireBytes(of: CRCA.checksum(of: scrubbed)))
    }

    @Test func `keep a GET RESPONSE without a preceding command unchanged`() {
        var session = RecordedSession(.apdu, .unknown)
        for _ in 0..<2 { session.exchanges.append(.init([0xFF, 0xC0, 0, 0, 8], .init([0x61, 8]))) }
        #expect(session.scrubbed().session.exchanges == session.exchanges)
    }

    @Test func `do not change when scrubbed again, whatever they contain`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(300) {
            var session = RecordedSession(
                .apdu, random.oneIn(2) ? .unknown : .felica(idm: IDm(random.any()), pmm: nil, system: nil))
            for _ in 0..<random.number(1...5) {
                let head: [UInt8] = random.pick([
                    [0xFF, 0xCA, 0, 0], [0xFF, 0xB0, 0, 4], [0xFF, 0xD6, 0, 4], [0xFF, 0, 0, 0], [0xFF, 0xC2, 0, 1],
                    [0xFF, 0xA4, 0, 1], [0xFF, 0xFE, 1, 0], [0xFF, 0xB0, 0x80, 2], [0xFF, 0xC0, 0, 0], [0, 0xB0, 0, 0],
                ])
                let carried: [UInt8] = random.pick([
                    [0xD4, 0x42], [0xD4, 0x40, 1], [0xD4, 0x4A, 1, 0], [0x95, 3], [0x0F, 0x09], [],
                ])
                let data = carried + random.bytes(random.number(below: 20))
                let command = head + (data.isEmpty ? [0] : [UInt8(data.count)] + data)
                let answer =
                    random.pick([[0xD5, 0x43, 0], [0xD5, 0x4B, 1, 1], [0x97, 8], []])
                    + random.bytes(random.number(below: 40))
                session.exchanges.append(.init(command, .init(answer + random.pick([[0x90, 0], [0x61, 8]]))))
            }
            let once = session.scrubbed()
            let twice = once.session.scrubbed().session
            #expect(twice == once.session, "TAPSIM_TEST_SEED=\(TestSeed.value)")
            #expect(once.session.byteCounts == session.byteCounts)
        }
    }
}
