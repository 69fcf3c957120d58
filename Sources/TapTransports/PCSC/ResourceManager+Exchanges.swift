import TapReaders
import TapWire

extension ResourceManager {
    /// Checks whether a connection is still usable; the client reads everything else from the reader states.
    mutating func status(_ message: CardMessage) throws(Refusal) -> ServiceStep {
        _ = try reader(of: message.card, unless: .status)
        return .answer(message.answered(.success))
    }

    mutating func transmit(_ message: TransmitMessage, _ command: [UInt8]) throws(Refusal) -> ServiceStep {
        noteUse(of: message.card, by: "SCardTransmit")
        let isRaw = message.sendProtocol == .raw
        let (id, reader) = try reader(of: message.card, unless: isRaw ? .transmitRaw : .transmit)
        guard isRaw || [.anyAsOfOld, reader.activeProtocol].contains(message.sendProtocol) else {
            misuse("SCardTransmit", "with a protocol other than the connection's")
            throw Refusal(.protocolMismatch)
        }
        return .transmit(id, command, changes: reader.changes) { manager, result in
            manager.finish(message, result, failure: manager.transmitFailure(result, message.card))
        }
    }

    private func transmitFailure(_ result: ReaderAnswer, _ card: Int32) -> PCSCReturnCode {
        guard result == .noCard else { return .notTransacted }
        guard let connection = cards[card], let reader = readers[connection.reader] else { return .invalidHandle }
        // The removal is known by now, unless the connection is directly to the reader.
        return Obstacles.transmitInVain.refusal(for: reader, card, connection.event)?.code ?? .noSmartCard
    }

    /// Answers a command with the received bytes if the client has room for them, or with `failure`.
    private mutating func finish(
        _ message: some ExchangeMessage, _ result: ReaderAnswer, failure: PCSCReturnCode
    ) -> ServiceStep {
        guard case .answer(let bytes) = result else { return .answer(message.refused(failure)) }
        idling.take(answer: bytes)
        let fits = bytes.count <= Int(message.receiveLength)
        var answer = message
        answer.returnedLength = UInt32(bytes.count)
        answer.result = fits ? .success : .insufficientBuffer
        return .answer(answer.bytes(followedBy: fits ? bytes : []))
    }

    /// Sends a command to the reader.
    mutating func control(_ message: ControlMessage, _ data: [UInt8]) throws(Refusal) -> ServiceStep {
        let (id, _) = try reader(of: message.card, unless: .control)
        return .control(id, message.code, data) { manager, result in
            manager.finish(message, result, failure: result == .unsupported ? .unsupportedFeature : .notTransacted)
        }
    }
}

/// Handles that stay open through no fault of their client.
struct Excuses: Hashable {
    /// Clients that tried to release their context, or never learned that they had one.
    var contexts: Set<ClientID> = []
    /// Card handles that clients tried to disconnect, or never learned of.
    var cards: Set<Int32> = []
    /// The number of nested transactions per card handle that a client tried in vain to end, or never learned of.
    var transactions: [Int32: Int] = [:]
    /// A Boolean value that indicates whether the service itself was stopped.
    var isStopped = false
}

extension ResourceManager {
    /// Notes that a fault rejected a client's attempt to release something.
    mutating func excuseRefused(_ request: ServiceRequest, of client: ClientID) {
        switch request {
        case .release: excuses.contexts.insert(client)
        case .disconnect(let message): excuses.cards.insert(message.card)
        case .endTransaction(let message): excuses.transactions[message.card, default: 0] += 1
        default: break
        }
    }

    /// Notes that a client never learned that it acquired or released something.
    mutating func excuseUndelivered(_ request: ServiceRequest, of client: ClientID) {
        switch request {
        case .establish: excuses.contexts.insert(client)
        case .connect: if let card = clients[client]?.cards.last { excuses.cards.insert(card) }
        case .beginTransaction(let message): excuses.transactions[message.card, default: 0] += 1
        // The client retries with a handle that is no longer valid, so its connection is closed.
        case .disconnect: excuses.contexts.insert(client)
        default: break
        }
    }
}

extension ResourceManager {
    /// Answers attributes of the card, the name and the channel from the service's own state, and others from the reader.
    mutating func getAttribute(_ message: AttributeMessage) throws(Refusal) -> ServiceStep {
        let (id, reader) = try reader(of: message.card, unless: .attribute)
        switch message.attribute {
        case .atr: return .answer(answer(message, reader.state.atr))
        case .cardPresence: return .answer(answer(message, [reader.hasCard ? 2 : 0]))
        case .cardInterfaceStatus: return .answer(answer(message, [reader.power == .ready ? 1 : 0]))
        case .channelID: return .answer(answer(message, channel(of: reader)))
        default:
            return .attribute(id, message.attribute) { manager, value in
                .answer(manager.answer(message, value ?? manager.name(message, reader)))
            }
        }
    }

    /// Rejects setting an attribute: no contactless reader has an attribute that can be set.
    mutating func setAttribute(_ message: AttributeMessage) throws(Refusal) -> ServiceStep {
        _ = try reader(of: message.card, unless: .attribute)
        throw Refusal(.notTransacted)
    }

    /// Returns a device on the first USB bus, at its own address.
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

    private func answer(_ message: AttributeMessage, _ value: [UInt8]?) -> [UInt8] {
        guard let value else { return message.answered(.unsupportedFeature) }
        var answer = message
        answer.length = UInt32(value.count)
        guard value.count <= message.length else { return answer.answered(.insufficientBuffer) }
        answer.value = value
        return answer.answered(.success)
    }
}

extension ResourceManager {
    /// Locks the reader for a connection, once no other connection has locked it.
    mutating func beginTransaction(_ message: CardMessage) throws(Refusal) -> ServiceStep {
        noteUse(of: message.card, by: "SCardBeginTransaction")
        let (id, _) = try reader(of: message.card, unless: .beginTransaction)
        try readers[id]?.lock(message.card)
        return .answer(message.answered(.success))
    }

    /// Unlocks the reader and leaves the card as a disposition says.
    mutating func endTransaction(_ message: DispositionMessage) throws(Refusal) -> ServiceStep {
        guard message.disposition.isKnown else { throw Refusal(.invalidValue) }
        let (id, _) = try reader(of: message.card, unless: .endTransaction)
        if transactions(of: message.card) == 0 { misuse("SCardEndTransaction", "without a transaction") }
        if message.disposition != .leave { _ = try reader(of: message.card, unless: .endTransactionWithReset) }
        switch message.disposition {
        case .reset, .unpower:
            return power(id, message.disposition == .reset ? .reset : .cycle) { manager, outcome in
                var code = PCSCReturnCode.success
                do throws(Refusal) { try manager.readers[id]?.finishPowering(outcome) } catch { code = error.code }
                manager.raise(.reset, on: id)
                return manager.finishTransaction(message, of: id, code)
            }
        case .eject: return finishTransaction(message, of: id, .unsupportedFeature)
        default: return finishTransaction(message, of: id, .success)
        }
    }

    private mutating func finishTransaction(
        _ message: DispositionMessage, of id: ReaderID, _ code: PCSCReturnCode
    ) -> ServiceStep {
        do throws(Refusal) {
            try readers[id]?.unlock(message.card)
            if let excused = excuses.transactions[message.card] {
                excuses.transactions[message.card] = min(excused, transactions(of: message.card))
            }
            return .answer(message.answered(code))
        } catch {
            return .answer(message.answered(code == .success ? error.code : code))
        }
    }
}
