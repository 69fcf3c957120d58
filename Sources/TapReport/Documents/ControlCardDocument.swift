import TapDocument
import TapScenario

public enum ControlCardDocument {
    public static var text: String {
        let heads = ["Cards", "A card with", "Fits", "Tried", "May be refused", "What it shows"]
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

        Each row is a property in which control cards differ from the named card. A campaign tries a covering set of at most
        \(VariedCard.fewest) cards: from each row that fits the named card, as many as the column "Tried" states, starting with those of the
        card's own kind of records. `--budget` tries all of them. `--only 'card.*'` tries all of them and no fault,
        `--only card.trips-1` a single one, and `--except 'card.tlv-*'` excludes some. In names that end in `*`, the asterisk
        stands for a number; random choices follow from the seed.

        A client that rejects a control card only causes a warning, and not even that if the card may be refused. Anything it
        prints for such a card must be right: a part of a text, or a number that differs from the card's, is a finding.

        `tapsim list control-cards` prints this table, and `tapsim fuzz --list` the control cards for a card. This page is
        generated from the table in `Sources/TapScenario/Cards/ControlProperty.swift`; a test compares it byte for byte and
        rewrites it when `TAPSIM_UPDATE_DOCS=1` is set.
        """
}
