import TapCards
import TapScenario
import TapWire

// The reports of chips, the cards of brands, readers, and the points without any source.

extension FidelityDocument {
    static var reports: (title: String, text: String) {
        let rows = chips.filter { $0.reports != FeliCaChipReports() }.map { ic in
            head(ic) + [
                cell(ic.productInformation) { Hex.text($0) },
                cell(ic.options) { $0.map(\.description).joined(separator: ", ") },
                ic.productInformation.source,
            ]
        }
        return (
            "FeliCa Standard: product and versions",
            """
            The answers to Request Product Information (3A), and the options that Request Specification Version (3C) lists besides
            version 5.0.0; the first one is for DES. A card with AES keys only lists no DES: 0000 in its place, or an empty list.
            `product_information` and `specification_version` of a card replace both.

            \(Markdown.table(["IC", "Name", "3A", "3C", "Source"], rows))
            """
        )
    }

    static var brands: (title: String, text: String) {
        let templates = CardLanguage.templates.filter { !$0.generations.isEmpty && $0.families == [.felica] }
        let rows = templates.flatMap { template in
            template.generations.map { generation in
                let order = generation.systemOrder
                return [
                    "\(template.name) \(generation.number)\(generation.isDefault ? ", default" : "")",
                    cell(generation.ic, \.self), generation.ic.source,
                    order.map { cell($0, \.self) } ?? generation.systems.map(\.code).joined(), order?.source ?? "",
                ]
            }
        }
        return (
            "Cards of brands",
            """
            The IC of each generation of a template, and the order of its systems. A brand has cards on several ICs: `ic` next to
            `template` selects another one, such as `{template: octopus, ic: RC-S962}`. The areas and services are those of
            felica-tool's public card table.

            \(Markdown.table(["Template", "IC", "Source of the IC", "Systems", "Source of their order"], rows))

            `octopus` counts its balance from the 50 dollars that a card may owe since October 2017 (likely: FareBot, and
            metrodroid, issue 635). Pull request 4282 of the Flipper firmware found cards that match neither that nor the 35
            dollars before. `debt: 350` selects an older card. The container of a phone has the IDm of the card with the system
            number F (likely: a Pixel in pull request 3112 of Proxmark3).
            """
        )
    }

    static var readers: (title: String, text: String) {
        (
            "Readers: what is likely",
            Markdown.table(
                ["Reader", "What", "Answer", "Source"],
                [
                    [
                        "PN532, PN533, RC-S956, ACR122U", "a tag refuses by a NAK, four bits",
                        "status 01, a time-out; to an ACK in InCommunicateThru status 02, a wrong CRC",
                        "libfreefare, issue 112; nfc-pcsc, issue 59; NXP community, threads 505506 and 613188",
                    ],
                    [
                        "ACR122U", "an APDU for a card with an application, such as `A0 A4 00 00 02 7F 10`",
                        "success without any byte; vpcd, which cannot carry that, gives `6F 00`",
                        "pyscard, issues 18 and 85; libnfc, issue 263",
                    ],
                    [
                        "ACR122U", "`FF CA 00 00 04` on a UID of seven bytes", "its first four bytes",
                        "the API document of ACS, which asks so; acr122u of peterhellberg",
                    ],
                ])
        )
    }

    static var undocumented: (title: String, text: String) {
        (
            "Not documented",
            """
            Questions that no source answers and for which there is no quirk. If you know what a card does, please report it.

            \(Markdown.table(["What", "TapSim", "Others"], Self.choices))
            """
        )
    }

    private static let choices: [[String]] = [
        ["ICOCA of generation 2: its IC", "RC-S962", "IC 31, as PASMO with the same area 00C0, is a guess"],
        ["Phones: whether Request System Code lists FE0F", "only systems that the card has", ""],
        ["IC 24: Request System Code", "answered", ""],
        ["Read of no block", "`FF A2`, by the manual", "the Flipper firmware is silent"],
        ["Read inside a session whose block list is cut off", "`FF AC`", "felica-rs is silent"],
        [
            "Write of several blocks to a cyclic service by codes of one number",
            "runs are counted by service code", "by service number is possible too",
        ],
        [
            "Lite-S: MAC_A with other bytes than zeros after the three of WCNT", "`02 B2`",
            "the Flipper firmware ignores them",
        ],
        ["Lite-S: a Read of MC after a Write, before power-off", "the new MC", ""],
        ["Lite-S: WCNT of a locked card after FFFE00", "plain writes count on, up to FFFFFF", ""],
        ["Lite-S: WCNT when MC is locked", "begins again at 0", ""],
        [
            "Lite-S: MAC_A twice in one Read", "zeros but for the last, which covers what is after the one before",
            "as the Flipper firmware",
        ],
        [
            "Lite-S: Write to REG that needs authentication and makes A or B larger", "`A8`",
            "the Flipper firmware answers `B1`",
        ],
        [
            "PN533: the NAK of a tag to a command that it does not know", "status 01",
            "seen as a time-out, not confirmed",
        ],
    ]
}
