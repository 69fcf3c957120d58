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
    static let scenario = OutputShape.map(.any("the value of a scenario key"))

    private static let verbs = [
        Entry("run", [RunDocument.output.shape]), Entry("fuzz", [FuzzVerb.output.shape]),
        Entry("audit", [AuditVerb.output.shape]), Entry("coverage", [CoverageVerb.output.shape]),
        Entry(
            "trace",
            [
                TraceVerb.shown.shape, .list(TraceVerb.keptCase.shape), TraceVerb.exported.shape,
                TraceDifference.outputShape, TraceVerb.cards.shape, AnswerDifference.outputShape,
            ], "For `show`, `list`, `export` or `open`, `diff`, `at` and `diff --known`, in this order."),
        Entry(
            "record", [RecordedFiles.output.shape, Verb.checkedRecordings.shape, ProbeVerb.output.shape],
            "For recording, `--check` and `--probe`, in this order."),
        Entry(
            "card", [CardVerb.sheet.shape, [CardDifference.Row].outputShape, CardVerb.written.shape],
            "For `show`, `diff`, and the other actions, in this order."),
        Entry("serve", [ServeVerb.ready.shape]),
        Entry(
            "ctl",
            [
                MovedCards.outputShape, ServiceOutput.card.shape, ServiceOutput.reset.shape,
                ServiceOutput.journal.shape,
                CaseResult.outputShape, ServiceStatus.outputShape, ServiceOutput.plugged.shape,
                ServiceOutput.radio.shape, ServiceOutput.ended.shape, Verb.keptFiles.shape,
                ServiceOutput.stopping.shape,
            ], "Depends on the action."),
        Entry(
            "check", [[Diagnostic].outputShape, .list(scenario), scenario],
            "With `--resolved`, the cases as scenarios: a list, or only one case with `--case`."),
        Entry(
            "list",
            [
                .list(ListVerb.template.shape), .list(ListVerb.ic.shape), .list(ListVerb.model.shape),
                .list(ListVerb.reader.shape), [FaultKind].outputShape, .list(ListVerb.lie.shape),
                .list(ListVerb.controlCards.shape),
                .list(ListVerb.scenario.shape),
            ], "Depends on what is listed."),
        Entry(
            "explain", [[ExplainPage].outputShape, [ExplainTopic].outputShape],
            "The pages for a name, or all names if none is given."),
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
            "$schema": "http://json-schema.org/draft-07/schema#", "title": "JSON output of tapsim",
            "anyOf": .list(verbs.map { ["$ref": .text("#/definitions/\($0.key)")] }),
            "definitions": .map(verbs + objects.map { (key: $0.name, value: $0.schema) }),
        ]
    }

    package static var text: String {
        let rows = verbs.map { ["`\($0.name)`", $0.shape.words, $0.remark] }
        let table = Markdown.table(["Verb", "Output", "Notes"], rows)
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
        # JSON output: `--json`

        With `--json` a verb prints one JSON document on standard output; `serve` prints it on one line, before it starts serving.
        The JSON Schema [output-1.schema.json](schema/output-1.schema.json) has a definition named after each verb. Newer versions
        of TapSim may add keys, but do not remove a key or change its meaning without changing the number in the schema's name.
        Unless stated otherwise, times are card time in nanoseconds, and bytes are hexadecimal digits.

        Errors are JSON too: an object with the single key `error`. The exit code is the same as without `--json`, and the message
        also goes to standard error for logs. If a run stops in the middle, its document is completed and gets the key `error` at
        the end. So in every document a top-level `error` says that the verb could not do its job. A failed run, or a file in which
        `check` finds errors, is not such an error.

        ```
        $ tapsim run gone.yaml --json
        {"error":{"kind":"usage","exit_code":2,"message":"there is no file gone.yaml; paths are relative to the working directory"}}
        ```

        Text for people is coloured on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`, and never in a pipe. Every verb
        accepts `--color always` and `--color never`, which override both; JSON is never coloured.

        The control socket of `serve` and of apps answers with `{"ok": true, "result": …, "text": […]}`, where `result` is what
        `ctl --json` prints, or with `{"ok": false, "error": "…"}`. The files kept for a run are described [separately](trace.md).

        This page and the schema are generated from the tables with which the verbs write. A test compares them byte for byte, and
        rewrites them if `TAPSIM_UPDATE_DOCS=1` is set.
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
        return "### \(title)\n\n\(Markdown.table(["Key", "Value", "Meaning"], rows))"
    }
}
