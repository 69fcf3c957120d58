import TapCards
import TapRecording
import TapWire
import TestSupport
import Testing

/// Any input gives visits or an error, and uses no more memory than the file needs.
@Suite struct `Corrupted and hostile logs` {
    /// - Parameter writesFiles: Indicates whether to write files for the visits, which takes most of the time.
    private func take(_ bytes: [UInt8], as format: LogFormat? = nil, writesFiles: Bool = true) {
        do throws(LogError) {
            let log = try ImportedLog(reading: bytes, as: format)
            let isWhole = !log.sessions.isEmpty && log.sessions.allSatisfy { !$0.exchanges.isEmpty }
            let isCounted = log.unusedLines.count == min(log.unusedLineCount, LogBounds.unusedLineLimit)
            let isSaid = log.unusedLines.allSatisfy { $0.text.utf8.count < 400 && !$0.reason.isEmpty }
            if !isWhole || !isCounted || !isSaid { Issue.record("\(log)") }
            for session in log.sessions where writesFiles {
                #expect(session.scrubbed().session.byteCounts == session.byteCounts)
                guard session.level == .frame else { continue }
                let frames = session.exchanges.flatMap { [$0.command] + ($0.answer.map { [$0.bytes] } ?? []) }
                #expect(frames.allSatisfy { 1...254 ~= $0.count })
                #expect(!RecordingFile(name: "a", session).text.isEmpty)
            }
        } catch {
            if error.message.isEmpty || error.hint.isEmpty { Issue.record("\(error)") }
        }
    }

    /// Every seventh length of a long log, so that cuts fall anywhere in a line; every length with `--long`.
    @Test(arguments: SampleLogs.names) func `are accepted or rejected wherever they are truncated`(name: String) {
        let bytes = SampleLogs.bytes(name)
        let step = bytes.count < 1_000 || TestScale.isLong ? 1 : 7
        for count in stride(from: 0, to: bytes.count, by: step) {
            take(Array(bytes.prefix(count)), writesFiles: count.isMultiple(of: 16))
        }
    }

    @Test(arguments: SampleLogs.names) func `are accepted or rejected with any bytes changed`(name: String) {
        var random = TestRandom("changed \(name)")
        let bytes = SampleLogs.bytes(name)
        let pieces = SampleLogs.names.map { SampleLogs.bytes($0) }
        for _ in 0..<TestScale.count(100) {
            let changed = random.changed(
                bytes, by: pieces, upTo: 200, letters: "0123456789ABCDEFX|<>:()[]\n\t {}")
            take(changed, as: random.oneIn(4) ? random.pick(LogFormat.allCases) : nil)
        }
    }

    @Test(arguments: LogFormat.allCases) func `are accepted or rejected with any content and length`(
        format: LogFormat
    ) {
        var random = TestRandom("any \(format)")
        for count in [0, 1, 2, 3, 64, 4_096] { take(random.bytes(count), as: format) }
        take(Array(repeating: UInt8(ascii: "A"), count: LogBounds.lineLength + 2), as: format)
        take(Array(String(repeating: "> 30 04\n< 00\n", count: 6_000).utf8), as: format)
        take(Array(String(repeating: "00000001 APDU: FF CA 00 00 00\n", count: 6_000).utf8), as: format)
        take(
            Array(String(repeating: "{\"v\":1,\"kind\":\"note\",\"t\":1,\"text\":\"\"}\n", count: 2_000).utf8),
            as: format)
    }

    @Test func `contain at most as many exchanges as a recording may have`() throws {
        let pairs = String(repeating: "> 30 04\n< 0\n", count: 5_003)
        let log = try ImportedLog(reading: Array(pairs.utf8))
        #expect(log.sessions.map(\.exchanges.count) == [5_000])
        #expect(
            log.unusedLines.map(\.reason)
                == Array(repeating: "a recording can contain at most 5000 exchanges", count: 3))
    }

    @Test func `contain at most as many visits as can be written`() throws {
        let visits = (0..<1_005).map { number in
            """
            [nfc.clf] found 106A sdd_res=04A1B2C3D4\(Hex.digits(number, width: 4))
            [nfc.clf] >>> 3004 timeout=0.005
            """
        }
        let log = try ImportedLog(reading: Array(visits.joined(separator: "\n").utf8))
        #expect(log.sessions.count == LogBounds.sessions && log.unusedLineCount == 5)
    }
}
