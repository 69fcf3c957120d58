import TapDoors
import TapScenario

extension OpenDoors {
    /// What clients did with the PC/SC service, if there is one of ours; complete once the doors are closed.
    var serviceUse: ServiceUse? {
        doors.lazy.compactMap { $0 as? PCSCDoor }.first.map { ServiceUse($0.usage) }
    }
}

extension ServiceUse {
    /// What the service has seen, as the judge reads it.
    init(_ usage: ServiceUsage) {
        self.init()
        contexts = usage.contexts
        cards = usage.cards
        transactions = usage.transactions
        misuses = usage.misuses.map { misuse in
            Misuse(call: misuse.call, reason: misuse.reason, exchange: misuse.exchange ?? 0)
        }
    }
}
