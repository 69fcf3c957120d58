import TapDocument

/// What `--json` prints, verb by verb: its page in the documentation and its JSON Schema.
public enum OutputDocument {
    struct Verb: Sendable {
        let name: String
        let remark: String
        let shape: OutputShape
    }

    /// The verbs that have `--json`.
    public static var verbNames: [String] { verbs.map(\.name) }

    /// Where the schema is stored.
    public static let schemaPath = "docs/schema/output-1.schema.json"

    /// The schema: a definition for each verb, and for each object in what they print.
    public static var schema: Node {
        let verbs = verbs.map { (key: $0.name, value: $0.shape.schema) }
        return [
            "$schema": "http://json-schema.org/draft-07/schema#", "title": "What tapsim prints with --json",
            "anyOf": .list(verbs.map { ["$ref": .text("#/definitions/\($0.key)")] }),
            "definitions": .map(verbs + objects.map { (key: $0.name, value: $0.schema) }),
        ]
    }

    public static var text: String {
        let rows = verbs.map { ["`\($0.name)`", $0.shape.words, $0.remark] }
        let table = Markdown.table(["Verb", "What it prints", ""], rows)
        return ([introduction, "## Verbs", table, "## Objects"] + objects.map(\.section)).joined(separator: "\n\n")
            + "\n"
    }

    /// All objects, each once, those inside others behind them.
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

