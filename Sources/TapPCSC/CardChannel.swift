import TapWire

/// A slot of a PC/SC reader as dialects use it: APDUs to the card, commands to the reader.
///
/// An unanswered command is a result, not an error: the card may be gone, or another program may have reset it.
/// ``awaitCard(timeout:)`` then connects again.
package protocol CardChannel: AnyObject {
    var readerName: String { get }
    /// The ATR that the reader made up for the card; empty without a card.
    var atr: [UInt8] { get }

    /// A Boolean value that indicates whether the connected card is still present, as far as known.
    var hasCard: Bool { get }

    /// Connects to the card in the slot, and waits for a card if the slot is empty; returns `true` if there is a card.
    func awaitCard(timeout: Duration) throws(LinkError) -> Bool

    /// Sends an APDU; returns `nil` if the card is gone or was reset, or the exchange failed.
    func transmit(_ apdu: [UInt8]) throws(LinkError) -> [UInt8]?

    /// Sends a command to the reader itself, with or without a card; returns `nil` if the driver has no such command.
    func control(_ code: ControlCode, _ data: [UInt8]) throws(LinkError) -> [UInt8]?

    /// Resets the card, so that the reader selects it again; returns `true` if there is a card afterwards.
    func reset() throws(LinkError) -> Bool

    /// Releases the card and the reader; a second call does nothing.
    func close()

    /// The time of the clock that the cards follow, counted from some instant in the past.
    var clock: Duration { get }

    /// Lets time pass by that clock; returns `false` if the task was cancelled meanwhile.
    func pause(for duration: Duration) async -> Bool
}

extension CardChannel {
    /// The time since a channel's clock was first read: cards on a real reader follow the clock of the machine.
    package var clock: Duration { ContinuousClock.now - firstInstant }

    package func pause(for duration: Duration) async -> Bool { (try? await Task.sleep(for: duration)) != nil }
}

private let firstInstant = ContinuousClock.now

extension CardChannel {
    /// Sends a command and fetches the data that a card under T=0 holds back; returns `nil` if the card is gone or its answer
    /// is not a response.
    func send(_ command: CommandAPDU) throws(LinkError) -> ResponseAPDU? {
        guard let answer = try transmit(command.bytes), let response = try? ResponseAPDU(parsing: answer) else {
            return nil
        }
        guard response.status.sw1 == StatusWord.waiting(0).sw1 else { return response }
        let rest = CommandAPDU(cla: command.cla, ins: .getResponse, expected: Int(response.status.sw2))
        return try transmit(rest.bytes).flatMap { try? ResponseAPDU(parsing: $0) }
    }
}

