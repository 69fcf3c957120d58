import TapCards
import TapField
import TapPhone
import TapWire
import TestSupport
import Testing

@Suite struct `A MIFARE tag of a phone` {
    @Test func `is an Ultralight with its UID and no historical bytes`() throws {
        let bench = try PhoneBench.connected(NTAGCard(SampleTags.t0()))
        let uid = try #require(UID([0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80]))
        #expect(bench.tag.kind == .miFare(uid: uid, family: .ultralight, historicalBytes: nil))
    }

    @Test(arguments: [
        ("3004", "0314D1011055046578616D706C652E63"), ("60", "0004040201001103"), ("A20401020304", "0A"),
        ("A00A", "0A"), ("3A0405", "0314D10110550465"),
    ])
    func `answers raw commands, with ACK as a single byte`(command: String, answer: String) throws {
        var bench = try PhoneBench.connected(NTAGCard(SampleTags.t0()))
        #expect(try bench.miFare(command) == answer)
    }

    @Test(arguments: [
        "30FF", "3A00FF", "300426EE", "1B00000000", "A2000000000", "A20300", "3902", "00", "5000", "A2800000000000",
    ])
    func `is lost after any command that it rejects or ignores`(command: String) throws {
        var bench = try PhoneBench.connected(NTAGCard(SampleTags.t1()))
        let error = bench.error { try $0.miFare(command.count % 2 == 0 ? command : command + "0") }
        #expect(error?.code == .tagConnectionLost)
        #expect(error?.text == "Tag connection lost")
        #expect(!bench.reader.isAvailable(bench.tag, in: bench.world))
        #expect(bench.code { try $0.miFare("60") } == 100)
        // The app connects to it again, or looks for tags again.
        for looks in [false, true] {
            if looks { bench.look() }
            try bench.connect()
            #expect(bench.reader.isAvailable(bench.tag, in: bench.world))
            #expect(try bench.miFare("60") == "0004040201001103")
            #expect(bench.code { try $0.miFare("30FF") } == 100)
        }
    }

    @Test(
        arguments: [
            (PhonePolicy.default, nil, 100), (.documented, nil, 102), (.refusalsAsBytes, "00", nil),
        ] as [(PhonePolicy, String?, Int?)])
    func `delivers a NAK according to the policy`(policy: PhonePolicy, answer: String?, code: Int?) throws {
        var bench = try PhoneBench.connected(NTAGCard(SampleTags.t1()), policy: policy)
        var delivered: String?
        #expect(bench.code { delivered = try $0.miFare("3010") } == code)
        #expect(delivered == answer)
        #expect(bench.code { try $0.miFare("60") } == 100)
    }

    @Test func `can be opened with its password and read page by page`() throws {
        var bench = try PhoneBench.connected(NTAGCard(SampleTags.t6()))
        #expect(try bench.miFare("1B00000000") == "0000")
        var memory = ""
        for page in stride(from: 0x04, through: 0x7C, by: 4) {
            memory += try bench.miFare("30" + Hex.digits(page, width: 2))
        }
        memory += try bench.miFare("3A8081")
        #expect(memory.count == 2 * 504)
        #expect(memory.hasPrefix("0314" + PhoneCards.uri))
    }

    @Test(arguments: [(67, nil), (68, 100)])
    func `gives at most 268 bytes`(pages: Int, code: Int?) throws {
        var bench = try PhoneBench.connected(NTAGCard(SampleTags.t0()))
        let last = Hex.digits(3 + pages, width: 2)
        #expect(bench.code { try $0.miFare("3A04" + last) } == code)
        #expect(bench.code { try $0.miFare("60") } == code)
    }

    @Test func `does not support ISO 7816, and rejects commands that are empty or too long`() throws {
        var bench = try PhoneBench.connected(NTAGCard(SampleTags.t0()))
        let refusal = bench.error { try $0.reader.refuseISO7816Command(of: $0.tag, in: &$0.world) }
        #expect(refusal?.code == .unsupportedFeature)
        #expect(refusal?.text == "Feature not supported")
        #expect(bench.code { try $0.miFare("") } == 4)
        #expect(bench.code { try $0.miFare(String(repeating: "A2", count: 255)) } == 105)
        #expect(try bench.miFare("60") == "0004040201001103")
    }

    @Test(arguments: ["rf.bad_crc", "rf.cut"])
    func `fails with error 102 on damaged answers`(fault: String) throws {
        var bench = try PhoneBench.connected(
            NTAGCard(SampleTags.t0()), plan: try PhoneBench.plan(fault, at: "ntag.read"))
        #expect(bench.code { try $0.miFare("3004") } == 102)
        #expect(bench.world.plan.unmet.isEmpty)
    }
}
