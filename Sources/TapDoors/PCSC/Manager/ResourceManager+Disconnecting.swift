import TapReaders
import TapWire

extension ResourceManager {
    /// Ends a connection to a card.
    mutating func disconnect(_ message: DispositionMessage, _ client: ClientID) -> ServiceStep {
        var answer = message
        guard message.disposition.isKnown else {
            answer.result = .invalidValue
            return .answer(answer.bytes)
        }
        let isForgotten = hasForgottenTransaction(message.card)
        return disconnect(message.card, message.disposition) { manager, code in
            if code == .success {
                manager.clients[client]?.cards.removeAll { $0 == message.card }
                if isForgotten { manager.usage.transactions += 1 }
            }
            answer.result = code
            return .answer(answer.bytes)
        }
    }

    /// Ends a connection and leaves the card as a disposition says; others are told of a reset.
    ///
    /// A reader that was unplugged is no reason to refuse.
    mutating func disconnect(
        _ card: Int32, _ disposition: PCSCDisposition, then: @escaping ServiceStep.Then<PCSCReturnCode>
    ) -> ServiceStep {
        guard let id = cards[card]?.reader, let reader = readers[id] else { return then(&self, .success) }
        if disposition != .leave, reader.isLocked(against: card) { return .wait(orAnswer: nil) }
        // What the connection has locked stays so until the card is as it is to be left.
        switch disposition {
        case .reset:
            raise(.reset, on: id)
            return .power(id, .reset) { manager, outcome in
                try? manager.readers[id]?.finishPowering(outcome)
                return manager.forget(card, of: id, then: then)
            }
        case .unpower:
            raise(.reset, on: id)
            return .power(id, .down) { manager, outcome in
                manager.readers[id]?.finishUnpowering(outcome)
                return manager.forget(card, of: id, then: then)
            }
        default:
            // No contactless reader ejects cards, and that is no reason to refuse either.
            return forget(card, of: id, then: then)
        }
    }

    private mutating func forget(
        _ card: Int32, of id: ReaderID, then: ServiceStep.Then<PCSCReturnCode>
    ) -> ServiceStep {
        cards[card] = nil
        try? readers[id]?.unlockAll(card)
        releaseShare(of: id)
        connections?.append((id, false))
        // pcscd takes power from a card that nobody uses, and with it the protocol; here no clock decides that.
        if readers[id]?.sharing == .free { readers[id]?.activeProtocol = [] }
        tellChange()
        return then(&self, .success)
    }
}

extension PCSCDisposition {
    /// Whether it is one there is.
    var isKnown: Bool { [.leave, .reset, .unpower, .eject].contains(self) }
}
