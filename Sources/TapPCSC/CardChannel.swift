import TapWire

/// A slot of a PC/SC reader as dialects use it: APDUs to the card, commands to the reader.
///
/// That no card answers is a result, not an error: it may be gone, or have been reset by another program. Then
/// ``awaitCard(timeout:)`` connects again.
package protocol CardChannel: AnyObject {
    var readerName: String { get }
    /// The ATR the reader made up for the card; empty without one.
    var atr: [UInt8] { get }

    /// Whether the card connected to is still there, as far as is known.
    var hasCard: Bool { get }

    /// Connects to the card in the slot, waiting for one if there is none; says whether there is one.
    func awaitCard(timeout: Duration) throws(LinkError) -> Bool

    /// Sends an APDU; `nil` if the card is gone, was reset, or the exchange did not come through.
    func transmit(_ apdu: [UInt8]) throws(LinkError) -> [UInt8]?

    /// Sends a command to the reader itself, card or no card; `nil` if the driver has no such command.
    func control(_ code: ControlCode, _ data: [UInt8]) throws(LinkError) -> [UInt8]?

    /// Resets the card: the reader selects it again; says whether there is a card afterwards.
    func reset() throws(LinkError) -> Bool

    /// Gives the card and the reader free; a second call does nothing.
    func close()

    /// The time by the clock that the cards follow, counted from some instant in the past.
    var clock: Duration { get }

    /// Lets time pass by that clock; false if the task was cancelled meanwhile.
    func pause(for duration: Duration) async -> Bool
}

extension CardChannel {
    /// The time since a channel was first asked: cards before a real reader follow the clock of the machine.
    package var clock: Duration { ContinuousClock.now - firstInstant }

    package func pause(for duration: Duration) async -> Bool { (try? await Task.sleep(for: duration)) != nil }
}

private let firstInstant = ContinuousClock.now

extension CardChannel {
    /// Sends a command and fetches what a card under T=0 keeps back; `nil` if the card is gone or answers nothing.
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
/// While connected it keeps other programs from the card: their commands between ours would change what the reader is
/// set to. What a dialect has left in the card goes with a reset at the end.
package final class PCSCChannel: CardChannel {
    package let readerName: String
    private let context: PCSCContext
    private var card: PCSCCard?
    private var known: ReaderStatus

    /// Takes a reader by its full name; the channel alone uses the context, and closes it.
    package init(_ context: PCSCContext, reader: String) {
        self.context = context
        readerName = reader
        known = ReaderStatus(name: reader)
    }

    /// The ATR the reader made up for the card; empty without one.
    package var atr: [UInt8] { known.atr }

    /// Whether a card is connected that did not turn out to be gone.
    package var hasCard: Bool { card != nil }

    /// Connects to the card in the slot, waiting for one if there is none.
    package func awaitCard(timeout: Duration) throws(LinkError) -> Bool {
        do throws(PCSCError) {
            let end = ContinuousClock.now + timeout
            // The service tells at once of a reader of which nothing is known.
            if card == nil { known = ReaderStatus(name: readerName) }
            while card == nil {
                guard try lookAgain(until: end) else { return false }
                if known.hasCard { try connect() }
            }
            return true
        } catch {
            throw LinkError(error)
        }
    }

    private func lookAgain(until end: ContinuousClock.Instant) throws(PCSCError) -> Bool {
        var readers = [known]
        guard try context.awaitChange(of: &readers, timeout: end - ContinuousClock.now) else { return false }
        known = readers[0]
        guard !known.flags.contains(.unknown) else { throw PCSCError("SCardGetStatusChange", .readerUnavailable) }
        return true
    }

    /// Connects to the card; one that goes away meanwhile is none.
    private func connect() throws(PCSCError) {
        do throws(PCSCError) {
            let card = try context.connect(readerName)
            try own(card)
            self.card = card
        } catch {
            guard error.code.isAboutCard else { throw error }
        }
    }

    /// Keeps others from the card, which one of them may have reset in the last moment.
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

    /// Takes a card up again that another program has reset; gives up one that is gone.
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
            // A driver may refuse a code it does not know by any of these.
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
    /// Whether a card, not the reader or the service, is what failed: it went, was reset, or did not answer.
    fileprivate var isAboutCard: Bool {
        let codes: Set<PCSCReturnCode> = [
            .removedCard, .resetCard, .unpoweredCard, .unresponsiveCard, .noSmartCard, .notTransacted, .dataLost,
            .protocolMismatch, .unsupportedCard,
        ]
        return codes.contains(self)
    }
}

extension LinkError {
    /// What a failed call means for a link.
    init(_ error: PCSCError) {
        let code: Code =
            switch error.code {
            case .unsupportedFeature, .unsupportedFeatureElsewhere: .unsupported
            case .insufficientBuffer: .tooLong
            default: .closed
            }
        self.init(code, error.description)
    }

    /// The reader cannot carry a frame; `need` says what does it.
    static func cannotCarry(_ what: String, over reader: String, _ need: String) -> LinkError {
        LinkError(.unsupported, "\(reader) cannot carry \(what); \(need)")
    }

    /// The reader's answer is not what its family says.
    static func strangeAnswer(_ answer: String, to command: String, of reader: String) -> LinkError {
        LinkError(
            .unsupported,
            "\(reader) answered \(command) with \(answer), which its family does not; update its firmware or use another"
        )
    }
}