        This page is made from the tables in `Sources/TapReport/Documents`; a test compares it byte for byte and rewrites it
        when `TAPSIM_UPDATE_DOCS=1` is set, and other tests hold what the verbs print to the schema.
        """
}

extension OutputDocument {
    static let verbs = [
        Verb(name: "run", remark: "", shape: .either([.object(run), .object(failure)])),
        Verb(name: "fuzz", remark: "", shape: .either([.object(fuzz), .object(failure)])),
        Verb(name: "audit", remark: "", shape: .either([.object(audit), .object(failure)])),
        Verb(name: "coverage", remark: "", shape: .either([.object(coverage), .object(failure)])),
        Verb(
            name: "trace",
            remark: "Of `show`, `list`, `export` or `open`, `diff`, `at` and `diff --known`, in this order.",
            shape: .either([
                .object(shownTrace), .list(.object(keptCase)), .object(exported), .object(difference), .object(cards),
                .object(answerDifference),
                .object(failure),
            ])),
        Verb(
            name: "record", remark: "Of recording, of `--check` and of `--probe`, in this order.",
            shape: .either([
                .object(recordedFiles), .object(checkedRecordings), .object(probedCard), .object(failure),
            ])),
        Verb(
            name: "card", remark: "Of `show`, `diff`, and the others, in this order.",
            shape: .either([.object(cardSheet), .list(.object(cardDifference)), .object(writtenCard), .object(failure)])
        ),
        Verb(name: "serve", remark: "", shape: .either([.object(served), .object(failure)])),
        Verb(
            name: "ctl", remark: "By what it is asked for.",
            shape: .either([
                .object(moved), .object(cardSet), .object(reset), .object(journal), .object(judgedCase),
                .object(status),
                .object(plugged), .object(phoneRadio), .object(phoneEnded), .object(keptFiles), .object(stopping),
                .object(failure),
            ])),
        Verb(
            name: "check",
            remark: "With `--resolved` the cases as scenarios, a list or with `--case` that case alone.",
            shape: .either([
                .list(.object(diagnostic)), .list(.map(.any("what the key of a scenario takes"))),
                .map(.any("what the key of a scenario takes")), .object(failure),
            ])),
        Verb(
            name: "list", remark: "By what is listed.",
            shape: .either([
                .list(.object(template)), .list(.object(ic)), .list(.object(model)), .list(.object(realReader)),
                .list(.object(fault)), .list(.object(lie)), .list(.object(scenarioFile)), .object(failure),
            ])),
        Verb(
            name: "explain", remark: "The pages of a name, or without one all names.",
            shape: .either([.list(.object(page)), .list(.object(topic)), .object(failure)])),
        Verb(
            name: "decode", remark: "Every way to read the bytes, the likeliest first.",
            shape: .either([.list(.object(reading)), .object(failure)])),
        Verb(name: "webusb", remark: "", shape: .either([.object(webUSB), .object(failure)])),
        Verb(name: "doctor", remark: "", shape: .either([.object(doctor), .object(failure)])),
    ]

    static let webUSB = OutputObject(
        "webusb", "What a browser needs for WebUSB",
        [
            .always("origin", .text, "Where the page is served"),
            .always("preferences", .map(.any("a preference of Chromium")), "Preferences of the profile"),
            .always("policy", .map(.any("a policy of Chromium")), "A policy in their place"),
            .always("script", .text, "JavaScript that runs before the page"),
            .always("flags", .list(.text), "Flags of the browser"),
        ])

    // Errors and files.

    static let failure = OutputObject(
        "failure", "An error", [.always("error", .object(error), "Why the verb did not do what it was asked for")])

    static let error = OutputObject(
        "error", "What an error says",
        [
            .always(
                "kind", .word(["failed", "usage", "environment", "bug", "baseline", "time limit"]),
                "The exit code in a word"),
            .always("exit_code", .number, "The exit code"),
            .always("message", .text, "What happened and what to do next"),
            .maybe("diagnostics", .list(.object(diagnostic)), "What is wrong with files, if that is why"),
        ])

    static let diagnostic = OutputObject(
        "diagnostic", "An error of a file",
        [
            .always("code", .text, "Such as S012; `tapsim explain` tells about it"),
            .always("severity", .word(["error", "warning"]), "A warning keeps nothing from running"),
            .always("message", .text, "What is wrong"),
            .maybe("hint", .text, "What is needed there, or how to mend it"),
        ] + place + [
            .maybe("related", .list(.object(related)), "Other places that have to do with it")
        ])

    static let related = OutputObject(
        "related", "A related place", [.always("message", .text, "What is there")] + place)

    static let place: [OutputObject.Key] = [
        .maybe("file", .text, "The file"), .maybe("line", .number, "The line, from 1"),
        .maybe("column", .number, "The column, from 1, in Unicode scalars"),
        .maybe("length", .number, "How many Unicode scalars it is about"),
    ]

    // Runs.

    static let run = OutputObject(
        "run-document", "A run",
        [
            .always("tapsim", .text, "The version of TapSim"),
            .always("scenarios", .list(.object(scenario)), "The scenarios that were run"),
            .always("passed", .number, "How many cases passed"), .always("failed", .number, "How many failed"),
            .always("skipped", .number, "How many were left out"),
            .maybe("error", .object(error), "Why the run broke off"),
        ])

    static let scenario = OutputObject(
        "scenario", "A scenario of a run",
        [
            .always("name", .text, "Its name"), .always("file", .text, "Its file"),
            .always("seed", .number, "The seed"),
            .always("cases", .list(.object(judgedCase)), "Its cases that were run"),
        ])

    static let judgedCase = OutputObject(
        "case", "A case",
        [
            .always("number", .number, "Its number, from 1"), .maybe("name", .text, "Its name"),
            .always("passed", .flag, "Whether it met all expectations"),
            .always("card_time", .number, "How long it took"),
            .always("client", .either([.object(client), .null]), "The client; null for one out of sight"),
            .maybe("transport", .text, "The transport that the client used"),
            .maybe("verdict", .object(finding), "What became of the client, where that is judged"),
            .always("failures", .list(.object(unmet)), "Expectations that were not met"),
            .maybe("decided_by_clock", .list(.text), "What another run may do at another time"),
            .always("warnings", .list(.object(warning)), "What speaks for a mistake in the scenario"),
            .maybe(
                "unused_faults", .list(.object(unusedFault)), "Faults that were not injected as often as they should"),
            .maybe("assumed", .list(.object(assumption)), "What cards assumed of their ICs in their answers"),
            .maybe("not_kept", .object(notKept), "What a long run left out"),
            .maybe("folder", .text, "The folder in which page and trace are kept"),
            .always("exchanges", .list(.object(exchange)), "The exchanges"),
            .always("calls", .list(.object(call)), "Commands of the host that led to no frame"),
            .always("again", .text, "The command that runs the case again"),
        ])

    static let client = OutputObject(
        "client", "A client",
        [
            .maybe("exit", .number, "Its exit code"), .maybe("signal", .number, "The signal that ended it"),
            .maybe(
                "limit", .word(["time", "exchanges", "idle", "line", "retries_per_command"]),
                "The limit at which it was ended; `line` if it never printed an awaited line"),
            .maybe(
                "dismissed", .flag,
                "Whether TapSim ended it as intended, since it stays or has printed what is expected"),
            .maybe("killed_after", .text, "When `kill_after` ended it"),
            .maybe("status", .text, "`ended by TapSim` with its exit status, if it is known"),
            .always("stdout", .text, "Its standard output"), .always("stderr", .text, "Its standard error"),
            .maybe("result", .any("any JSON"), "What it printed as its result"),
            .maybe("never_ready", .text, "What it was to print before cards came, and did not"),
            .maybe("visits", .object(visits), "The visits of cards, where there are several"),
        ])

    static let visits = OutputObject(
        "visits", "Visits of cards",
        [.always("planned", .number, "How many there should be"), .always("finished", .number, "How many were over")])

    static let finding = OutputObject(
        "finding", "What became of a client",
        [
            .always("outcome", .text, "A verdict of `tapsim explain`"), .maybe("exchange", .number, "Where"),
            .always("reason", .text, "Why"),
        ])

    static let unmet = OutputObject(
        "unmet", "An expectation that was not met",
        [
            .always("path", .text, "Its key"), .maybe("file", .text, "The file it stands in"),
            .maybe("line", .number, "The line, from 1"), .always("expected", .text, "What was expected"),
            .always("got", .text, "What there was"), .maybe("exchange", .number, "The exchange nearest to it"),
            .maybe("hint", .text, "What to look at"),
            .maybe("comparison", .list(.text), "Both sides, one below the other"),
        ])

    static let warning = OutputObject(
        "warning", "A warning", [.always("warning", .text, "What is odd"), .maybe("hint", .text, "What to look at")])

    static let unusedFault = OutputObject(
        "unused-fault", "A fault that was not injected",
        [
            .always("fault", .text, "The fault"), .always("injected", .number, "How often it was injected"),
            .always("seen", .number, "How often its trigger came"),
        ])

    static let assumption = OutputObject(
        "assumption", "What a card assumed",
        [
            .always("card", .text, "The card"), .always("ic", .text, "Its IC"),
            .always("about", .text, "The quirk that changes it, or the command code of an unpublished layout"),
            .always(
                "known", .word(["inferred", "unknown", "unpublished"]),
                "Concluded from similar chips, told by no source, or a command without a public layout"),
            .maybe("value", .text, "What was assumed"), .maybe("can_be", .text, "What else the quirk can be"),
            .always("meaning", .text, "What it decides"),
        ])

    static let notKept = OutputObject(
        "not-kept", "What a long run left out",
        [
            .maybe("first", .number, "The first exchange left out"),
            .maybe("last", .number, "The last exchange left out"),
            .always("calls", .number, "How many calls were left out"),
        ])

    static let exchange = OutputObject(
        "exchange", "An exchange",
        [
            .always("number", .number, "Its number, from 1"), .maybe("reader", .text, "The reader, of several"),
            .always("time", .number, "When the command began"),
            .always("command", .object(frame), "What the reader sent"),
            .always("answers", .list(.object(answer)), "What came back; none is silence"),
        ])

    static let frameKeys: [OutputObject.Key] = [
        .always("hex", .text, "The bytes without CRC"), .always("bits", .number, "How many bits were on air"),
        .always("is", .text, "The frame in words"),
    ]

    static let frame = OutputObject("frame", "A frame", frameKeys)

    static let answer = OutputObject(
        "answer", "An answer",
        [.always("time", .number, "When it began")] + frameKeys + [
            .always("cards", .list(.text), "The card; several in a collision")
        ])

    static let call = OutputObject(
        "call", "A call",
        [
            .always("after", .number, "The exchange before it, 0 for none"),
            .maybe("reader", .text, "The reader, of several"), .always("time", .number, "When it came"),
            .always("layer", .word(["apdu", "control", "pn532"]), "How the host reached the reader"),
            .maybe("code", .text, "The control code"), .always("hex", .text, "The command"),
            .maybe("is", .text, "The command in words"),
            .always(
                "outcome", .word(["answer", "unsupported", "no card", "failed", "waiting"]), "What came of it"),
            .maybe("answer", .text, "The answer"), .always("refused", .flag, "Whether the reader refused the command"),
        ])

    // Kept runs.

    static let shownTrace = OutputObject(
        "shown-trace", "A trace that is shown", [.always("exchanges", .list(.object(exchange)), "The exchanges")])

    static let keptCase = OutputObject(
        "kept-case", "A case that was kept", [.always("folder", .text, "Its folder, the newest run first")])

    static let exported = OutputObject(
        "exported", "A file that was written or is shown", [.always("file", .text, "The file")])

    static let difference = OutputObject(
        "difference", "Where two runs part",
        [
            .always("same", .flag, "Whether every exchange is the same"),
            .maybe("exchange", .number, "The first exchange that differs"),
            .maybe("left", .either([.object(exchange), .null]), "That of the first run; null behind its end"),
            .maybe("right", .either([.object(exchange), .null]), "That of the second run"),
        ])

    static let answerDifference = OutputObject(
        "answer-difference", "What two cards answer differently to the questions of a probe",
        [
            .always("known", .flag, "Whether all that differs is in the list"),
            .always("new", .list(.object(answers)), "What is not"),
            .always("found", .list(.object(answers)), "What is"),
            .always("gone", .list(.object(answers)), "What the list has and is no longer there"),
            .always("questions", .number, "How many questions were put to both cards"),
            .always("unpaired", .number, "How many were put to one alone, since an earlier answer differed"),
        ])

    private static let answers = OutputObject(
        "answers", "A question that two cards answer differently",
        [
            .always("asked", .text, "The command, as a list of known differences writes it"),
            .always("real", .text, "The answers of the real card"),
            .always("engine", .text, "Those of the card of the engine"),
            .maybe("because", .text, "The reason that the list gives"),
        ])

    static let cards = OutputObject(
        "cards", "Cards after an exchange",
        [
            .always("format", .number, "1, as in a scenario file"),
            .always("cards", .map(.any("what the key of a scenario takes")), "The cards, as a scenario has them"),
        ])

    // Lists, explanations, readings.

    static let template = OutputObject(
        "template", "A card template",
        [
            .always("template", .text, "Its name"), .always("ic", .text, "Its IC"),
            .always("summary", .text, "What it is"),
        ])

    static let ic = OutputObject(
        "ic", "An IC",
        [
            .always("ic", .text, "Its name"), .always("family", .text, "Its family"),
            .always("aliases", .text, "Other names, in words"),
        ])

    static let model = OutputObject(
        "model", "A reader model",
        [
            .always("model", .text, "Its name in scenarios"), .always("name", .text, "Its name as clients see it"),
            .always("summary", .text, "What it is"),
        ])

    static let realReader = OutputObject(
        "real-reader", "A real reader",
        [
            .always("reader", .text, "Its name"), .always("family", .text, "How it is spoken to"),
            .always("card", .text, "The ATR of its card, or that there is none"),
        ])

    static let fault = OutputObject(
        "fault", "A fault",
        [
            .always("name", .text, "Its name"), .always("family", .text, "Its family"),
            .always("summary", .text, "What happens"), .always("models", .text, "What real failure it stands for"),
            .always("injected_at", .text, "Where it is injected"),
            .always("parameters", .list(.object(parameter)), "Its parameters"),
        ])

    static let parameter = OutputObject(
        "parameter", "A parameter of a fault",
        [
            .always("name", .text, "Its name"), .always("values", .text, "What it takes"),
            .maybe("default", .text, "What holds without it"), .always("summary", .text, "What it says"),
        ])

    static let scenarioFile = OutputObject(
        "scenario-file", "A scenario file",
        [
            .always("file", .text, "Its path"), .always("cases", .text, "How many cases or errors, in words"),
            .always("title", .text, "Its title"),
        ])

    static let topic = OutputObject(
        "topic", "A topic",
        [.always("title", .text, "Its title"), .always("names", .list(.text), "The names it explains")])

    static let page = OutputObject(
        "page", "A page about a name",
        [
            .always("title", .text, "Its title"), .always("summary", .text, "Sentences"),
            .always("lines", .list(.object(pageLine)), "Facts"),
        ])

    static let pageLine = OutputObject(
        "page-line", "A fact", [.always("heading", .text, "What about"), .always("text", .text, "The fact")])

    static let reading = OutputObject(
        "reading", "A way to read bytes",
        [
            .always("title", .text, "What they are"),
            .always("line", .text, "The same in one line, with what they say"),
            .maybe("command", .text, "The command, or the one that is answered, as scenarios name it"),
            .always("is_command", .flag, "Whether a reader or host sends it"),
            .always("is_certain", .flag, "Whether hardly anything else can be meant"),
            .always(
                "technology",
                .word(["FeliCa", "NFC Type A", "PC/SC", "PN532", "FeliCa block", "NDEF"]), "Where such bytes are met"),
            .always("hex", .text, "The bytes, without preamble and CRC"), .always("bits", .number, "How many bits"),
            .always("reasons", .list(.text), "What speaks for it"), .maybe("remark", .text, "What is wrong with it"),
            .always("fields", .list(.object(field)), "All bits in order"),
        ])

    static let field = OutputObject(
        "field", "A field",
        [
            .always("at", .number, "Its first byte, from 0"), .always("size", .number, "How many bytes it touches"),
            .maybe("first_bit", .number, "Its first bit, where it is no whole bytes"),
            .maybe("bits", .number, "How many bits, where it is no whole bytes"), .always("name", .text, "Its name"),
            .always("value", .text, "Its bytes"), .maybe("note", .text, "What it means"),
            .maybe("parts", .list(.object(part)), "What lies inside, such as the date of a history record"),
        ])

    static let part = OutputObject(
        "part", "A part of a field", [.always("name", .text, "Its name"), .always("value", .text, "What it says")])

    static let doctor = OutputObject(
        "doctor-document", "What doctor found",
        [
            .always("works", .flag, "Whether PC/SC clients reach virtual cards"),
            .always("findings", .list(.object(machineFinding)), "What was looked at"),
        ])

    static let machineFinding = OutputObject(
        "machine-finding", "A finding about the machine",
        [
            .always("topic", .text, "What was looked at, a word"),
            .always("weight", .word(["fine", "note", "trouble"]), "Whether it keeps PC/SC from working"),
            .always("found", .text, "What was found"), .maybe("advice", .text, "What to do"),
        ])
}
