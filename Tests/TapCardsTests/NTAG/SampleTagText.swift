import TapCards
import TapWire
import TestSupport

extension SampleTags {
    /// The tag that a vector file names: a sample tag, followed by changes such as `access=18`.
    static func tag(_ words: [String]) -> NTAGDefinition {
        var definition = tag(named: words[0])
        for change in words.dropFirst() where change != "fault" {
            let parts = change.split(separator: "=")
            guard parts.count == 2, let bytes = try? Hex.bytes(parts[1]) else { fatalError("`\(change)` is no change") }
            switch parts[0] {
            case "auth0": definition.configuration.auth0 = bytes[0]
            case "access": definition.configuration.access = NTAGAccess(rawValue: bytes[0])
            case "failed": definition.failedAuthentications = bytes[0]
            case "counter": definition.counter = bytes.reduce(0) { $0 << 8 | UInt32($1) }
            case "cfg0": definition.configuration.cfg0 = PageData(bytes)
            default: fatalError("`\(change)` is no change")
            }
        }
        guard words[0] == "T5" else { return definition }
        return t5(cfg0: definition.configuration.cfg0, access: definition.configuration.access.rawValue)
    }

    private static func tag(named name: String) -> NTAGDefinition {
        switch name {
        case "T0", "T5": t0()
        case "T0-213": t0(.ntag213)
        case "T0-216": t0(.ntag216)
        case "T1": t1()
        case "T2": t2()
        case "T3": t3()
        case "T4": t4()
        case "T6": t6()
        default: fatalError("there is no sample tag \(name)")
        }
    }
}
