import TapCards
import TapDocument
import TapField
import TapJudge
import TapReaders
import TapScenario
import TapWire

/// A run built by hand: cards, frames of a reader, the end of a client.
struct OutcomeScript {
    static let idm = IDm(0x0102_0304_0506_0708)
    static let history = NodeCode(0x090F)
    static let source = """
        format: 1
        cards:
          pass:
            ic: RC-S962
            idm: "01 02 03 04 05 06 07 08"
            systems: {"0003": {services: {"090F": 20, "0009": 4}}}
          tag:
            ic: NTAG215
            uid: "04 A1 B2 C3 D4 E5 80"
            ndef: [{uri: "https://example.com/a"}]
            config: {pwd: "DE AD BE EF", pack: "C0 DE"}
        """

    private(set) var world: World
    var client = ClientReport(end: .exit(0), result: ["trips": .list((0..<20).map(Node.number)), "balance": 3120])
    var service: ServiceUse?

    private let start: World.RFCount

    init(_ test: ScenarioCase) {
        world = test.makeWorld()
        start = world.rfCount
    }

    /// A run of a client that reads in order.
    static func clean(_ test: ScenarioCase) -> OutcomeScript {
        var script = OutcomeScript(test)
        script.poll()
        script.read(0..<12)
        script.read(12..<20)
        return script
    }

    /// A run of a client that writes a message to the tag, the length last.
    static func writer(_ test: ScenarioCase) -> OutcomeScript {
        var script = OutcomeScript(test)
        script.select()
        script.writeMessage()
        return script
    }

    /// Writes the message, the length last.
    mutating func writeMessage() {
        write(4, "03 00 FE 00")
        write(5, "02 54 00 41")
        write(6, "FE 00 00 00")
        write(4, "03 06 D1 01")
    }

    /// Taps a tag that differs from the first only in the UID.
    mutating func addOther() {
        guard let tag = world.card(named: "tag") else { return }
        world.add(tag.engine.withAnotherIdentifier(), named: "other")
        world.tap("other")
    }

    @discardableResult
    mutating func send(_ technology: Technology, _ bytes: [UInt8]) -> FieldAnswer {
        world.exchange(RFFrame(technology, bytes), waiting: .milliseconds(100))
    }

    @discardableResult
    mutating func ntag(_ text: String) -> FieldAnswer { send(.typeA106, Self.bytes(text)) }

    mutating func poll(_ system: SystemCode = .transit) {
        send(.felica212, Polling.Request(systemCode: system).bytes)
    }

    mutating func read(_ blocks: Range<Int>, idm: IDm = idm, service: NodeCode = history) {
        let elements = blocks.map { BlockListElement(blockNumber: UInt16($0)) }
        send(.felica212, ReadWithoutEncryption.Request(idm: idm, services: [service], blocks: elements).bytes)
    }

    mutating func writeBlock(_ number: UInt16, _ data: BlockData, service: NodeCode = NodeCode(0x0009)) {
        let request = WriteWithoutEncryption.Request(
            idm: Self.idm, services: [service], blocks: [BlockListElement(blockNumber: number)], data: [data])
        send(.felica212, request.bytes)
    }

    mutating func select() {
        _ = world.selectTypeA(.wupa, waiting: .milliseconds(5))
    }

    mutating func write(_ page: Int, _ data: String) {
        ntag("A2 \(Hex.digits(UInt8(page), width: 2)) \(data)")
    }

    /// Lets the reader answer an APDU without asking a card.
    mutating func tell(_ answer: [UInt8]) {
        world.noteHost(since: world.rfCount, HostCall(.apdu, [0xFF, 0xCA, 0, 0, 0], .answer(answer + [0x90, 0])))
    }

    /// Adds a PC/SC call at which faults are injected.
    mutating func call(_ call: PCSCCall) { world.called(call) }

    mutating func remove(_ card: String) { world.remove(card) }
    mutating func tap(_ card: String) { world.tap(card) }

    /// Ends the client with an exit code and a text on standard error.
    mutating func fail(_ code: Int32 = 1, _ words: String = "no card\n") {
        client = ClientReport(end: .exit(code), standardError: words)
    }

    mutating func end(_ end: ClientReport.End) { client = ClientReport(end: end) }

    var record: RunRecord {
        var world = world
        world.noteHost(since: start)
        return RunRecord(world: world, client: client, service: service)
    }

    static func bytes(_ text: String) -> [UInt8] {
        text.split(separator: " ").map { UInt8($0, radix: 16) ?? 0 }
    }
}
