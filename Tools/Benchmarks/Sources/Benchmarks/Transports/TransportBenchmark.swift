import Floor
import Foundation
import TapCards
import TapTransports
import TapHost
import TapField
import TapReaders
import TapWire

/// Measures round trips through transports against servers in C on the same kind of channel.
enum TransportBenchmark {
    /// The most that a round trip may take, as a multiple of one to a server in C.
    private static let goal = 1.15
    private static let sampleTime = 5e7

    static func measure(_ report: Report) throws {
        report.begin("Round trip through a transport, median of \(Stopwatch.roundCount) rounds")
        try measureLines("Unix socket", at: temporaryPath(), report)
        try measureLines("TCP", at: nil, report)
        try measureTerminal(report)
        let tag = try BenchmarkCards.tag()
        for (title, command, answer) in [
            ("GET DATA", [0xFF, 0xCA, 0, 0, 0], tag.uid.bytes + [0x90, 0x00]),
            ("READ BINARY", [0xFF, 0xB0, 0, 4, 16], tag.userMemory.prefix(16) + [0x90, 0x00]),
        ] as [(String, [UInt8], [UInt8])] {
            try measurePrivateService(title, NTAGCard(tag), command, answer, report)
            try measureVpcd(title, NTAGCard(tag), command, answer, report)
        }
    }

    private static func compare(_ title: String, floor: Child, ours: Child, _ report: Report) {
        guard floor.answer == ours.answer else { fail("\(title): the floor gives another answer") }
        var stopwatch = Stopwatch(sampleTime: sampleTime)
        report.add(stopwatch.row(title, goal: goal, floor: floor.time, ours: ours.time) { "C \(text($0 / 1_000)) µs" })
    }

    /// A field that keeps a trace, as a run does, with a card in it.
    private static func host(_ card: some CardEngine) -> FieldHost {
        FieldHost(BenchmarkCards.world(card, trace: Trace()), exchangeLimit: .max)
    }

    private static func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.path + "/tapsim-bench-\(UUID().uuidString)"
    }

    private static func measureLines(_ title: String, at path: String?, _ report: Report) throws {
        let exchange = LineExchange(
            BenchmarkCards.world(try FeliCaCard(BenchmarkCards.transit)), technology: .felica212)
        let server = try LineServer(exchange, at: path.map { .unix($0) } ?? .tcp(0)) { fail("\($0)") }
        let floorPath = path == nil ? "" : temporaryPath()
        defer {
            server.close()
            unsafe unlink(floorPath)
        }
        let line = Array("\(Hex.text(BenchmarkCards.readOfOneBlock))\n".utf8)
        let floor = FloorServer.listen(
            FLOOR_LINES, at: floorPath, answer: Array("\(Hex.text(floorAnswer))\n".utf8))
        let token = server.token.map { [Array("@token \($0)\n".utf8)] } ?? []
        compare(
            "\(title): read 1 block", floor: try ClientProgram.stream(floor, [line]),
            ours: try ClientProgram.stream(path ?? "\(server.address)", token + [line]), report)
    }

    /// The answer of the card in C to a read of one block.
    private static var floorAnswer: [UInt8] {
        FloorCard(BenchmarkCards.transit).answer(BenchmarkCards.readOfOneBlock).bytes
    }

    /// Measures a PN532 at a pseudo-terminal: InListPassiveTarget for one card at 212 kbit/s with the payload of a
    /// Polling, then InDataExchange.
    private static func measureTerminal(_ report: Report) throws {
        let host = host(try FeliCaCard(BenchmarkCards.transit))
        let transport = try LibnfcTransport(host: host)
        defer {
            host.close()
            transport.close()
        }
        guard let terminal = transport.environment.last?.value else { fail("there is no terminal") }
        let polling = Polling.Request(systemCode: .transit, requestCode: .systemCode).bytes.dropFirst()
        let packets = [[0xD4, 0x4A, 0x01, 0x01] + polling, [0xD4, 0x40, 0x01] + BenchmarkCards.readOfOneBlock]
        let messages = packets.map { PN532Frame.information($0).bytes }
        let answer = PN532Frame.information([0xD5, 0x41, 0x00] + floorAnswer).bytes
        let floor = FloorServer.openTerminal(answer: PN532Frame.acknowledgement.bytes + answer)
        compare(
            "pseudo-terminal: read 1 block", floor: try ClientProgram.stream(floor, messages),
            ours: try ClientProgram.stream(terminal, messages), report)
    }

    private static func measurePrivateService(
        _ title: String, _ card: NTAGCard, _ command: [UInt8], _ answer: [UInt8], _ report: Report
    ) throws {
        let host = host(card)
        let service = try PCSCTransport(host: host, readers: [ReaderModel.storageCard.makeReader()])
        let floorSocket = FloorServer.listen(FLOOR_PCSC, at: temporaryPath(), answer: answer)
        defer {
            service.close()
            host.close()
            unsafe unlink(floorSocket)
        }
        guard let reader = service.readerName(0), let socket = service.environment.first?.value else {
            fail("the service has no reader")
        }
        compare(
            "private service: \(title)", floor: try ClientProgram.pcsc(command, to: reader, at: floorSocket),
            ours: try ClientProgram.pcsc(command, to: reader, at: socket), report)
    }

    /// Measures cards in two slots of an installed pcscd, which the launcher of the checkout starts.
    private static func measureVpcd(
        _ title: String, _ card: NTAGCard, _ command: [UInt8], _ answer: [UInt8], _ report: Report
    ) throws {
        struct Ready: Decodable {
            struct Reader: Decodable {
                let name: String
                let port: UInt16
            }
            let socket: String
            let readers: [Reader]
        }
        let launcher = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../../lib/private_pcscd.py")
        let pcscd = try Child(["python3", launcher.standardized.path, "Ours", "Floor"], of: "/usr/bin/env")
        let ready = try JSONDecoder().decode(Ready.self, from: Data(pcscd.answer.utf8))
        let host = host(card)
        let slot = ReaderSlot(ReaderModel.storageCard.makeReader(), on: host)
        let transport = try VpcdTransport(slot, on: host, port: ready.readers[0].port)
        defer {
            transport.close()
            host.close()
        }
        let ours = try ClientProgram.pcsc(command, to: ready.readers[0].name, at: ready.socket)
        guard !ours.answer.isEmpty, case .card(let card) = slot.refresh().content else { fail("the slot has no card") }
        FloorServer.connect(toPort: ready.readers[1].port, atr: card.atr, answer: answer)
        let floor = try ClientProgram.pcsc(command, to: ready.readers[1].name, at: ready.socket)
        withExtendedLifetime(pcscd) { compare("pcscd and vpcd: \(title)", floor: floor, ours: ours, report) }
    }
}
