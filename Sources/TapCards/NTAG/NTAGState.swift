import TapWire

/// The protocol state of an NTAG21x, and all its transitions.
///
/// ```
/// OFF    field on       → IDLE
/// IDLE   REQA, WUPA     → READY1      HALT   WUPA → READY1*
/// READY1 own SELECT     → READY2      READY2 own SELECT → ACTIVE      READY1, READY2 READ of page 0 → ACTIVE
/// ACTIVE right PWD_AUTH → AUTHENTICATED
/// ACTIVE, AUTHENTICATED HLTA → HALT
/// any error             → IDLE, or HALT from the states marked *
/// any    field off      → OFF
/// ```
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "communication overview"; NTAG203 data sheet rev. 3.0 for READ of
/// page 0 in READY1 and READY2.
struct NTAGState: Hashable, Sendable {
    /// A state without the mark of where it came from.
    enum Phase: Hashable, Sendable {
        /// No field.
        case off
        /// Powered, not selected.
        case idle
        /// ATQA sent, first cascade level open.
        case ready1
        /// First cascade level selected, second open.
        case ready2
        /// Second cascade level selected, third open: only in a tag disguised by a longer UID.
        case ready3
        /// Selected.
        case active
        /// Selected, password given.
        case authenticated
        /// Parked until WUPA.
        case halt
    }

    /// What happens to a powered tag.
    ///
    /// A UID that is not the tag's own is an error, as is any frame that is not listed.
    enum Event: Hashable, Sendable {
        case reqa
        case wupa
        /// ANTICOLLISION with bits of the own UID.
        case anticollision(CascadeLevel)
        /// SELECT with the own UID, which is complete with the last level.
        case select(CascadeLevel, isLast: Bool)
        /// READ of page 0.
        case readPageZero
        /// A command that is carried out.
        case command
        /// PWD_AUTH with the right password.
        case authentication
        case halt
        case error
    }

    private(set) var phase = Phase.off
    /// Whether the selection began in HALT, so that errors lead back there.
    private(set) var wokenFromHalt = false

    /// Whether a call was answered and no selection has come of it yet.
    var isBeingSelected: Bool { phase == .ready1 || phase == .ready2 || phase == .ready3 }

    /// Power reaches the tag.
    mutating func fieldRose() { move(to: .idle) }

    /// Power is gone.
    mutating func fieldFell() { move(to: .off) }

    /// Loses the password and nothing else, which no tag should do.
    mutating func forgetAuthentication() {
        if phase == .authenticated { phase = .active }
    }

    /// Takes an event.
    ///
    /// - Returns: Whether the event is in place in this state. If not, the tag is silent and has fallen back.
    @discardableResult
    @inline(always)
    mutating func take(_ event: Event) -> Bool {
        switch (phase, event) {
        case (.idle, .reqa), (.idle, .wupa):
            phase = .ready1
        case (.halt, .wupa):
            phase = .ready1
            wokenFromHalt = true
        case (.off, _), (.idle, _), (.halt, _):
            return false
        case (.ready1, .anticollision(.first)), (.ready2, .anticollision(.second)),
            (.ready3, .anticollision(.third)):
            break
        case (.ready1, .select(.first, isLast: false)):
            phase = .ready2
        case (.ready2, .select(.second, isLast: false)):
            phase = .ready3
        case (.ready1, .select(.first, isLast: true)), (.ready2, .select(.second, isLast: true)),
            (.ready3, .select(.third, isLast: true)), (.ready1, .readPageZero), (.ready2, .readPageZero):
            phase = .active
        case (.active, .command), (.authenticated, .command):
            break
        case (.active, .authentication), (.authenticated, .authentication):
            phase = .authenticated
        case (.active, .halt), (.authenticated, .halt):
            move(to: .halt)
        default:
            move(to: wokenFromHalt ? .halt : .idle)
            return false
        }
        return true
    }

    /// Enters a state outside selection, where it no longer matters how the last one began.
    private mutating func move(to phase: Phase) {
        self.phase = phase
        wokenFromHalt = false
    }

    /// The state in the words of the data sheet, `*` where errors lead back to HALT.
    var name: String {
        switch phase {
        case .off: "OFF"
        case .idle: "IDLE"
        case .ready1: wokenFromHalt ? "READY1*" : "READY1"
        case .ready2: wokenFromHalt ? "READY2*" : "READY2"
        case .ready3: wokenFromHalt ? "READY3*" : "READY3"
        case .active: wokenFromHalt ? "ACTIVE*" : "ACTIVE"
        case .authenticated: wokenFromHalt ? "AUTHENTICATED*" : "AUTHENTICATED"
        case .halt: "HALT"
        }
    }
}
