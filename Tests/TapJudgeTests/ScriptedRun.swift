import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// A run for the judge, exchange by exchange.
///
/// ```
/// 1  Polling 0003              pass answers
/// 2  Request Service           090F is there, 1234 is not
/// 3  Read 090F blocks 0..12    FF A2, the chip takes 12
/// 4  Read 090F blocks 0..11
/// 5  Read 090F blocks 12..19
/// 6  READ page 4               silence, the tag is not selected
/// 7  REQA … 11 SELECT
/// 12 PWD_AUTH 00 00 00 00      NAK 0
/// ```
struct ScriptedRun {
    static let cards = """
        cards:
          pass:
            ic: RC-S962
            idm: "01 02 03 04 05 06 07 08"
            systems: {"0003": {services: {"090F": 20}}}
          tag:
            ic: NTAG215
            uid: "04 A1 B2 C3 D4 E5 80"
            pages: {5: "01 02 03 04"}
            config: {pwd: "DE AD BE EF", pack: "C0 DE", auth0: 4, prot: read_write, authlim: 3}
        """

    private(set) var world: World
    private let idm = IDm(0x0102_0304_0506_0708)
    private let history = NodeCode(0x090F)

    init(_ test: ScenarioCase) {
        world = test.makeWorld()
        let start = world.rfCount
        send(.felica212, Polling.Request(systemCode: .transit).bytes)
        send(.felica212, RequestService.Request(idm: idm, nodes: [history, NodeCode(0x1234)]).bytes)
        read(0...12)
        read(0...11)
        read(12...19)
        send(.typeA106, ReadPages.Request(page: 4).bytes)
        _ = world.selectTypeA(.reqa, waiting: .milliseconds(5))
        send(.typeA106, PasswordAuthentication.Request(password: .zero).bytes)
        world.noteHost(since: start)
    }

    private mutating func read(_ blocks: ClosedRange<UInt16>) {
        let elements = blocks.map { BlockListElement(blockNumber: $0) }
        send(.felica212, ReadWithoutEncryption.Request(idm: idm, services: [history], blocks: elements).bytes)
    }

    private mutating func send(_ technology: Technology, _ bytes: [UInt8]) {
        _ = world.exchange(RFFrame(technology, bytes), waiting: .milliseconds(100))
    }

    /// The record of the run with a given end of the client.
    func record(client: String) -> RunRecord {
        let trips = Node.list([["kind": "shop", "balance": 1]] + Array(repeating: [:], count: 19))
        let result: Node = [
            "trips": trips, "balance": 3120, "name": "a", "none": .null, "list": [1, 3], "big": 123_456_789_012,
        ]
        let printed = "read 20 trips\n"
        let nfcpy = RunRecord.Transport(name: "nfcpy", variable: "TAPSIM_NFCPY")
        let pcsc = RunRecord.Transport(name: "pcsc", variable: "PCSCLITE_CSOCK_NAME")
        switch client {
        case "failed":
            return RunRecord(
                world: world, client: ClientReport(end: .exit(1), standardError: "one\nno card answered\n\n"))
        case "crashed":
            return RunRecord(
                world: world, client: ClientReport(end: .signal(11)), transportsOpened: [nfcpy], transportUsed: "nfcpy")
        case "hung":
            let report = ClientReport(end: .timeLimit, standardOutput: "{", wall: .seconds(60))
            return RunRecord(world: world, client: report, transportsOpened: [nfcpy], transportUsed: "nfcpy")
        case "endless":
            return RunRecord(world: world, client: ClientReport(end: .exchangeLimit))
        case "idle":
            return RunRecord(world: world, client: ClientReport(end: .idleLimit(.seconds(5)), standardError: "wait\n"))
        case "stuck":
            return RunRecord(world: world, client: ClientReport(end: .retryLimit(20)))
        case "dismissed":
            return RunRecord(world: world, client: ClientReport(end: .dismissed(exit: 3)))
        case "killed":
            return RunRecord(world: world, client: ClientReport(end: .dismissed(exit: nil)))
        case "waiting":
            var report = ClientReport(end: .timeLimit)
            report.isWaitingForCards = true
            return RunRecord(world: world, client: report)
        case "unheard":
            var report = ClientReport(end: .lineLimit("thank you", .seconds(10)), standardOutput: "ready\nUID 04\n")
            report.marks = [OutputMark(.output, end: 13, exchange: 5, time: .zero)]
            return RunRecord(world: world, client: report)
        case "leaving":
            var report = ClientReport(end: .exit(0))
            report.visits = ClientReport.Visits(planned: 3, finished: 1)
            return RunRecord(world: world, client: report)
        case "unready":
            var report = ClientReport(end: .exit(1), standardError: "no such option\n")
            report.missedReady = LinePattern("ready")
            return RunRecord(world: world, client: report)
        case "silent":
            var report = ClientReport(end: .timeLimit)
            report.missedReady = LinePattern("ready")
            return RunRecord(world: world, client: report, transportsOpened: [pcsc])
        case "outside":
            let report = ClientReport(end: .exit(0), standardOutput: "no reader\n", wall: .seconds(1))
            return RunRecord(world: world, client: report, transportsOpened: [pcsc, nfcpy])
        case "unimportable":
            let libnfc = RunRecord.Transport(name: "libnfc", variable: "LIBNFC_DEVICE")
            let report = ClientReport(
                end: .exit(1),
                standardError: "Traceback (most recent call last):\nModuleNotFoundError: No module named 'nfc'\n")
            return RunRecord(world: world, client: report, transportsOpened: [libnfc])
        case "lines":
            let printed = "balance 3120\ntrip 1\nbonus 7 yen\n"
            return RunRecord(world: world, client: ClientReport(end: .exit(0), standardOutput: printed))
        case "closed":
            let libnfc = RunRecord.Transport(name: "libnfc", variable: "LIBNFC_DEVICE")
            return RunRecord(world: world, client: ClientReport(end: .exit(0)), transportsOpened: [pcsc, libnfc])
        case "phone":
            var record = RunRecord(world: world, client: ClientReport(end: .exit(0)), transportsOpened: [pcsc])
            record.readsByPhone = true
            return record
        case "beside":
            let vpcd = RunRecord.Transport(name: "vpcd", variable: nil)
            return RunRecord(world: world, client: ClientReport(end: .exit(0)), transportsOpened: [vpcd])
        case "app", "open-app", "idle-app":
            var record = RunRecord(world: world, client: ClientReport(end: .elsewhere))
            record.phone = Self.report(client)
            return record
        default:
            let report = ClientReport(
                end: .exit(0), standardOutput: printed, standardError: "warning\n", result: result)
            return RunRecord(world: world, client: report)
        }
    }

    /// An app's sessions: three, one that is still open, or none.
    private static func report(_ client: String) -> PhoneReport {
        switch client {
        case "app":
            PhoneReport([
                .init(error: 203),
                .init(
                    alerts: ["Hold your card", "Reading"], errorMessage: "Not a transit card", error: 200,
                    isEndedByApp: true, tags: ["tag"]),
                .init(
                    alerts: ["Hold your card", "Balance\n3120 yen"], error: 200, isEndedByApp: true,
                    tags: ["pass", "tag"]),
            ])
        case "open-app": PhoneReport([.init()])
        default: PhoneReport()
        }
    }
}
