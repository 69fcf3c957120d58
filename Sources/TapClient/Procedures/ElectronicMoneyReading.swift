import TapWire

extension CardReader {
    /// Reads all electronic money on a card: Edy, nanaco and WAON in the common area, then the stored fare of a transit
    /// card.
    ///
    /// Which of them the card has it tells by Request Service. A phone may have several.
    ///
    /// - Returns: At least one kind, in the order of ``ElectronicMoney/Kind``.
    /// - Throws: ``ClientError``: no card with one of the systems, none of the services, or the exchange fails.
    public mutating func readElectronicMoney() async throws(ClientError) -> [ElectronicMoney] {
        let kinds = ElectronicMoney.Kind.allCases
        var found: [ElectronicMoney] = []
        var last: FeliCaSystem?
        for code in [SystemCode.commonArea, .transit] {
            guard let system = try await find(system: code) else { continue }
            if let last, !system.isOnSameCard(as: last) {
                throw .wrongIDm(system.idm, insteadOf: last.idm, Polling.code.name)
            }
            last = system
            let here = kinds.filter { $0.place.system == code }
            let present = try await existing(here.map(\.place.balance.code))
            for kind in here where present.contains(kind.place.balance.code) {
                found.append(try await readMoney(kind, in: system))
            }
        }
        guard let last else { throw .noSystem(.commonArea) }
        guard !found.isEmpty else {
            throw .servicesMissing(kinds.map(\.place.balance.code), "card with electronic money", in: last.code)
        }
        return found
    }

    /// Reads one kind of electronic money from the selected system, which has its balance.
    private mutating func readMoney(
        _ kind: ElectronicMoney.Kind, in system: FeliCaSystem
    ) async throws(ClientError) -> ElectronicMoney {
        let place = kind.place
        let present = try await existing([place.number?.code, place.history.code].compactMap { $0 })
        var addresses = [BlockAddress(place.balance.code, 0)]
        if let number = place.number, present.contains(number.code) { addresses.append(BlockAddress(number.code, 0)) }
        let blocks = try await readBlocks(addresses)
        let history = present.contains(place.history.code) ? try await readBlocks(of: place.history) : []
        return ElectronicMoney(
            kind: kind, system: system, number: blocks.count > 1 ? kind.number(in: blocks[1]) : nil,
            balance: kind.balance(in: blocks[0]), history: kind.entries(in: history))
    }
}
