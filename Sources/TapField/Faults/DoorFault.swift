import TapWire

/// What a PC/SC service does wrong with a call, for the door to carry out.
public enum DoorFault: Hashable, Sendable {
    /// The call is not carried out and returns a code.
    case refusal(PCSCReturnCode)
    /// The call is carried out, and returns a code in place of its answer.
    case lostAnswer(PCSCReturnCode)
    /// The card is taken away while the call is under way, and comes back after a time if one is given.
    case removal(backAfter: Duration?)
    /// Another program resets the card before the call is carried out.
    case reset
    /// The reader is unplugged before the call is carried out.
    case unplugging
    /// The service ends: the connection breaks in the call, and no new one is taken.
    case end
    /// The answer to a command comes without its last bytes.
    case cutAnswer(Int)
    /// The call takes longer.
    case delay(Duration)
    /// Who waits for a change is told of one though nothing has changed.
    case spuriousEvent
    /// Who waits for a change is not told of the next one.
    case lostEvent
}
