import TapCards
import TapDocument
import TapRecording
import TapScenario
import TapWire
import TapYAML
import TestSupport
import Testing

/// Imports of logs, and the scenarios written from them.
@Suite struct `Imported logs` {
    private func read(_ text: String, as format: LogFormat? = nil) throws -> ImportedLog {
        try ImportedLog(reading: Array(text.utf8), as: format)
    }

    @Test(arguments: SampleLogs.names) func `contain every visit and list unplaced lines`(name: String) throws {
        let log = try ImportedLog(reading: SampleLogs.bytes(name))
        let told = SampleLogs.told(name)
        #expect(log.summary == told)
    }

    @Test(arguments: SampleLogs.names) func `become scenarios that replay the same frames`(name: String) throws {
        for session in try ImportedLog(reading: SampleLogs.bytes(name)).sessions where session.level == .frame {
            let text = RecordingFile(name: "told", session).text
            var diagnostics = Diagnostics()
            let scenario = ScenarioLoader(reader: YAMLReader()).load(
                SourceFile(name: "told.yaml", text: text), into: &diagnostics)
            try #require(!diagnostics.hasErrors, "\(diagnostics.found)\n\(text)")
            let found = try #require(scenario?.cases.first?.recording?.recording)
            let isFeliCa = if case .felica = session.card { true } else { false }
            func framed(_ bytes: [UInt8]) -> [UInt8] { isFeliCa ? [UInt8(bytes.count + 1)] + bytes : bytes }
            #expect(found.exchanges.map(\.command) == session.exchanges.map { framed($0.command) })
            #expect(
                found.exchanges.map(\.answer?.bytes) == session.exchanges.map { $0.answer.map { framed($0.bytes) } })
            #expect(found.exchanges.last?.endsVisit == session.hasCardLeft)
        }
    }

    /// A call that succeeded without bytes, as on an ACR122U that receives an APDU for a different kind of card.
    @Test(arguments: [
        "00000143 APDU: A0 A4 00 00 02 7F 10 \n00000476 SW: \n",
        """
        SCardTransmit
         i hCard: 0x4588266C
         i bSendLength 0x00000007 (7)
         i bSendBuffer
         i  0000 A0 A4 00 00 02 7F 10
         o bRecvLength 0x00000000 (0)
         o bRecvBuffer
         => Command successful. (SCARD_S_SUCCESS [0x00000000])  [0.000258]
        """,
    ]) func `distinguish an empty answer from a failed call`(text: String) throws {
        let session = try #require(try read(text).sessions.first)
        #expect(session.exchanges.map(\.answer?.bytes) == [[]])
        let file = RecordingFile(name: "told", session).text
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: YAMLReader()).load(
            SourceFile(name: "told.yaml", text: file), into: &diagnostics)
        #expect(!diagnostics.hasErrors, "\(diagnostics.found)\n\(file)")
        let exchanges = scenario?.cases.first?.recording?.recording.exchanges
        #expect(exchanges?.map(\.answer?.bytes) == [[]], "\(file)")
    }

    @Test func `contain times and durations if the log has them`() throws {
        func times(_ name: String) throws -> [(time: Duration?, took: Duration?)] {
            try ImportedLog(reading: SampleLogs.bytes(name)).sessions[0].exchanges.map { ($0.time, $0.took) }
        }
        let nfcpy = try times("nfcpy.log")
        #expect(nfcpy.map(\.time) == [.zero, .milliseconds(1), .milliseconds(3), .milliseconds(3)])
        #expect(nfcpy.map(\.took) == [.zero, .milliseconds(2), .zero, .zero])
        let pcscd = try times("pcscd.log")
        #expect(pcscd.map(\.time) == [.zero, .microseconds(402), .microseconds(743)])
        #expect(pcscd.map(\.took) == [.microseconds(274), .microseconds(261), .microseconds(157)])
        let spy = try times("pcsc-spy.txt")
        #expect(spy.allSatisfy { $0.time == nil && $0.took ?? .zero > .microseconds(50) })
        let gap = TransmissionTime.carrierPeriods(32_800)
        #expect(try times("pm3-felica.txt").map(\.took) == [gap, gap, nil])
        #expect(try times("libnfc.log").allSatisfy { $0.time == nil && $0.took == nil })
    }

    @Test func `end a visit when another card or no card is found`() throws {
        let log = try read(
            """
            [nfc.clf] found 106A sdd_res=04A1B2C3D4E580 sel_res=00 sens_res=4400
            [nfc.clf] >>> 3004 timeout=0.005
            [nfc.clf] <<< 00 0.001s
            [nfc.clf] sense 106A sdd_res=04A1B2C3D4E580 sel_req=04A1B2C3D4E580 sel_res=00 sens_res=4400
            [nfc.clf] found 106A sdd_res=04A1B2C3D4E580 sel_res=00 sens_res=4400
            [nfc.clf] >>> 3008 timeout=0.005
            [nfc.clf] sense 106A
            [nfc.clf] found None
            [nfc.clf] found 106A sdd_res=04A1B2C3D4E581 sel_res=00 sens_res=4400
            [nfc.clf] >>> 3008 timeout=0.005
            [nfc.clf] <<< 0102030405060708090a0b0c0d0e0f10 0.001s
            [nfc.clf] found 212F sensf_res=0101010A1020304050100B4B428485D0FF0003
            [nfc.clf] >>> 0a0401010a1020304050 timeout=0.005
            """)
        #expect(log.sessions.map(\.exchanges.count) == [2, 1, 1])
        #expect(log.sessions.map(\.hasCardLeft) == [true, false, false])
        #expect(log.sessions[0].exchanges[1].answer == nil)
        #expect(log.sessions[2].exchanges[0].command == [0x04, 0x01, 0x01, 0x0A, 0x10, 0x20, 0x30, 0x40, 0x50])
        #expect(log.unusedLineCount == 0)
    }

    @Test func `list unplaced lines with their number and a reason`() throws {
        let log = try read(
            """
            debug\tlibnfc.bus.uart\tTX: 00 00 ff 04 fc d4 4a 01 00 e1 00
            debug\tlibnfc.bus.uart\tRX: 00 00 ff 0f f1 d5 4b 01 01 00 44 00 07 04 a1 b2 c3 d4 e5 80 40 00
            debug\tlibnfc.bus.uart\tTX: 00 00 ff 05 fb d4 40 01 30 04 b7 00
            debug\tlibnfc.bus.uart\tRX: 00 00 ff 03 fd d5 41 02 e8 00
            my program: 04 A1 B2 C3
            my program: 04 A1 B2
            """)
        #expect(log.unusedLines.map(\.number) == [3, 5])
        #expect(
            log.unusedLines[0].reason == "the chip reports error 02 instead of an answer; it is recorded as silence")
        #expect(log.sessions[0].exchanges == [.init([0x30, 0x04], nil)])
        #expect(
            "\(log.unusedLines[1])"
                == "line 5: the line contains bytes, but its kind is unknown: my program: 04 A1 B2 C3"
        )
    }

    /// The placeholder for the IDm depends on the kind of card.
    @Test(arguments: [(" 10", " 1D"), ("", "")]) func `are of a FeliCa card if they begin after the Polling`(
        lengths: (command: String, answer: String)
    ) throws {
        let idm = "01 2E 3D 4C 5B 6A 79 88"
        let log = try read(
            """
            >\(lengths.command) 06 \(idm) 01 0F 09 01 80 00
            <\(lengths.answer) 07 \(idm) 00 00 01 16 01 00 02 2D 8C 15 3F 51 7E 00 0B B8 00 00 01
            """)
        #expect(log.sessions.map(\.card) == [.felica(idm: IDm(0x012E_3D4C_5B6A_7988), pmm: nil, system: nil)])
        let text = RecordingFile(name: "told", log.sessions[0].scrubbed().session).text
        #expect(!text.contains(idm) && text.contains("RC-S962"), "\(text)")
    }

    @Test func `note that pasted bytes are ambiguous`() throws {
        let log = try read("> 00 00 03 00 00\n< 01 01 01 0A 10 20 30 40 50 10 0B 4B 42 84 85 90 00\n")
        #expect(log.sessions[0].level == .apdu)
        #expect(log.notes == ["the lines may also be FeliCa frames without LEN; they are read as APDUs"])
        let frames = try read(
            """
            send: 04 01 01 0A 10 20 30 40 50
            recv: 05 01 01 0A 10 20 30 40 50 00
            send: 0C 01 01 0A 10 20 30 40 50
            send: FF CA 00 00 00
            recv: 90 00
            """)
        #expect(frames.sessions[0].level == .frame)
        #expect(
            frames.unusedLines.map(\.reason) == ["it differs from the other lines, which are FeliCa frames without LEN"]
        )
    }

    @Test func `are rejected with a list of formats if no format matches`() {
        func error(_ text: String, as format: LogFormat? = nil) -> LogError? {
            #expect(throws: LogError.self) { try read(text, as: format) }
        }
        #expect(error("some text\nof 12 34 nothing\n")?.code == .unknownFormat)
        #expect(error("?")?.hint.contains("the log of pcscd --apdu; the output of Proxmark3") == true)
        #expect(error("")?.code == .empty && error(" \r\n\n", as: .libnfc)?.code == .empty)
        let wrong = error(VectorFile.text("pcscd.log"), as: .libnfc)
        guard case .noExchange(.libnfc, let line?, let count)? = wrong?.code else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        #expect(line.number == 2 && count > 3)
        let large = Array(repeating: UInt8(ascii: "\n"), count: LogBounds.bytes + 1)
        #expect(#expect(throws: LogError.self) { try ImportedLog(reading: large) }?.code == .tooLarge)
    }

    @Test(
        arguments: [
            "libnfc.driver.pn53x_usb", "libnfc.driver.acr122_pcsc", "libnfc.driver.acr122_usb", "libnfc.bus.i2c",
            "libnfc.bus.spi", "libnfc.driver.arygon",
        ])
    func `from every libnfc driver read the same with spaces instead of tabs`(logger: String) throws {
        for name in ["libnfc.log", "libnfc-tag.log", "libnfc-acr122u.log"] {
            let plain = VectorFile.text(name)
            let pasted = plain.replacing("libnfc.bus.uart", with: logger).replacing("\t", with: "  ")
            #expect(try read(pasted).summary == read(plain).summary)
        }
    }

    @Test(arguments: ["pcscd.log", "pcscd-debug.log"])
    func `from pcscd read the same when copied from the journal`(name: String) throws {
        let plain = VectorFile.text(name)
        for prefix in ["Nov 29 10:00:00 desk pcscd[1234]: ", "2026-11-29T10:00:00+0900 desk pcscd[7]: "] {
            let lines = plain.split(separator: "\n").map { $0.hasPrefix("#") ? "\($0)" : prefix + $0 }
            #expect(try read(lines.joined(separator: "\n")).summary == read(plain).summary)
        }
    }

    @Test(arguments: ["", "[12:00:01.5] ", "app: reader 1: ", "I (2345) nfc_task: session 7: "])
    func `read the same with any prefix`(prefix: String) throws {
        let plain = "TX: 30 04\nRX: 03 10 D1 01 0C 55 04 65 78 61 6D 70 6C 65 2E 63"
        let expected = try read(plain).summary
        for (sent, received) in [("TX: ", "RX: "), ("TX ", "RX "), ("> ", "< "), (">> ", "<< ")] {
            let marked = plain.replacing("TX: ", with: prefix + sent).replacing("RX: ", with: prefix + received)
            #expect(try read(marked).summary == expected)
        }
    }

    @Test func `do not treat sentences with a marker as exchanges`() throws {
        let text = "reading a card -> see chapter 12 of the manual\nsend 12 34 to me\n"
        #expect(#expect(throws: LogError.self) { try read(text) }?.code == .unknownFormat)
    }

    @Test func `omit a reader name that is not allowed in a scenario`() throws {
        let log = try read(
            "00000001 Card inserted into R\u{e9}ader\n00000002 Card ATR: 3B 00\n00000002 APDU: FF CA 00 00\n",
            as: .pcscd)
        #expect(log.sessions[0].readerName == "R\u{e9}ader")
        #expect(!RecordingFile(name: "log", log.sessions[0]).text.contains("reader:"))
    }

    @Test func `read the same with colour codes`() throws {
        let plain = VectorFile.text("pcsc-spy.txt")
        let coloured = plain.split(separator: "\n", omittingEmptySubsequences: false).map {
            "\u{1B}[32m\($0)\u{1B}[0m\r"
        }
        #expect(try read(coloured.joined(separator: "\n")).summary == read(plain).summary)
    }
}