/// A slot of a real reader, reached through the PC/SC service.
///
/// While connected, the channel keeps other programs away from the card: their commands between ours would change the reader's
/// settings. A reset at the end clears the state that a dialect has left in the card.
package final class PCSCChannel: CardChannel {
    package let readerName: String
    private let context: PCSCContext
    private var card: PCSCCard?
    private var known: ReaderStatus

    /// Creates a channel to a reader, by its full name; only the channel uses the context, and closes it.
    package init(_ context: PCSCContext, reader: String) {
        self.context = context
        readerName = reader
        known = ReaderStatus(name: reader)
    }

    package var atr: [UInt8] { known.atr }

    /// A Boolean value that indicates whether a card is connected that has not turned out to be gone.
    package var hasCard: Bool { card != nil }

    /// Connects to the card in the slot, and waits for a card if the slot is empty.
    package func awaitCard(timeout: Duration) throws(LinkError) -> Bool {
        do throws(PCSCError) {
            let end = ContinuousClock.now + timeout
            // The service reports the state of a reader at once if the caller knows nothing about it.
            if card == nil { known = ReaderStatus(name: readerName) }
            while card == nil {
                guard try rescan(until: end) else { return false }
                if known.hasCard { try connect() }
            }
            return true
        } catch {
            throw LinkError(error)
        }
    }

    private func rescan(until end: ContinuousClock.Instant) throws(PCSCError) -> Bool {
        var readers = [known]
        guard try context.awaitChange(of: &readers, timeout: end - ContinuousClock.now) else { return false }
        known = readers[0]
        guard !known.flags.contains(.unknown) else { throw PCSCError("SCardGetStatusChange", .readerUnavailable) }
        return true
    }

    /// Connects to the card; does nothing if the card goes away meanwhile.
    private func connect() throws(PCSCError) {
        do throws(PCSCError) {
            let card = try context.connect(readerName)
            try own(card)
            self.card = card
        } catch {
            guard error.code.isAboutCard else { throw error }
        }
    }

    /// Keeps other programs away from the card; one of them may have reset it at the last moment.
    private func own(_ card: PCSCCard) throws(PCSCError) {
        do {
            try card.beginTransaction()
        } catch {
            guard error.code == .resetCard else { throw error }
            try card.reconnect(.leave)
            try card.beginTransaction()
        }
    }

    package func transmit(_ apdu: [UInt8]) throws(LinkError) -> [UInt8]? {
        guard let card else { return nil }
        do {
            return try card.transmit(apdu)
        } catch {
            guard error.code.isAboutCard else { throw LinkError(error) }
            try recover(card, from: error.code)
            return nil
        }
    }

    /// Reconnects to a card that another program has reset; gives up a card that is gone.
    private func recover(_ card: PCSCCard, from code: PCSCReturnCode) throws(LinkError) {
        do throws(PCSCError) {
            guard code == .resetCard else { return drop() }
            try card.reconnect(.leave)
            try own(card)
        } catch {
            drop()
            guard error.code.isAboutCard else { throw LinkError(error) }
        }
    }

    private func drop() {
        card?.disconnect(.leave)
        card = nil
        known = ReaderStatus(name: readerName)
    }

    package func control(_ code: ControlCode, _ data: [UInt8]) throws(LinkError) -> [UInt8]? {
        do throws(PCSCError) {
            if let card { return try card.control(code.rawValue, data) }
            let reader = try context.connect(readerName, .direct, [])
            defer { reader.disconnect(.leave) }
            return try reader.control(code.rawValue, data)
        } catch {
            // A driver may reject an unknown code with any of these.
            let refusals: Set<PCSCReturnCode> = [
                .unsupportedFeature, .unsupportedFeatureElsewhere, .invalidParameter, .invalidValue, .notTransacted,
                .communicationError,
            ]
            guard refusals.contains(error.code) || error.code.isAboutCard else { throw LinkError(error) }
            return nil
        }
    }

    package func reset() throws(LinkError) -> Bool {
        guard let card else { return false }
        do {
            try card.reconnect(.reset)
            known.atr = try card.atr()
            return true
        } catch {
            drop()
            guard error.code.isAboutCard else { throw LinkError(error) }
            return false
        }
    }

    package func close() {
        card?.disconnect(.reset)
        card = nil
        context.close()
    }

    deinit { close() }
}

extension PCSCReturnCode {
    /// A Boolean value that indicates whether the card failed, not the reader or the service: it left, was reset, or did not
    /// answer.
    fileprivate var isAboutCard: Bool {
        let codes: Set<PCSCReturnCode> = [
            .removedCard, .resetCard, .unpoweredCard, .unresponsiveCard, .noSmartCard, .notTransacted, .dataLost,
            .protocolMismatch, .unsupportedCard,
        ]
        return codes.contains(self)
    }
}

extension LinkError {
    /// Creates the link error for a failed call.
    init(_ error: PCSCError) {
        let code: Code =
            switch error.code {
            case .unsupportedFeature, .unsupportedFeatureElsewhere: .unsupported
            case .insufficientBuffer: .tooLong
            default: .closed
            }
        self.init(code, error.description)
    }

    /// The error for a frame that the reader cannot carry; `need` names something that can.
    static func cannotCarry(_ what: String, over reader: String, _ need: String) -> LinkError {
        LinkError(.unsupported, "\(reader) cannot carry \(what); \(need)")
    }

    /// The error for an answer that the reader's family does not give.
    static func strangeAnswer(_ answer: String, to command: String, of reader: String) -> LinkError {
        LinkError(
            .unsupported,
            "\(reader) answered \(command) with \(answer), unlike other readers of its family; update its firmware or use "
                + "another reader"
        )
    }
}
