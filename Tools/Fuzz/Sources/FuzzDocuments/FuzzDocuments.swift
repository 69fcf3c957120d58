import FuzzSupport
import TapCards
import TapDocument
import TapRecording
import TapReport
import TapScenario
import TapWire
import TapYAML

@testable import TapImages

/// Reads scenarios in YAML and JSON, traces, dumps of cards, and logs from any bytes, and holds that what is written is read back.
///
/// The first byte chooses what the rest is.
@c(FuzzDocuments_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    unsafe Fuzzer.run(count, arguments) { choices in
        let kind = choices.byte() % 6
        let bytes = choices.rest()
        switch kind {
        case 0: Documents.load(SourceFile(name: "scenario.yaml", bytes: bytes), YAMLReader())
        case 1: Documents.load(SourceFile(name: "scenario.json", bytes: bytes), JSONReader())
        case 2: Documents.readTrace(SourceFile(name: "trace.jsonl", bytes: bytes))
        case 4: Documents.readDump(SourceFile(name: "dump", bytes: bytes))
        case 5: Documents.readLog(bytes)
        default: Documents.readJSON(SourceFile(name: "document.json", bytes: bytes))
        }
    }
}

enum Documents {
    /// A scenario or reasons; one that is taken can be formatted, and is formatted then.
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

    /// A trace says the same after it was written and read again.
    static func readTrace(_ file: SourceFile) {
        guard let trace = try? TraceReader.trace(file) else { return }
        let text = TraceLines(trace).text
        guard let again = try? TraceReader.trace(SourceFile(name: "again.jsonl", bytes: Array(text.utf8))) else {
            fatalError("a written trace is read: \(text)")
        }
        expect(TraceLines(again).text == text, "a trace is written as it was read: \(text)")
    }

    /// JSON is the same after it was written and read again.
    static func readJSON(_ file: SourceFile) {
        var diagnostics = Diagnostics()
        guard let node = JSONReader().read(file, into: &diagnostics), !diagnostics.hasErrors else { return }
        let text = JSONWriter.text(node)
        let again = JSONReader().read(SourceFile(name: "again.json", bytes: Array(text.utf8)), into: &diagnostics)
        expect(again.map { JSONWriter.text($0) } == text, "JSON is written as it was read: \(text)")
    }

    /// A dump gives a card that is no larger than any, and says the same after it was written and read again.
    static func readDump(_ file: SourceFile) {
        _ = CardImage.isDump(file)
        guard let image = try? CardImage(reading: file) else { return }
        for note in image.notes() { expect(!note.message.isEmpty && !note.hint.isEmpty, "a note says what is missing") }
        makeCard(of: image)
        for format in image.formats {
            guard let written = try? image.bytes(format) else { continue }
            let again = try? CardImage(reading: SourceFile(name: "again", bytes: written))
            expect((try? again?.bytes(format)) == written, "a dump is written as it was read, \(format)")
        }
    }

    /// A log tells visits or a reason; what is made of a visit of a card is a scenario.
    static func readLog(_ bytes: [UInt8]) {
        let log: ImportedLog
        do throws(LogError) { log = try ImportedLog(reading: bytes) } catch {
            return expect(!error.message.isEmpty && !error.hint.isEmpty, "an error says what is wrong")
        }
        expect(log.unplaced.count == min(log.unplacedCount, LogBounds.unplacedLines), "lines are counted")
        for session in log.sessions {
            expect(!session.exchanges.isEmpty, "a visit has an exchange")
            let text = RecordingFile(name: "log", session).text
            var diagnostics = Diagnostics()
            let scenario = ScenarioLoader(reader: YAMLReader()).load(
                SourceFile(name: "log.yaml", text: text), into: &diagnostics)
            let found = scenario?.cases.first?.recording?.recording.exchanges
            expect(found?.count == session.exchanges.count, "a recording is read: \(diagnostics.found) \(text)")
        }
    }

    private static func makeCard(of image: CardImage) {
        switch image.content {
        case .tag(let tag): if let product = tag.product { _ = try? tag.tag(product) }
        case .lite(let card): if let ic = card.ic { _ = FeliCaLiteTemplate(card.card(ic)) }
        case .felica(let card):
            guard let ic = card.ic, let definition = try? card.card(ic) else { return }
            let count = definition.systems.reduce(0) { $0 + $1.services.reduce(0) { $0 + $1.blocks.count } }
            expect(count <= FeliCaImage.maximumBlocks, "a dump has \(count) blocks")
            _ = try? FeliCaTemplate(definition)
        }
    }
}
