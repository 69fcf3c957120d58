import TapDescribe
import TapDocument
import TapField
import TapReport
import TapRun
import TapServe

/// The documentation of `--json`, verb by verb: a page and a JSON Schema.
///
/// Both are generated from the tables with which the verbs write.
package enum OutputDocument {
    private struct Entry {
        let name: String
        let shape: OutputShape
        let remark: String

        /// - Parameter shapes: The possible documents on success.
        init(_ name: String, _ shapes: [OutputShape], _ remark: String = "") {
            self.name = name
            shape = .either(shapes + [VerbError.failure.shape])
            self.remark = remark
        }
    }

    /// A scenario or a part of a scenario.
    static let scenario = OutputShape.map(.any("what the key of a scenario takes"))

    private static let verbs = [
        Entry("run", [RunDocument.output.shape]), Entry("fuzz", [FuzzVerb.output.shape]),
        Entry("audit", [AuditVerb.output.shape]), Entry("coverage", [CoverageVerb.output.shape]),
        Entry(
            "trace",
            [
                TraceVerb.shown.shape, .list(TraceVerb.keptCase.shape), TraceVerb.exported.shape,
                TraceDifference.outputShape, TraceVerb.cards.shape, AnswerDifference.outputShape,
            ], "Of `show`, `list`, `export` or `open`, `diff`, `at` and `diff --known`, in this order."),
        Entry(
            "record", [RecordedFiles.output.shape, Verb.checkedRecordings.shape, ProbeVerb.output.shape],
            "Of recording, of `--check` and of `--probe`, in this order."),
        Entry(
            "card", [CardVerb.sheet.shape, [CardDifference.Row].outputShape, CardVerb.written.shape],
            "Of `show`, `diff`, and the others, in this order."),
        Entry("serve", [ServeVerb.ready.shape]),
        Entry(
            "ctl",
            [
                MovedCards.outputShape, ServiceOutput.card.shape, ServiceOutput.reset.shape,
                ServiceOutput.journal.shape,
                CaseResult.outputShape, ServiceStatus.outputShape, ServiceOutput.plugged.shape,
                ServiceOutput.radio.shape, ServiceOutput.ended.shape, Verb.keptFiles.shape,
                ServiceOutput.stopping.shape,
            ], "By what it is asked for."),
        Entry(
            "check", [[Diagnostic].outputShape, .list(scenario), scenario],
            "With `--resolved` the cases as scenarios, a list or with `--case` that case alone."),
        Entry(
            "list",
            [
                .list(ListVerb.template.shape), .list(ListVerb.ic.shape), .list(ListVerb.model.shape),
                .list(ListVerb.reader.shape), [FaultKind].outputShape, .list(ListVerb.lie.shape),
                .list(ListVerb.controlCards.shape),
                .list(ListVerb.scenario.shape),
            ], "By what is listed."),
        Entry(
            "explain", [[ExplainPage].outputShape, [ExplainTopic].outputShape],
            "The pages of a name, or without one all names."),
        Entry("decode", [[FrameReading].outputShape], "Every way to read the bytes, the likeliest first."),
        Entry("webusb", [WebUSBGrant.outputShape]), Entry("doctor", [Doctor.outputShape]),
    ]

    /// The verbs that have `--json`.
    package static var verbNames: [String] { verbs.map(\.name) }

    /// The path of the schema in the repository.
    package static let schemaPath = "docs/schema/output-1.schema.json"

    /// The schema: a definition for each verb, and for each object in what they print.
    package static var schema: Node {
        let verbs = verbs.map { (key: $0.name, value: $0.shape.schema) }
        return [
            "$schema": "http://json-schema.org/draft-07/schema#", "title": "What tapsim prints with --json",
            "anyOf": .list(verbs.map { ["$ref": .text("#/definitions/\($0.key)")] }),
            "definitions": .map(verbs + objects.map { (key: $0.name, value: $0.schema) }),
        ]
    }

    package static var text: String {
        let rows = verbs.map { ["`\($0.name)`", $0.shape.words, $0.remark] }
        let table = Markdown.table(["Verb", "What it prints", ""], rows)
        return ([introduction, "## Verbs", table, "## Objects"] + objects.map(\.section)).joined(separator: "\n\n")
            + "\n"
    }

    /// All objects, each once; nested objects come after the ones that contain them.
    private static var objects: [OutputObject] {
        var found: [OutputObject] = []
        var waiting = verbs.flatMap(\.shape.objects)
        while !waiting.isEmpty {
            let object = waiting.removeFirst()
            guard !found.contains(where: { $0.name == object.name }) else { continue }
            found.append(object)
            waiting = object.keys.flatMap(\.shape.objects) + waiting
        }
        return found
    }

    static let introduction = """
        # What programs read: `--json`

        With `--json` a verb prints one document in JSON on standard output; `serve` prints it in one line, before it serves.
        [output-1.schema.json](schema/output-1.schema.json) is its JSON Schema, with a definition named for each verb. A key may
        be added in a newer version of TapSim; none changes its meaning or goes away before the number in that name changes.
        Times are card time in nanoseconds unless they say otherwise, and bytes are hexadecimal digits.

        An error is JSON as well: an object with the one key `error`, and the exit code that there is without `--json`. The
        sentence also stands on standard error, where a log shows it. A run that breaks off in the middle closes its document
        and has the key `error` at its end; so `error` at the top says in every document whether the verb did what it was
        asked for. A run that fails, or a file with errors that `check` finds, is no error of this kind.

        ```
        $ tapsim run gone.yaml --json
        {"error":{"kind":"usage","exit_code":2,"message":"there is no file gone.yaml; paths begin at the working directory"}}
        ```

        What is printed for people is coloured on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`, and never in a pipe.
        `--color always` and `--color never`, which every verb takes, outweigh both; JSON is never coloured.

        The control socket of `serve` and of apps answers with `{"ok": true, "result": …, "text": […]}`, where `result` is what
        `ctl` prints, or with `{"ok": false, "error": "…"}`. What is kept of a run has [a page of its own](trace.md).

        This page and the schema are made from the tables with which the verbs write; a test compares them byte for byte and
        rewrites them when `TAPSIM_UPDATE_DOCS=1` is set.
        """
}

extension OutputShape {
    /// The shape in words, with links to the objects.
    fileprivate var words: String {
        switch self {
        case .text: "text"
        case .number, .decimal: "a number"
        case .flag: "true or false"
        case .word(let words): words.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .list(let shape): "a list: \(shape.words)"
        case .map(let shape): "a map by name: \(shape.words)"
        case .object(let object): Markdown.link(object.title, toHeading: object.title)
        case .either(let shapes): shapes.map(\.words).joined(separator: ", or ")
        case .null: "null"
        case .any(let what): what
        }
    }
}

extension OutputObject {
    /// A section of the documentation.
    fileprivate var section: String {
        let rows = keys.map { key in
            [Markdown.code(key.name) + (key.isOptional ? "" : " (always)"), key.shape.words, key.summary]
        }
        return "### \(title)\n\n\(Markdown.table(["Key", "Value", "What it says"], rows))"
    }
}
