import TapScenario

public enum ControlCardDocument {
    public static var text: String {
        let heads = ["Cards", "A card with", "Fits", "Tried", "May be refused", "The bug it finds"]
        let rows = ControlProperty.all.map { row in
            [Markdown.code(row.pattern), row.variation, row.subject.rawValue, "\(row.tried)", row.refusal, row.shows]
        }
        return "\(introduction)\n\n\(Markdown.table(heads, rows))\n"
    }

    private static let introduction = """
        # Control cards

        Before injecting any fault, `tapsim fuzz` presents control cards to the client: other valid cards like the one named
        by `--card`, or like the only card of a scenario. What the client prints for its own card, it must also print for
        these. A client that misreads one has a mistake that needs no fault to appear, and the exit code is 5.

        Each row is a property in which control cards differ from the named card. From each row that fits, a campaign tries as
        many cards as "Tried" states, at most \(VariedCard.fewest) in all. Cards with the same kind of records come first. Rows with "Tried" 0
        are tried only with `--budget` or `--only`. `--budget` tries all cards. `--only 'card.*'` tries all cards and no fault,
        `--only card.trips-1` a single card, and `--except 'card.tlv-*'` excludes some. In names that end in `*`, the asterisk
        stands for a number; random choices follow from the seed.

        If a client rejects a control card, TapSim prints a warning, unless the row allows refusal ("May be refused"). If the
        client prints a value for that card, it must be correct and complete.

        `tapsim list control-cards` prints this table, and `tapsim fuzz --list` the control cards for a card. This page is
        generated from the table in `Sources/TapScenario/Cards/ControlProperty.swift`; a test compares it byte for byte and
        rewrites it when `TAPSIM_UPDATE_DOCS=1` is set.
        """
}
