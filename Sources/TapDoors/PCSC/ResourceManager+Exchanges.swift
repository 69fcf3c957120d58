import TapReaders
import TapWire

extension ResourceManager {
    /// Says whether a connection is as its client knows it; the client takes the rest from the reader states.
    mutating func status(_ message: CardMessage) -> ServiceStep {
        var answer = message
        do throws(Refusal) {
            try reader(of: message.card).reader.checkSharing(message.card)
            try checkEvent(message.card)
            answer.result = .success
        } catch {
            answer.result = error.code
        }
        return .answer(answer.bytes)
    }

    /// Sends a command to the card.
    mutating func transmit(_ message: TransmitMessage, _ command: [UInt8]) -> ServiceStep {
        var answer = message
        answer.receiveLength = 0
        do throws(Refusal) {
            let (id, reader) = try reader(of: message.card)
            try reader.checkSharing(message.card)
            try checkEvent(message.card)
            if message.sendProtocol != .raw {
                guard !reader.state.flags.contains(.absent) else { throw Refusal(.noSmartCard) }
                guard [.anyAsOfOld, reader.activeProtocol].contains(message.sendProtocol) else {
                    misuse("SCardTransmit", "with another protocol than the one the card is connected by")
                    throw Refusal(.protocolMismatch)
                }
            }
            return .transmit(id, command, changes: reader.changes) { manager, result in
                manager.finishTransmitting(message, result)
            }
        } catch {
            answer.result = error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishTransmitting(_ message: TransmitMessage, _ result: ReaderAnswer) -> ServiceStep {
        var answer = message
        var data: [UInt8] = []
        answer.receiveLength = 0
        switch result {
        case .answer(let bytes):
            (answer.receiveLength, answer.result, data) = take(bytes, room: message.receiveLength)
        case .noCard:
            // Its going is known by now, unless the connection is to the reader itself.
            do throws(Refusal) {
                try checkEvent(message.card)
                answer.result = .noSmartCard
            } catch {
                answer.result = error.code
            }
        case .failed, .unsupported: answer.result = .notTransacted
        }
        return .answer(answer.bytes(followedBy: data))
    }

    /// Takes the answer to a command: how many bytes there are, and those that the client has room for.
    private mutating func take(
        _ bytes: [UInt8], room: UInt32
    ) -> (length: UInt32, result: PCSCReturnCode, data: [UInt8]) {
        idling.take(answer: bytes)
        let fits = bytes.count <= Int(room)
        return (UInt32(bytes.count), fits ? .success : .insufficientBuffer, fits ? bytes : [])
    }

    /// Sends a command to the reader.
    mutating func control(_ message: ControlMessage, _ data: [UInt8]) -> ServiceStep {
        do throws(Refusal) {
            let (id, reader) = try reader(of: message.card)
            try reader.checkSharing(message.card)
            return .control(id, message.code, data) { manager, result in
                manager.finishControlling(message, result)
            }
        } catch {
            var answer = message
            answer.returnedLength = 0
            answer.result = error.code
            return .answer(answer.bytes)
        }
    }

    private mutating func finishControlling(_ message: ControlMessage, _ result: ReaderAnswer) -> ServiceStep {
        var answer = message
        var data: [UInt8] = []
        answer.returnedLength = 0
        switch result {
        case .answer(let bytes):
            (answer.returnedLength, answer.result, data) = take(bytes, room: message.receiveLength)
        case .unsupported: answer.result = .unsupportedFeature
        case .noCard, .failed: answer.result = .notTransacted
        }
        return .answer(answer.bytes(followedBy: data))
    }
}

/// What stays open although its client did what it could.
struct Excuses: Hashable {
    /// Contexts of clients that wanted to release them, or were never told of them.
    var contexts: Set<ClientID> = []
    /// Card handles that clients wanted to disconnect, or were never told of.
    var cards: Set<Int32> = []
    /// Handles whose transaction a client wanted to end, or did not know to have begun.
    var transactions: Set<Int32> = []
    /// Whether the service itself has gone.
    var isStopped = false
}

extension ResourceManager {
    /// Notes that a client wanted to give something back and was refused by a fault.
    mutating func excuseRefused(_ request: ServiceRequest, of client: ClientID) {
        switch request {
        case .release: excuses.contexts.insert(client)
        case .disconnect(let message): excuses.cards.insert(message.card)
        case .endTransaction(let message): excuses.transactions.insert(message.card)
        default: break
        }
    }

    /// Notes that a client was not told that it got something, or gave it back.
    mutating func excuseUntold(_ request: ServiceRequest, of client: ClientID) {
        switch request {
        case .establish: excuses.contexts.insert(client)
        case .connect: if let card = clients[client]?.cards.last { excuses.cards.insert(card) }
        case .beginTransaction(let message): excuses.transactions.insert(message.card)
        // It asks again with a handle that is none any more, and its connection is broken for that.
        case .disconnect: excuses.contexts.insert(client)
        default: break
        }
    }
}

extension ResourceManager {
    /// Tells an attribute: what the service knows of card, name and place, else what the reader says.
    mutating func getAttribute(_ message: AttributeMessage) -> ServiceStep {
        do throws(Refusal) {
            let (id, reader) = try checkedReader(of: message.card)
            switch message.attribute {
            case .atr: return .answer(answer(message, reader.state.atr).bytes)
            case .cardPresence: return .answer(answer(message, [reader.hasCard ? 2 : 0]).bytes)
            case .cardInterfaceStatus:
                return .answer(answer(message, [reader.state.flags.contains(.powered) ? 1 : 0]).bytes)
            case .channelID: return .answer(answer(message, channel(of: reader)).bytes)
            default:
                return .attribute(id, message.attribute) { manager, value in
                    .answer(manager.answer(message, value ?? manager.name(message, reader)).bytes)
                }
            }
        } catch {
            return .answer(refusal(message, error.code).bytes)
        }
    }

    /// Sets an attribute, which no contactless reader can.
    mutating func setAttribute(_ message: AttributeMessage) -> ServiceStep {
        do throws(Refusal) {
            _ = try checkedReader(of: message.card)
            return .answer(refusal(message, .notTransacted).bytes)
        } catch {
            return .answer(refusal(message, error.code).bytes)
        }
    }

    private func checkedReader(of card: Int32) throws(Refusal) -> (id: ReaderID, reader: ManagedReader) {
        let found = try reader(of: card)
        try found.reader.checkSharing(card)
        try checkEvent(card)
        return found
    }

    /// A device of the first USB bus, at an address of its own.
    ///
    /// Source: libccid, `ifdhandler.c`: USB, bus and address, low byte first.
    private func channel(of reader: ManagedReader) -> [UInt8] {
        let (usb, bus): (UInt8, UInt8) = (0x20, 1)
        return [UInt8(truncatingIfNeeded: reader.place + 1), bus, usb, 0]
    }

    private func name(_ message: AttributeMessage, _ reader: ManagedReader) -> [UInt8]? {
        guard [.friendlyName, .systemName].contains(message.attribute) else { return nil }
        return reader.state.name.utf8 + [0]
    }

    private func answer(_ message: AttributeMessage, _ value: [UInt8]?) -> AttributeMessage {
        guard let value else { return refusal(message, .unsupportedFeature) }
        guard value.count <= message.length else {
            var answer = refusal(message, .insufficientBuffer)
            answer.length = UInt32(value.count)
            return answer
        }
        var answer = message
        answer.value = value
        answer.length = UInt32(value.count)
        answer.result = .success
        return answer
    }

    private func refusal(_ message: AttributeMessage, _ code: PCSCReturnCode) -> AttributeMessage {
        var answer = message
        answer.result = code
        return answer
    }
}

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
