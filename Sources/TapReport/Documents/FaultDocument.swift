import TapDocument
import TapField
import TapScenario

public enum FaultDocument {
    public static var text: String {
        var families: [String] = []
        for fact in FaultCatalogue.all where !families.contains(fact.family) { families.append(fact.family) }
        return ([introduction, contents(families)] + families.map(section) + [lies]).joined(separator: "\n\n") + "\n"
    }

    /// The titles of the families; families without a title appear under their name.
    package static let titles = [
        "rf": "losses, delays and damage over the air",
        "a3": "selection of type A cards (ISO 14443-3)",
        "felica": "what a FeliCa card answers",
        "ntag": "what an NTAG21x answers",
        "mem": "the memory of the card",
        "reader": "the reader's own failures",
        "pcsc": "the PC/SC service",
        "phone": "an app that reads with Core NFC, its phone and the person who holds it",
        "app": "malformed data on a control card",
    ]

    private static let introduction = """
        # Faults

        A fault is a failure between card and program: in the RF link, card, reader, PC/SC service or data. A scenario names
        the fault, states when to inject it, and states what a correct client does:

        \(Markdown.yaml(example))

        - `when` is a command whose exchange receives the fault, or an event that triggers it;
          `{command: felica.read, nth: 2}` is the second such command. See "A trigger" in
          [scenario.md](scenario.md#a-trigger).
        - `do` is the fault: its name alone, or a map with parameters, `{rf.delay: {by: 30ms}}`. Every parameter has a
          default, so the name alone is enough.
        - `times` is the number of injections; `1..` means every time. Default: once, or every time if the fault models a
          property of the card. If a fault cannot change the current command or answer, TapSim injects it at the next one that
          it can change.
        - `fix` corrects the length (`len`), the count or the CRC of the changed answer, so that a client can only detect the
          damage in the data itself. With `mac`, the card, which has the key, computes a valid MAC for the changed data; `mac`
          applies inside a session and on a FeliCa Lite. If omitted, the old MAC is kept.

        A fault that is never injected fails the run; a fault that cannot be injected in the exchange it names is an error in
        the file. A case with faults and without an expectation on the client passes if the client returns the right result or
        reports a clear error. `tapsim fuzz` tries every fault at every exchange. It skips `phone.*`, because its runs have no
        phone.

        `tapsim list faults 'felica.*'` and `tapsim explain NAME` print the same information. This page is generated from the
        catalogue in `Sources/TapField/Faults`; a test compares it byte for byte and rewrites it when `TAPSIM_UPDATE_DOCS=1`
        is set.
        """

    public static let example = """
        format: 1
        cards: {suica: {template: suica, balance: 3120, trips: 20}}
        client: {builtin: transit-history}
        cases:
          - name: an answer is lost
            faults:
              - {when: felica.read, do: rf.silence}
            expect: {client: {exit: 0}, result: {/trips/length: 20}}

        """

    private static func contents(_ families: [String]) -> String {
        (families.map(heading) + [headingOfLies]).map { "- \(Markdown.link($0, toHeading: $0))" }.joined(
            separator: "\n")
    }

    private static let headingOfLies = "Lies: what tests have to notice"

    private static var lies: String {
        let rows = FaultCatalogue.lies.map { lie in
            [Markdown.code(lie.name), lie.summary, Markdown.code(lie.fault.description), lie.unseen]
        }
        let table = Markdown.table(["Lie", "What the card does", "The fault", "What goes unseen in the field"], rows)
        return """
            ## \(headingOfLies)

            A lie is a wrong answer injected to see whether a test notices: a fault at every exchange that it fits, which a client
            can only detect if it checks for it. `tapsim audit` lets cards tell one lie at a time, to see whether the tests of a
            client notice.

            \(table)
            """
    }

    private static func heading(_ family: String) -> String {
        titles[family].map { "\(family): \($0)" } ?? family
    }

    private static func section(_ family: String) -> String {
        let facts = FaultCatalogue.all.filter { $0.family == family }
        let rows = facts.map { fact in
            [Markdown.code(fact.name), fact.summary, parameters(of: fact), fact.placeText, fact.models]
        }
        let heads = ["Fault", "What happens", "Parameters", "Where", "What it models"]
        let table = Markdown.table(heads, rows)
        let parts = ["## \(heading(family))", table] + (family == "phone" ? [phoneEvents] : [])
        return parts.joined(separator: "\n\n")
    }

    private static var phoneEvents: String {
        let rows = PhoneEvent.allCases.map { [Markdown.code($0.rawValue), $0.summary] }
        return """
            Faults and timeline steps wait for phone events with `when: {phone: connected}`, or `when: {phone: connected, nth: 2}`
            for the second one; at a command such as `felica.read`, a phone fault changes the call in progress. `tapsim run` and
            `tapsim serve` have no phone and reject these faults; tests of apps have one, and so does an app built on
            VirtualCoreNFC.

            \(Markdown.table(["Event", "When it happens"], rows))
            """
    }

    private static func parameters(of fact: FaultKind) -> String {
        fact.parameters.map { parameter in
            let standard = parameter.standardText.map { "; default `\($0)`" } ?? ""
            return "`\(parameter.name)` (\(parameter.valuesText)\(standard)): \(parameter.summary)"
        }.joined(separator: "<br>")
    }
}

extension FaultKind {
    public var example: String { "faults: [{when: \(exampleCommand), do: \(name)}]" }
}

extension FaultKind: OutputModel {
    package static let output = OutputTable<Self>(
        "fault", "A fault",
        .always("name", "Its name", \.name), .always("family", "Its family", \.family),
        .always("caused_by", "Who causes it: person, card, rf, reader, service or phone", \.origin.rawValue),
        .always("summary", "What happens", \.summary),
        .always("models", "The real failure that it models", \.models),
        .always("injected_at", "Where it is injected", \.placeText),
        .always("parameters", "Its parameters", \.parameters))
}

extension FaultParameter: OutputModel {
    package static let output = OutputTable<Self>(
        "parameter", "A parameter of a fault",
        .always("name", "Its name", \.name), .always("values", "The values it accepts", \.valuesText),
        .maybe("default", "Its default", \.standardText), .always("summary", "Its meaning", \.summary))
}

extension FaultParameter {
    /// The meaning, the values and the default, as sentences.
    public var text: String {
        var values = "\(valuesText.prefix(1).uppercased())\(valuesText.dropFirst())"
        var standard = standardText.map { " Default: \($0)." } ?? ""
        if case .keyword(let words) = kind {
            values = words.count > 1 ? "One of \(words.map { "`\($0)`" }.joined(separator: ", "))" : values
            standard = standardText.map { " Default: `\($0)`." } ?? ""
        }
        return "\(summary) \(values).\(standard)"
    }
}
