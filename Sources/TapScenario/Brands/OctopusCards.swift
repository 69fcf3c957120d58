import TapCards
import TapDocument
import TapWire

extension CardTemplate {
    static let octopus = CardTemplate(
        "octopus",
        "The Octopus card of Hong Kong: its balance, stored with the offset of 50 dollars that a card may owe since "
            + "October 2017 or, with `debt: 350`, the 35 dollars before (likely: FareBot and metrodroid).",
        keys: [CardLanguage.balance.name, CardLanguage.debt.name], defaultGeneration: 2,
        [
            CardGeneration(
                .inferred(
                    "RC-S962", "an Octopus in issue 442 of Proxmark3 has this PMm; its services were not listed"),
                """
                8008  0000-FFFE 0110 0112 0114 0117 0208 020A 0308 030A 040C 040E 0708 070A 0800-0F3F 0908 090A 0A08 0A0A
                      0B08 0B0A
                """),
            CardGeneration(
                .inferred(
                    "SD2", "felica-tool calls it the IC of the new Octopus cards; others are RC-S962 or FeliCa CN/HK"),
                """
                8008  0000-FFFE 0110 0112 0114 0117 0208 020A 0308 030A 040C 040E 0708 070A 0800-0F3F 0908 090A 0A08 0A0A
                      0B08 0B0A 1008 100B
                """),
        ]
    ) { $0.octopusContent() }
}

extension CardDecoder {
    fileprivate mutating func octopusContent() -> DirectoryContent {
        var random = random.fork("balance")
        let balance = map[CardLanguage.balance] ?? 500 + random.next(below: 4_500)
        let debt = map[CardLanguage.debt] ?? OctopusAmount.debt
        checkBalance(balance, in: -debt...OctopusAmount.maximumTenths(debt: debt), at: value(CardLanguage.balance.name))
        var content = DirectoryContent()
        content.set(OctopusServices.balance, [OctopusBalance(OctopusAmount(tenths: balance, debt: debt)).stored])
        return content
    }
}
