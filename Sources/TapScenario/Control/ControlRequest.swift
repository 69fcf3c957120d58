/// What a program asks of a field that others use.
public enum ControlRequest: Hashable, Sendable {
    /// A card comes before a reader, the first where none is named.
    case tap(String, reader: String? = nil)
    /// A card leaves the reader, or all of them.
    case remove(String?)
    /// A card leaves and, after a gap, another comes, or the same one again.
    case swap(out: String, in: String, gap: Duration)
    /// A card is made anew with other values for some of its keys.
    case set(card: String, values: Node)
    /// Everything is as at the beginning.
    case reset
    /// The last exchanges, as many as are wanted.
    case journal(last: Int?)
    /// Whether the field met expectations: those stated, or those of the scenario.
    case verify(Expectations?)
    /// What is there now.
    case status
    /// A reader is plugged in, the first where none is named.
    case plug(String?)
    /// A reader is unplugged, the first where none is named.
    case unplug(String?)
    /// The person who holds the phone does something.
    case phone(PhoneAct)
    /// The service ends.
    case stop
}

/// What the person does who holds a phone.
public enum PhoneAct: Hashable, Sendable {
    /// Presses the Cancel button on the sheet of the session.
    case cancel
    /// Leaves the app, which goes to the background.
    case background
    /// Switches NFC on or off.
    case radio(isOn: Bool)
}
