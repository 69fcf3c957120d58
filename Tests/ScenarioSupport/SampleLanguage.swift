import TapDocument
import TapScenario

/// A small language that uses every shape and resembles scenarios.
package enum SampleLanguage {
    package enum Protection: String, CaseIterable {
        case write
        case readWrite = "read_write"
    }

    package enum Verb: String, CaseIterable {
        case tap
        case swap
        case repeats = "repeat"
    }

    package static let file = KeyTable(
        "a file",
        [
            Key("format", .integer(1...1), "The version of the format.", isRequired: true),
            Key("title", .text, "What the file is about."),
            Key("tags", .list(of: .text, count: 1...3), "Words to choose files by."),
            Key("params", Parameters.shape, "Values that the file uses by name."),
            Key("cards", .map(of: NameRule("the name of a card"), to: .map(card)), "The cards.", synonyms: ["card"]),
            Key("timeline", .list(of: .map(step)), "What happens to the cards.", synonyms: ["steps"]),
            Key("faults", .list(of: .map(fault)), "What goes wrong."),
            Key("client", .variants([.name("the name of a client"), .map(client)]), "The program under test."),
            Key("result", .free, "What the client says."),
            Key("cases", .list(of: .map(testCase)), "Variations of the scenario; each is a separate test."),
            Key("phone", notYet: "leave it out until phones are supported"),
        ])

    package static let card = KeyTable(
        "a card",
        [
            Key("idm", .hex(8), "The manufacture ID."),
            Key("uid", .hex(4, 7, 10), "The identifier."),
            Key("data", .hex(0...64), "What it holds."),
            Key("issued", .date, "The day of issue."),
            Key(
                "services", .map(of: CodeRule("a service code", known: [0x090F, 0x008B]), to: .list(of: .hex(16))),
                "Blocks by service.", synonyms: ["service_code"]),
            Key("systems", .list(of: .code("a system code", known: [0x0003, 0xFE00])), "System codes."),
            Key("config", .map(configuration), "The configuration pages."),
        ])

    package static let configuration = KeyTable(
        "a configuration",
        [
            Key("pwd", .hex(4), "The password.", synonyms: ["password"]),
            Key("prot", .word(Protection.self), "The access that the password protects.", synonyms: ["readonly"]),
            Key("authlim", .integer(0...7), "Wrong passwords before the tag locks itself."),
            Key("locked", .boolean, "Lock the configuration permanently."),
        ])

    /// Steps can contain steps.
    package static let step: KeyTable = KeyTable(
        "a step",
        [
            Key("when", .text, "The command to wait for.", synonyms: ["on"]),
            Key("after", .duration, "The time to wait."),
            Key("at", .duration, "The time since the start."),
            Key("tap", .name("the name of a card"), "Brings a card."),
            Key("swap", .map(swap), "Changes one card for another."),
            Key("repeat", .list(of: .map(step)), "Steps that are repeated."),
        ], exactlyOne: ["tap", "swap", "repeat"], atMostOne: ["when", "after", "at"])

    package static let swap = KeyTable(
        "a swap",
        [
            Key("out", .name("the name of a card"), "The card that goes.", isRequired: true),
            Key("in", .name("the name of a card"), "The card that comes.", isRequired: true),
            Key("gap", .duration, "The time between removing and placing."),
        ])

    package static let fault = KeyTable(
        "a fault",
        [
            Key("when", .text, "The command it waits for.", isRequired: true),
            Key("times", .range(1...1_000), "How often it is injected."),
            Key("do", .variants([.word("rf.lose_tag", "rf.delay"), .map(action)]), "What it does.", isRequired: true),
        ])

    package static let action = KeyTable(
        "an action",
        oneOf: [
            Key("rf.lose_tag", .map(loss), "The tag is gone."),
            Key("rf.delay", .timeAmount, "The answer is late."),
        ])

    package static let loss = KeyTable("a loss", [Key("back_in", .duration, "When the tag is back.")])

    package static let client = KeyTable(
        "a client",
        [
            Key("builtin", .name("the name of a client"), "A client that is built in."),
            Key("run", .list(of: .verbatim, count: 1...Int.max), "The program and its arguments."),
        ], exactlyOne: ["builtin", "run"])

    package static let testCase = KeyTable(
        "a case",
        [
            Key("name", .text, "The name of the case.", isRequired: true),
            Key("params", Parameters.shape, "Parameters of its own."),
            Key("faults", .list(of: .map(fault)), "Faults of its own."),
            Key("timeline", .list(of: .map(step)), "A timeline of its own."),
            Key("expect", .free, "The expected results."),
            Key("skip", .boolean, "Whether it is left out."),
        ])
}
