import TapReaders
import TapWire

extension ResourceManager {
    /// Locks the reader for a connection, as soon as nobody else has it.
    ///
    /// The waiting is short, since the library of the client asks again: meanwhile it lets other threads use the context.
    mutating func beginTransaction(_ message: CardMessage) -> ServiceStep {
        var answer = message
        do throws(Refusal) {
            let (id, reader) = try reader(of: message.card)
            try checkEvent(message.card)
            guard !reader.isLocked(against: message.card) else {
                answer.result = .sharingViolation
                return .wait(orAnswer: answer.bytes)
            }
            try readers[id]?.lock(message.card)
            if !excuses.transactions.isEmpty { excuses.transactions.remove(message.card) }
            answer.result = .success
        } catch {
            answer.result = error.code
        }
        return .answer(answer.bytes)
    }

    /// Gives the reader back and leaves the card as a disposition says.
    mutating func endTransaction(_ message: DispositionMessage) -> ServiceStep {
        var answer = message
        do throws(Refusal) {
            guard message.disposition.isKnown else { throw Refusal(.invalidValue) }
            let (id, reader) = try reader(of: message.card)
            try checkEvent(message.card)
            if !isInTransaction(message.card) { misuse("SCardEndTransaction", "without a transaction") }
            if message.disposition != .leave { try reader.checkSharing(message.card) }
            switch message.disposition {
            case .reset, .unpower:
                return .power(id, message.disposition == .reset ? .reset : .cycle) { manager, outcome in
                    var code = PCSCReturnCode.success
                    do throws(Refusal) { try manager.readers[id]?.finishPowering(outcome) } catch { code = error.code }
                    manager.raise(.reset, on: id)
                    return manager.finishTransaction(message, of: id, code)
                }
            case .eject: return finishTransaction(message, of: id, .unsupportedFeature)
            default: return finishTransaction(message, of: id, .success)
            }
        } catch {
            excuses.transactions.insert(message.card)
            answer.result = error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishTransaction(
        _ message: DispositionMessage, of id: ReaderID, _ code: PCSCReturnCode
    ) -> ServiceStep {
        var answer = message
        answer.result = code
        do throws(Refusal) {
            try readers[id]?.unlock(message.card)
        } catch {
            if code == .success { answer.result = error.code }
        }
        return .answer(answer.bytes)
    }
}
