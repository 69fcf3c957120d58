import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapYAML
import Testing

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `A card's assumptions` {
    /// Switches of each family that no source documents, with their default values.
    private static let switches: [(ic: String, name: String, value: String)] = [
        ("NTAG215", "authLimitRaised", "unlocks"), ("NTAG213", "readyReadZeroProtected", "silent"),
        ("RC-S962", "authNodePath", "any"), ("RC-S962", "statusLocation", "ordinal"),
        ("RC-S966", "liteRegViolation", "A8"), ("RC-S966", "liteStatusLocation", "bitmap"),
        ("RC-S965", "litePollingRequestCodes", "00 01 02"),
    ]

    @Test(arguments: switches)
    func `do not include values stated in the file, even default values`(
        _ ic: String, _ name: String, _ value: String
    ) throws {
        let fact = try #require(CardFact(named: name))
        let system = ICCatalogue.named(ic)?.family == .felica ? ", systems: {\"0003\": {services: {\"090F\": 1}}}" : ""
        let open = try #require(CardDocument.card("ic: \(ic)\(system)").card)
        let assumption = try #require(open.makeEngine().assumption(about: fact))
        #expect((assumption.name, assumption.value) == (name, value))
        #expect(open.node["quirks"] == nil)

        let stated = try #require(CardDocument.card("ic: \(ic)\(system), quirks: {\(name): \"\(value)\"}").card)
        #expect(stated.makeEngine().assumption(about: fact) == nil)
        #expect(stated.node["quirks"]?[name]?.text == value)
        #expect(CardDocument.card(stated.node).card == stated)
    }
}
