import TapReaders
import TapWire

/// What is to be done for a client.
///
/// Where a reader has to work, the rest of the request is what comes `then`: a reader may take its time, and meanwhile
/// others use the manager.
enum ServiceStep {
    /// Goes on with the manager and what a reader gave.
    typealias Then<Result> = (inout ResourceManager, Result) -> ServiceStep

    /// Send this; nothing if it is empty.
    case answer([UInt8])
    /// Break the connection.
    case close
    /// Ask again when somebody has given up a reader; give up after a poll period with an answer, if there is one.
    case wait(orAnswer: [UInt8]?)
    /// Let the readers look for cards, if they do not yet.
    case start(then: (inout ResourceManager) -> ServiceStep)
    /// Change the power of a card.
    case power(ReaderID, PowerChange, then: Then<ReaderSlot.PowerOutcome>)
    /// Send a command to the card that has been in the reader since its content changed last.
    case transmit(ReaderID, [UInt8], changes: Int, then: Then<ReaderAnswer>)
    /// Send a command to the reader.
    case control(ReaderID, UInt32, [UInt8], then: Then<ReaderAnswer>)
    /// Ask the reader for an attribute.
    case attribute(ReaderID, PCSCAttribute, then: Then<[UInt8]?>)
}

/// What to do to the power of a card.
enum PowerChange: Hashable, Sendable {
    /// Give it power, or reset it.
    case reset
    /// Take it.
    case down
    /// Take it and give it again.
    case cycle
}

/// A reader, from plugging to unplugging; never given twice.
typealias ReaderID = Int

/// A connection to the service, from its beginning to its end; never given twice.
typealias ClientID = Int

/// Why a request is refused.
struct Refusal: Error, Hashable {
    let code: PCSCReturnCode

    init(_ code: PCSCReturnCode) {
        self.code = code
    }
}
