import TapCards
import TapDocument
import TapField
import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

@testable import TapHost

/// The remote reader connected to a world, as its transport connects them.
private struct Joined {
    var remote = FelicaRemote()
    var world: World
    private(set) var hasHungUp = false

    init() throws {
        world = try World.withTwoCards()
        world.tap("felica")
    }

    /// Sends bytes and returns the answer.
    mutating func send(_ bytes: [UInt8]) -> String {
        remote.receive(bytes[...])
        var output: [UInt8] = []
        while !hasHungUp, let action = remote.next() {
            switch action {
            case .send(let bytes): output += bytes
            case .work: remote.work(in: &world)
            case .hangUp: hasHungUp = true
            case .wait: Issue.record("the reader must not wait")
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Sends a line and reads the answer.
    mutating func ask(_ line: String) throws -> Node {
        let answer = send(Array((line + "\n").utf8))
        var diagnostics = Diagnostics()
        #expect(answer.hasSuffix("\n") && answer.utf8.count { $0 == 0x0A } == 1, "\(answer)")
        let node = JSONReader().read(SourceFile(name: "answer", bytes: Array(answer.utf8)), into: &diagnostics)
        return try #require(node, "\(answer)")
    }
}

/// Requests as sent by felica-rs 1.0.1.
@Suite struct `The remote reader of felica-rs` {
    private static let poll =
        #"{"type":"detect_type_f","bitrate":"212F","system_code":65535,"request_code":1,"time_slots":0}"#

    private func transceive(_ data: String, timeout: String = "1000") -> String {
        #"{"type":"transceive","bitrate":"212F","data":"\#(data)","timeout_ms":\#(timeout)}"#
    }

    @Test func `polls a card at both bit rates and returns the requested data`() throws {
        var joined = try Joined()
        let found = try joined.ask(Self.poll)
        #expect(found["status"]?.text == "success")
        let idm = try #require(found["idm"]?.text)
        #expect(idm.utf8.count == 16 && found["pmm"]?.text?.utf8.count == 16)
        #expect(found["rd"]?.text == "0003")
        let plain = Self.poll.replacing(#""request_code":1"#, with: #""request_code":0"#)
        let faster = try joined.ask(plain.replacing("212F", with: "424F"))
        #expect(faster["idm"]?.text == idm)
        #expect(faster["rd"] == nil)
        let absent = try joined.ask(Self.poll.replacing("65535", with: "4660"))
        #expect(absent["status"]?.text == "error")
        #expect(absent["message"]?.text == "timeout error: no card has answered")
    }

    @Test func `passes frames to the card and back, in upper case`() throws {
        var joined = try Joined()
        let idm = try #require(try joined.ask(Self.poll)["idm"]?.text)
        let answer = try #require(try joined.ask(transceive("0a04\(idm.lowercased())"))["response"]?.text)
        #expect(answer == "0B05\(idm)00")
        #expect(try joined.ask(transceive("0A04\(idm)", timeout: "null"))["response"]?.text == answer)
        #expect(try joined.ask(transceive("0A040000000000000000"))["status"]?.text == "error")
    }

    @Test func `reports a timeout and a damaged answer`() throws {
        let delay: [String: FaultValue] = ["by": .time(.duration(.milliseconds(200)))]
        for (fault, arguments, message) in [
            ("rf.delay", delay, "timeout error: no card has answered"),
            ("rf.bad_crc", [:], "transmission error: the answer is damaged"),
        ] {
            let kind = try #require(FaultCatalogue.named(fault))
            let trigger = EventTrigger.command(try #require(CommandName("felica.request_response")))
            var joined = try Joined()
            joined.world = World(seed: 1, plan: FaultPlan([.init(Fault(kind, arguments), when: trigger)]))
            joined.world.add(try CardS.card(), named: "card")
            joined.world.tap("card")
            let request = transceive("0A04\(try #require(try joined.ask(Self.poll)["idm"]?.text))", timeout: "100")
            #expect(try joined.ask(request)["message"]?.text == message)
            #expect(try joined.ask(request)["status"]?.text == "success", "the fault must be over")
        }
    }

    @Test(arguments: [
        ("not json", "Invalid JSON"), ("[]", "Invalid JSON"), ("{", "Invalid JSON"), ("{}", "`type` has to be"),
        (#"{"type":"emulate"}"#, "`detect_type_f` or `transceive`"),
        (#"{"type":"transceive","data":"06"}"#, "Invalid bitrate"),
        (#"{"type":"transceive","bitrate":"106A","data":"06"}"#, "Invalid bitrate"),
        (#"{"type":"transceive","bitrate":"212F"}"#, "`data` is missing"),
        (#"{"type":"transceive","bitrate":"212F","data":"GG"}"#, "Invalid hex data"),
        (#"{"type":"transceive","bitrate":"212F","data":"060"}"#, "Invalid hex data"),
        (#"{"type":"transceive","bitrate":"212F","data":""}"#, "Invalid hex data"),
        (#"{"type":"transceive","bitrate":"212F","data":"06","timeout_ms":65536}"#, "`timeout_ms`"),
        (poll.replacing("system_code", with: "code"), "`system_code`"),
        (poll.replacing("65535", with: "-1"), "`system_code`"),
        (poll.replacing("65535", with: "65536"), "`system_code`"),
        (poll.replacing(":1,", with: ":1.5,"), "`request_code`"),
        (poll.replacing(":0}", with: #":"0"}"#), "`time_slots`"),
    ])
    func `reports the problem with a request, and continues`(line: String, message: String) throws {
        var joined = try Joined()
        let answer = try joined.ask(line)
        #expect(answer["status"]?.text == "error")
        #expect(answer["message"]?.text?.contains(message) == true, "\(answer["message"]?.text ?? "")")
        #expect(!joined.hasHungUp)
        #expect(try joined.ask(Self.poll)["status"]?.text == "success")
    }

    @Test func `disconnects immediately after a line that is too long`() throws {
        let longest = FelicaRemote.maximumLineLength
        var joined = try Joined()
        let blanks = String(repeating: " ", count: longest - 1 - Self.poll.utf8.count)
        #expect(try joined.ask(Self.poll + blanks)["status"]?.text == "success")
        let answer = joined.send([UInt8](repeating: UInt8(ascii: "{"), count: longest))
        #expect(answer.contains("exceeds maximum length"))
        #expect(joined.hasHungUp)
    }

    @Test func `skips blank lines, and gives the same answers however the bytes are split`() throws {
        let lines = Array("\n  \r\n\(Self.poll)\r\nrubbish\n\(transceive("06"))\n\(Self.poll)\n".utf8)
        var whole = try Joined()
        let answers = whole.send(lines)
        #expect(answers.split(separator: "\n").count == 4)
        var random = TestRandom()
        for longest in [1] + (0..<20).map({ _ in random.number(2...64) }) {
            var joined = try Joined()
            var rest = lines[...]
            var cut = ""
            while !rest.isEmpty {
                let piece = rest.prefix(random.number(1...longest))
                rest = rest.dropFirst(piece.count)
                cut += joined.send(Array(piece))
            }
            #expect(cut == answers, "pieces up to \(longest), seed \(TestSeed.value)")
        }
    }

    @Test func `survives random lines`() throws {
        var random = TestRandom()
        var joined = try Joined()
        let line = Array(Self.poll.utf8)
        for _ in 0..<500 {
            var bytes = line
            for _ in 0..<random.number(1...4) { bytes[random.number(below: bytes.count)] = random.byte() }
            _ = joined.send(bytes + [0x0A])
        }
        #expect(!joined.hasHungUp)
        #expect(try joined.ask(Self.poll)["status"]?.text == "success")
    }

    @Test func `serves one client after another at a port`() throws {
        let host = FieldHost(try World.withTwoCards())
        host.perform { $0.tap("felica") }
        let transport = try PortTransport.felicaRS(host: host)
        #expect(transport.name == "felica-rs" && transport.environment.map(\.name) == ["TAPSIM_FELICA_RS"])
        let request = Array((Self.poll + "\n").utf8)
        for _ in 0..<2 {
            let client = try PortClient(transport)
            client.send(request)
            #expect(client.bytes(1).starts(with: Array("{".utf8)))
            client.send(Array(request.dropLast(9)))
            client.close()
        }
        #expect(transport.wasUsed)
        host.close()
        transport.close()
    }
}
