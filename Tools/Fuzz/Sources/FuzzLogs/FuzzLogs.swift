import FuzzSupport
import TapCards
import TapDocument
import TapRecording
import TapScenario
import TapWire
import TapYAML

/// Reads logs of other programs from any bytes, and checks that the results are scrubbed and form a scenario.
///
/// The first byte chooses the format; a value beyond the last format leaves the detection to the content.
@c(FuzzLogs_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    unsafe Fuzzer.run(count, arguments) { choices in
        let formats = LogFormat.allCases
        let format = Int(choices.byte()) % (formats.count + 1)
        Logs.read(choices.rest(), as: format < formats.count ? formats[format] : nil)
    }
}

enum Logs {
    /// Checks that a log gives visits or an error, and that the recording of a card's visit is a scenario.
    static func read(_ bytes: [UInt8], as format: LogFormat?) {
        let log: ImportedLog
        do throws(LogError) { log = try ImportedLog(reading: bytes, as: format) } catch {
            return expect(!error.message.isEmpty && !error.hint.isEmpty, "an error says what is wrong")
        }
        expect(log.unusedLines.count == min(log.unusedLineCount, LogBounds.unusedLineLimit), "lines are counted")
        for session in log.sessions {
            expect(!session.exchanges.isEmpty, "a visit has an exchange")
            let scrubbed = session.scrubbed().session
            expect(scrubbed.scrubbed().session == scrubbed, "what is scrubbed stays as it is")
            let text = RecordingFile(name: "log", scrubbed).text
            var diagnostics = Diagnostics()
            let scenario = ScenarioLoader(reader: YAMLReader()).load(
                SourceFile(name: "log.yaml", text: text), into: &diagnostics)
            let found = scenario?.cases.first?.recording?.recording.exchanges
            expect(found?.count == session.exchanges.count, "a recording is read: \(diagnostics.found) \(text)")
        }
    }
}
