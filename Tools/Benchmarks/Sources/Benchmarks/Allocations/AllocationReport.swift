import TapCards
import TapWire

/// What every command of all engines allocates.
struct AllocationReport {
    /// A case and what it allocates.
    struct Line {
        let name: String
        let result: AllocationScript.Result

        /// Allocations of one exchange.
        func allocations(_ api: AllocationScript.API) -> Double { result.allocations[api] ?? .infinity }
    }

    private(set) var lines: [Line] = []
    /// Scripts that do not do what they say, and commands without one.
    private(set) var problems: [String] = []

    /// Drives every command of all engines that uses no key; ciphers allocate.
    static func run() throws -> AllocationReport {
        var report = AllocationReport()
        let feliCa = try FeliCaCard(BenchmarkCards.everything)
        let keyed = FeliCaCommandSet.session.union([.authentication1, .authentication1V2])
        for code in feliCa.template.definition.profile.supportedCommands.subtracting(keyed).codes {
            report.add(FeliCaScripts.scripts(of: code), of: "command \(code)", on: feliCa)
        }
        let lite = FeliCaLiteCard(BenchmarkCards.lite)
        for code in lite.template.definition.profile.liteCommands.codes {
            report.add(LiteScripts.scripts(of: code), of: "command \(code) of FeliCa Lite-S", on: lite)
        }
        let tag = NTAGCard(try BenchmarkCards.mirroringTag())
        for opcode in Type2Opcode.ofNTAG21x {
            report.add(NTAGScripts.scripts(of: opcode, uid: tag.uid), of: "\(opcode)", on: tag)
        }
        report.add(NTAGScripts.otherScripts(uid: tag.uid), of: "other frames", on: tag)
        let plain = NTAGCard(try BenchmarkCards.protectedTag())
        report.add(NTAGScripts.scripts(of: .readSignature, uid: plain.uid), of: "READ_SIG", on: plain)
        return report
    }

    private mutating func add<Card: CardEngine>(_ scripts: [AllocationScript], of command: String, on card: Card) {
        if scripts.isEmpty { problems.append("no script drives \(command)") }
        for script in scripts {
            let result = script.run(on: card)
            lines.append(Line(name: script.name, result: result))
            if !result.isAsExpected {
                problems.append(
                    "\(script.name) is \(script.isAnswered ? "met with silence" : "answered"); see its script")
            }
        }
    }
}
