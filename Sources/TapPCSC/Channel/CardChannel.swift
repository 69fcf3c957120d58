import TapWire

/// A slot of a PC/SC reader as dialects use it: APDUs to the card, commands to the reader.
///
/// That no card answers is a result, not an error: it may be gone, or have been reset by another program. Then
/// ``awaitCard(timeout:)`` connects anew.
public protocol CardChannel: AnyObject {
    var readerName: String { get }
    /// The ATR the reader made up for the card; empty without one.
    var atr: [UInt8] { get }

    /// Whether the card connected to is still there, as far as is known.
    var hasCard: Bool { get }

    /// Connects to the card in the slot, waiting for one if there is none.
    ///
    /// - Returns: Whether there is a card; at once if it is connected.
    /// - Throws: ``LinkError`` where the way to the reader fails.
    func awaitCard(timeout: Duration) throws(LinkError) -> Bool

    /// Sends an APDU.
    ///
    /// - Returns: The answer, or nothing if the card is gone, was reset, or the exchange did not come through.
    /// - Throws: ``LinkError`` where the way to the reader fails.
    func transmit(_ apdu: [UInt8]) throws(LinkError) -> [UInt8]?

    /// Sends a command to the reader itself, card or no card.
    ///
    /// - Returns: The answer, or nothing if the driver has no such command.
    /// - Throws: ``LinkError`` where the way to the reader fails.
    func control(_ code: ControlCode, _ data: [UInt8]) throws(LinkError) -> [UInt8]?

    /// Resets the card: the reader selects it anew.
    ///
    /// - Returns: Whether there is a card afterwards.
    /// - Throws: ``LinkError`` where the way to the reader fails.
    func reset() throws(LinkError) -> Bool

    /// Gives the card and the reader free; a second call does nothing.
    func close()

    /// The time by the clock that the cards follow, counted from some instant in the past.
    var clock: Duration { get }

    /// Lets time pass by that clock.
    ///
    /// - Returns: Whether it has; nothing more is to be done if the task was cancelled meanwhile.
    func pause(for duration: Duration) async -> Bool
}

extension CardChannel {
    /// The time since a channel was first asked: cards before a real reader follow the clock of the machine.
    public var clock: Duration { ContinuousClock.now - firstInstant }

    /// Sleeps.
    public func pause(for duration: Duration) async -> Bool { (try? await Task.sleep(for: duration)) != nil }
}

private let firstInstant = ContinuousClock.now

extension CardChannel {
    /// Sends a command and fetches what a card under T=0 keeps back.
    ///
    /// - Returns: The response, or nothing if the card is gone or the answer is none.
    /// - Throws: ``LinkError`` where the way to the reader fails.
    func send(_ command: CommandAPDU) throws(LinkError) -> ResponseAPDU? {
        guard let answer = try transmit(command.bytes), let response = try? ResponseAPDU(parsing: answer) else {
            return nil
        }
        guard response.status.sw1 == StatusWord.waiting(0).sw1 else { return response }
        let rest = CommandAPDU(cla: command.cla, ins: .getResponse, expected: Int(response.status.sw2))
        return try transmit(rest.bytes).flatMap { try? ResponseAPDU(parsing: $0) }
    }
}
