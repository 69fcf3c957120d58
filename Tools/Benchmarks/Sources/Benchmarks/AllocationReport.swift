import TapCards
import TapWire

/// The list of all commands with what they allocate, and what is wrong with it.
struct AllocationReport {
    private(set) var isClean = true

    /// Drives every command of both engines and prints a line for each script.
    mutating func run() throws {
        let feliCa = try FeliCaCard(BenchmarkCards.everything)
        for code in feliCa.template.definition.profile.supportedCommands.codes {
            add(FeliCaScripts.scripts(of: code), of: "command \(code)", on: feliCa)
        }
        let tag = NTAGCard(try BenchmarkCards.mirroringTag())
        for explanation in Type2Opcode.explanations where explanation.isKnownToNTAG21x {
            add(NTAGScripts.scripts(of: explanation.opcode, uid: tag.uid), of: explanation.name, on: tag)
        }
        add(NTAGScripts.otherScripts(uid: tag.uid), of: "other frames", on: tag)
        let plain = NTAGCard(try BenchmarkCards.protectedTag())
        add(NTAGScripts.scripts(of: .readSignature, uid: plain.uid), of: "READ_SIG", on: plain)
    }

    private mutating func add<Card: CardEngine>(_ scripts: [AllocationScript], of command: String, on card: Card) {
        if scripts.isEmpty { fail("no script drives \(command)") }
        for script in scripts {
            let result = script.run(on: card)
            print(Table.line([script.name, Table.number(result.allocations)], widths: [42, 8]))
            if result.allocations > 0 { fail("\(script.name) allocates") }
            if !result.isAsExpected {
                fail("\(script.name) is \(script.isAnswered ? "met with silence" : "answered"); see its script")
            }
        }
    }

    private mutating func fail(_ sentence: String) {
        isClean = false
        print("FAILED: \(sentence)")
    }
}
