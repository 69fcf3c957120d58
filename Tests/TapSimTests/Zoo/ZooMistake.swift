import TapDocument

/// A mistake that a client of the zoo makes, and what has to be found out about it.
struct ZooMistake: Sendable {
    /// The word by which the client is told to make it.
    let name: String
    /// What the client is held to have done; `warning` where it is told of a habit that is no finding.
    let verdict: String
    /// The fault under which it shows; a control card such as `card.trips-1`, or `card` for the card of the campaign itself.
    let fault: String
    /// The command, or call of PC/SC, at which the fault has to be injected for it.
    let place: String
    /// Which one with this name, from 1.
    let nth: Int
    /// The runs that are made: all of the fault, or one where each takes until a time limit.
    let runs: String

    /// The family of its fault, such as `felica`.
    var family: Substring { fault.prefix { $0 != "." } }

    /// Whether a control card shows it.
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
