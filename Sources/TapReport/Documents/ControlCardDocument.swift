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

        Before any fault, `tapsim fuzz` gives the client other valid cards like the one that `--card` names, or like the only card of
        a scenario: control cards. What the client prints of its card it has to print of these as well. A client that misreads one
        has a mistake that no fault needs to bring out, and the exit code is 5.

        Each row is a property in which control cards differ from the named card. A campaign tries a covering set of at most
        \(VariedCard.fewest) cards: of each row that fits the named card as many as the column "Tried" says, those of the card's own kind of
        records first. `--budget` tries all of them. `--only 'card.*'` tries all of them and no fault, `--only card.trips-1` a single
        one, and `--except 'card.tlv-*'` leaves some out. Names that end in `*` have numbers in its place; what is drawn follows from
        the seed.

        A client that refuses a control card is only warned about, and not even that where the card may be refused. Whatever it
        prints of such a card has to be right: a part of a text, or another number than the card has, is a finding.

        `tapsim list control-cards` prints this table, and `tapsim fuzz --list` the control cards of a card. This page is made from
        the table in `Sources/TapScenario/Cards/ControlProperty.swift`; a test compares it byte for byte and rewrites it when
        `TAPSIM_UPDATE_DOCS=1` is set.
        """
}
