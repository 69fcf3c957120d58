import TapCards
import TapWire

/// The fidelity of the cards to their ICs, generated from the catalogue: known facts, their sources, and open questions.
public enum FidelityDocument {
    public static var text: String {
        let sections = [
            limits, commands, reports, times, openSwitches, lite, ntag, brands, readers, undocumented,
        ]
        return ([introduction] + sections.map { "## \($0.title)\n\n\($0.text)" }).joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        # Can I trust this for my card?

        For each IC, this page shows how TapSim's card behaves according to measurements of such chips, what it infers from
        similar chips, and what no public source covers. In the tables

        | | |
        | --- | --- |
        | `12` | measured on such a chip, or stated by the manufacturer |
        | *12* | likely: a public source points to it; or inferred: from similar chips, or from a table that was not measured |
        | ? | unknown: the card uses the default of the quirk |

        `tapsim explain RC-S962` prints the same for one IC, with the source of each value, and
        `tapsim explain statusLocation` prints what is known about a quirk. If an answer relied on an inferred or unknown
        value, the run reports that once at its end, and under `assumed` with `--json`. If your card behaves differently, set
        the quirk: `quirks: {maxReadBlocks: 15}`.

        The sources are the excerpted edition of the FeliCa Card User's Manual, JIS X 6319-4 and the NXP data sheets. Others are
        felica-tool, which measured 15 FeliCa Standard chips, logs and tests of nfcpy, and dumps and traces in the projects of
        the Flipper firmware and Proxmark3. This page is generated from `Sources/TapCards`; a test compares it byte for byte and
        rewrites it when `TAPSIM_UPDATE_DOCS=1` is set.
        """

    static let chips = FeliCaIC.catalogue.filter { $0.icCode != nil }

    static func head(_ ic: FeliCaIC) -> [String] {
        [ic.icCode.map { Hex.digits($0, width: 2) } ?? "", ic.name]
    }

    static func cell<Value>(_ fact: Fact<Value>, _ text: (Value) -> String) -> String {
        guard let value = fact.value else { return "?" }
        return marked(text(value), fact.confidence)
    }

    private static func marked(_ text: String, _ confidence: Confidence) -> String {
        switch confidence {
        case .certain, .measured: text
        case .likely, .inferred: "*\(text)*"
        case .unknown: "?"
        }
    }

    private static var limits: (title: String, text: String) {
        let rows = chips.map { ic in
            head(ic) + [
                ic.generation.rawValue, cell(ic.maxReadBlocks) { "\($0)" }, cell(ic.maxWriteBlocks) { "\($0)" },
                cell(ic.trailingBytes, trailing), cell(ic.pollingRequestCodes, \.rawValue),
                cell(ic.performanceBytes) { Hex.digits($0.rawValue, width: 4) }, cell(ic.echoMax) { "\($0)" },
                cell(ic.requestServiceUnknownAttribute, \.rawValue), cell(ic.statusLocation, \.rawValue),
                cell(ic.pmm, \.description),
            ]
        }
        let heads = [
            "IC", "Name", "Generation", "Read", "Write", "Trailing bytes", "Polling", "Performance", "Echo",
            "Unknown attribute", "Error place", "PMm",
        ]
        return (
            "FeliCa Standard: limits and answers",
            """
            Read and Write are the maximum number of blocks in one command; a Read or Write of more gets `FF A2`. Trailing bytes:
            whether a command with bytes after its end is answered, or the codes to which the chip is silent. Polling: the request
            codes that the chip knows; Performance: what it returns for 02. Echo: the maximum amount of data it returns. Unknown
            attribute: how Request Service treats a code with an undefined attribute. Error place: how status flag 1 identifies an
            entry of a list.

            \(Markdown.table(heads, rows))
            """
        )
    }

    private static func trailing(_ value: FeliCaProfile.TrailingBytes) -> String {
        switch value {
        case .ignore: "ignored"
        case .silence: "silent"
        case .silenceFor(let commands): "silent to \(commands.codes.map(\.description).joined(separator: " "))"
        }
    }

    private static var commands: (title: String, text: String) {
        let all = FeliCaCommandSet(chips.flatMap { $0.supportedCommands.value?.codes ?? [] })
        let names = all.codes.map { code in
            "\(Markdown.code(code.description)) \(CommandDescription.of(code)?.name ?? "")"
        }
        let rows = chips.map { ic in
            head(ic)
                + all.codes.map { code in
                    let knows = ic.supportedCommands.value?.contains(code) ?? false
                    // Only the commands that begin a session were measured.
                    let confidence =
                        FeliCaCommandSet.session.contains(code) ? .inferred : ic.supportedCommands.confidence
                    return knows ? marked("yes", confidence) : ""
                }
        }
        return (
            "FeliCa Standard: commands",
            """
            A card is silent to commands that its IC does not have. Of the commands inside a session, only the first was measured,
            10 or 40; the others are inferred from it. \(names.joined(separator: ", ")).

            \(Markdown.table(["IC", "Name"] + all.codes.map(\.description), rows))
            """
        )
    }

    private static var times: (title: String, text: String) {
        let slow = chips.compactMap { ic -> String? in
            guard let time = ic.searchTime.value, time > 0 else { return nil }
            return "\(ic.name) takes \(time) µs for Search Service Code (\(ic.searchTime.source))"
        }
        return (
            "Time",
            """
            No source has times of chips. With `time: typical`, the default, a FeliCa card answers in a
            quarter of the maximum time that its PMm states (inferred), and answers a read in a sixteenth (likely). The
            pages of webpasori read transit cards and give up after 3 ms, while by its PMm alone an RC-S95x takes up to 33.8 ms for a
            block. No answer comes before the 197 µs of JIS X 6319-4. With
            `time: pmm`, it takes the maximum time. `time: worst` is the same, except for chips known to take longer than they state.
            This also applies to `typical`: \(slow.joined(separator: "; ")). A client that waits only as long as the PMm states misses such an
            answer, here as with a real card. Polling is answered in its time slots.
            """
        )
    }

    private static var openSwitches: (title: String, text: String) {
        ("FeliCa Standard: not covered by any source", open(FeliCaProfile.self))
    }

    /// Returns the table of the switches for which no source covers any product.
    private static func open<Quirks: QuirkSet>(_: Quirks.Type) -> String {
        let rows = Quirks.switches.filter { row in
            CardFact(named: row.name).map(Quirks.unpublished.contains) ?? false
        }
        .map { row in
            let known = [row.meaning, row.evidence].filter { !$0.isEmpty }.joined(separator: " ")
            return [Markdown.code(row.name), row.defaultValue, row.allowedValues, known]
        }
        return Markdown.table(["Quirk", "Assumed", "Can be", "Effect, and what is known"], rows)
    }

    private static var lite: (title: String, text: String) {
        let rows = FeliCaLiteIC.catalogue.flatMap { ic in
            ic.facts.map { [Hex.digits(ic.icCode, width: 2), ic.name] + cells($0) }
        }
        return (
            "FeliCa Lite, Lite-S, Plug and Link",
            """
            \(Markdown.table(["IC", "Name", "What", "Value", "Source"], rows))

            No source covers the following for any of them:

            \(open(FeliCaLiteProfile.self))
            """
        )
    }

    private static func cells(_ line: CatalogueLine) -> [String] {
        [line.title, line.fact.value.map { marked($0, line.fact.confidence) } ?? "?", line.fact.source]
    }

    private static var ntag: (title: String, text: String) {
        let lines = NTAGProduct.allCases.flatMap { product in
            product.catalogue.filter { $0.fact.confidence != .certain }.map { (product, $0) }
        }
        var rows: [[String]] = []
        for (_, line) in lines where !rows.contains(where: { $0.dropFirst() == cells(line)[...] }) {
            let products = lines.filter { $0.1 == line }.map(\.0.rawValue)
            rows.append([products.joined(separator: ", ")] + cells(line))
        }
        return (
            "NTAG213, 215 and 216",
            """
            Memory, locks, commands and states follow the NXP data sheet; facts from other sources:

            \(Markdown.table(["Product", "What", "Value", "Source"], rows))

            No source covers the following for any tag:

            \(open(NTAGQuirks.self))
            """
        )
    }
}
