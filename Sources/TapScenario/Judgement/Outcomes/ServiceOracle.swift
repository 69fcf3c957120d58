import TapWire

/// Looks for what a client left open of a PC/SC service, and for calls that no sound client makes.
struct ServiceOracle {
    private let record: RunRecord

    init(_ record: RunRecord) {
        self.record = record
    }

    var misdeeds: [Misdeed] {
        guard let use = record.service else { return [] }
        return misuses(use) + leaks(use)
    }

    private func misuses(_ use: ServiceUse) -> [Misdeed] {
        var keys: Set<String> = []
        return use.misuses.compactMap { misuse in
            let key = "\(misuse.call) \(misuse.reason)"
            guard keys.insert(key).inserted else { return nil }
            let count = use.misuses.count { $0.call == misuse.call && $0.reason == misuse.reason }
            return Misdeed(
                .protocolMisuse, key: key, amount: count, at: misuse.exchange > 0 ? misuse.exchange : nil,
                "it called \(misuse.call) \(misuse.reason)")
        }
    }

    /// What is left open counts only against a client that ended by itself: one that was ended had no time to tidy up.
    private func leaks(_ use: ServiceUse) -> [Misdeed] {
        guard case .exit = record.client.end else { return [] }
        let left: [(count: Int, noun: String, call: String)] = [
            (use.transactions, "transaction", "SCardEndTransaction"), (use.cards, "card handle", "SCardDisconnect"),
            (use.contexts, "context", "SCardReleaseContext"),
        ]
        return left.filter { $0.count > 0 }.map { count, noun, call in
            Misdeed(
                .leak, key: noun, amount: count, at: record.place,
                "it ended with \(CountText.of(count, noun)) open; \(call) gives it back")
        }
    }
}
