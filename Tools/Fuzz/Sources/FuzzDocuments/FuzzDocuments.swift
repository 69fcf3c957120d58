import FuzzSupport
import TapDocument
import TapReport
import TapScenario
import TapWire
import TapYAML

/// Reads scenarios in YAML and JSON, and traces, from any bytes, and checks that output can be read back.
///
/// The first byte chooses the format of the rest.
@c(FuzzDocuments_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    unsafe Fuzzer.run(count, arguments) { choices in
        let kind = choices.byte() % 4
        let bytes = choices.rest()
        switch kind {
        case 0: Documents.load(SourceFile(name: "scenario.yaml", bytes: bytes), YAMLReader())
        case 1: Documents.load(SourceFile(name: "scenario.json", bytes: bytes), JSONReader())
        case 2: Documents.readTrace(SourceFile(name: "trace.jsonl", bytes: bytes))
        default: Documents.readJSON(SourceFile(name: "document.json", bytes: bytes))
        }
    }
}

enum Documents {
    /// Loads a scenario or gets errors; checks that a loaded scenario can be formatted, and that formatting is stable.
    static func load(_ file: SourceFile, _ reader: any DocumentReader) {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader(reader: reader).load(file, into: &diagnostics)
        expect(scenario != nil || diagnostics.hasErrors, "a scenario that is refused has an error")
        for diagnostic in diagnostics.found { expect(!diagnostic.message.isEmpty, "an error says what is wrong") }
        guard reader is YAMLReader else { return }
        let formatter = DocumentFormatter(reader: reader, table: ScenarioLoader.table)
        var found = Diagnostics()
        guard let text = try? formatter.text(of: file, into: &found) else { return }
        let again = SourceFile(name: file.name, bytes: Array(text.utf8))
        let second = try? formatter.text(of: again, into: &found)
        expect(second == text, "formatted text stays: \(text)")
    }

    /// Checks that a trace is unchanged after it was written and read again.
    static func readTrace(_ file: SourceFile) {
        guard let trace = try? TraceReader.trace(file) else { return }
        let text = TraceLines(trace).text
        guard let again = try? TraceReader.trace(SourceFile(name: "again.jsonl", bytes: Array(text.utf8))) else {
            fatalError("a written trace is read: \(text)")
        }
        expect(TraceLines(again).text == text, "a trace is written as it was read: \(text)")
    }

    /// Checks that JSON is unchanged after it was written and read again.
    static func readJSON(_ file: SourceFile) {
        var diagnostics = Diagnostics()
        guard let node = JSONReader().read(file, into: &diagnostics), !diagnostics.hasErrors else { return }
        let text = JSONWriter.text(node)
        let again = JSONReader().read(SourceFile(name: "again.json", bytes: Array(text.utf8)), into: &diagnostics)
        expect(again.map { JSONWriter.text($0) } == text, "JSON is written as it was read: \(text)")
    }
}
