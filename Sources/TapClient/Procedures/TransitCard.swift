import TapWire

/// What anybody may read of a transit card: Suica, PASMO, ICOCA and the cards they work with.
public struct TransitCard: Hashable, Sendable {
    /// The transit system of the card.
    public let system: FeliCaSystem
    /// Attributes and balance.
    public let balance: TransitBalance
    /// The uses of the card, newest first.
    public let history: TransitHistory
    /// The log of gates, newest first and unused records left out, or nothing on a card without one.
    public let gates: [TransitGateRecord]?
}

extension CardReader {
    /// Reads balance, history and gate log of a transit card.
    ///
    /// - Parameter code: The system: 0003, or that of a card with the same services such as SAPICA (865E).
    /// - Throws: ``ClientError``: no card with this system, a card without balance or history, or the exchange fails.
    public mutating func readTransitCard(
        system code: SystemCode = .transit
    ) async throws(ClientError) -> TransitCard {
        let system = try await activate(system: code)
        let needed = [TransitServices.balance, TransitServices.history].map(\.code)
        let found = try await existing(needed + [TransitServices.gates.code])
        let missing = needed.filter { !found.contains($0) }
        guard missing.isEmpty else { throw .servicesMissing(missing, "transit card", in: system.code) }

        let balance = try await readBlocks([BlockAddress(TransitServices.balance.code, 0)])
        let history = try await readBlocks(of: TransitServices.history)
        var gates: [TransitGateRecord]?
        if found.contains(TransitServices.gates.code) {
            gates = try await readBlocks(of: TransitServices.gates).map { TransitGateRecord($0) }
        }
        return TransitCard(
            system: system, balance: TransitBalance(balance[0]), history: TransitHistory(blocks: history),
            gates: gates?.filter { !$0.isUnused })
    }

    /// Reads as many blocks of a service as cards were seen to have, or fewer if the card has fewer.
    mutating func readBlocks(of service: ApplicationService) async throws(ClientError) -> [BlockData] {
        try await readBlocks(of: service.code, upTo: service.blockCount)
    }
}
