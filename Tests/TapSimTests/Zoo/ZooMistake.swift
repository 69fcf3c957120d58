import TapDocument

/// A bug of a client in the zoo, and its expected finding.
struct ZooMistake: Sendable {
    /// The argument that enables the bug.
    let name: String
    /// The expected verdict; `warning` for a habit that is not a finding.
    let verdict: String
    /// The fault that reveals it; a control card such as `card.trips-1`, or `card` for the campaign's own card.
    let fault: String
    /// The command, or PC/SC call, at which to inject the fault.
    let place: String
    /// The number of the command or call with this name, counted from 1.
    let nth: Int
    /// The runs to perform: all runs of the fault, or one if each lasts until a time limit.
    let runs: String

    /// The family of its fault, such as `felica`.
    var family: Substring { fault.prefix { $0 != "." } }

    /// Indicates whether a control card reveals the bug.
    var needsNoFault: Bool { fault == "card" || fault.hasPrefix("card.") }

    init(_ row: Node) {
        let text = { (key: String) in row[key]?.text ?? "" }
        name = text("name")
        verdict = text("verdict")
        fault = text("fault")
        place = text("at")
        nth = Int(text("nth")) ?? 1
        runs = row["only"]?.text ?? fault
    }
}
