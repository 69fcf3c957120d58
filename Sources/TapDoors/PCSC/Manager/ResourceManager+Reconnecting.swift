import TapReaders
import TapWire

extension ResourceManager {
    /// Renews a connection: tells it is known what happened, with or without a reset, and settles sharing anew.
    mutating func reconnect(_ message: ReconnectMessage) -> ServiceStep {
        var answer = message
        answer.activeProtocol = []
        do throws(Refusal) {
            guard [.leave, .reset, .unpower].contains(message.initialization) else { throw Refusal(.invalidValue) }
            try checkShareMode(message.shareMode)
            try checkProtocols(message.protocols, message.shareMode)
            let (id, reader) = try reader(of: message.card)
            try reader.checkSharing(message.card)
            guard message.initialization == .leave else {
                raise(.reset, on: id)
                let change = message.initialization == .reset ? PowerChange.reset : .cycle
                return .power(id, change) { manager, outcome in
                    manager.finishReset(answer, outcome, of: id)
                }
            }
            guard reader.hasCard else { throw Refusal(.noSmartCard) }
            guard !reader.state.flags.contains(.swallowed) else { throw Refusal(.unresponsiveCard) }
            return finishReconnecting(answer, of: id)
        } catch {
            answer.result = error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishReset(
        _ message: ReconnectMessage, _ outcome: ReaderSlot.PowerOutcome, of id: ReaderID
    ) -> ServiceStep {
        do throws(Refusal) {
            try readers[id]?.finishPowering(outcome)
            return finishReconnecting(message, of: id)
        } catch {
            var answer = message
            answer.result = error.code == .removedCard ? .noSmartCard : error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishReconnecting(_ message: ReconnectMessage, of id: ReaderID) -> ServiceStep {
        var answer = message
        do throws(Refusal) {
            _ = try reader(of: message.card)
            try agree(on: message.protocols, message.shareMode, with: id)
            answer.activeProtocol = readers[id]?.activeProtocol ?? []
            try shareAnew(id, message.shareMode, with: message.card)
            cards[message.card]?.event = .none
            answer.result = .success
            tellChange()
        } catch {
            answer.result = error.code
        }
        return .answer(answer.bytes)
    }

    private mutating func shareAnew(_ id: ReaderID, _ mode: PCSCShareMode, with card: Int32) throws(Refusal) {
        guard var reader = readers[id] else { return }
        switch (reader.sharing, mode) {
        case (.exclusive, .exclusive): break
        case (.shared(let count), .exclusive):
            guard count == 1 else { throw Refusal(.sharingViolation) }
            reader.sharing = .exclusive
            try reader.lock(card)
        case (.exclusive, _):
            try? reader.unlock(card)
            reader.sharing = .shared(count: 1)
        default: break
        }
        readers[id] = reader
    }
}
