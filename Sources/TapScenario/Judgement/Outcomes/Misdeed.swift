/// Something a client did that it should not do unasked.
///
/// What the clean runs do as well is the client's way and is not held against it: a misdeed of a run counts only where
/// the clean runs have none of the same key, or one of a smaller amount.
struct Misdeed: Hashable, Sendable {
    let outcome: Outcome
    /// What of ``SafetyRule`` it breaks, where it is one of safety.
    let rule: SafetyRule?
    /// What it is, the same in every run that does it.
    let key: String
    /// How much of it there is.
    let amount: Int
    /// The exchange that shows it.
    let exchange: Int?
    /// What it is, a sentence without its full stop.
    let reason: String

    init(
        _ outcome: Outcome, _ rule: SafetyRule? = nil, key: String, amount: Int = 1, at exchange: Int?,
        _ reason: String
    ) {
        self.outcome = outcome
        self.rule = rule
        self.key = key
        self.amount = amount
        self.exchange = exchange
        self.reason = reason
    }

    /// All misdeeds that a run shows by itself.
    static func all(in record: RunRecord) -> [Misdeed] {
        let facts = RunFacts(record.world)
        return WriteOracle(facts).misdeeds + PasswordOracle(facts).misdeeds + RepeatedWriteOracle(facts).misdeeds
            + FeliCaOracle(facts).misdeeds + NTAGOracle(facts).misdeeds + ServiceOracle(record).misdeeds
    }
}
