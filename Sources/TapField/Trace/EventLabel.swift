import TapWire

/// What a command or an answer says beside the bits of its frame; one label stands for all other kinds of events.
struct EventLabel: Hashable, Sendable {
    /// Kinds of events by what they have.
    enum Form: Hashable, Sendable {
        case command
        case answer
        case other
    }

    /// Decides what of the label means something.
    let form: Form
    private let technology: Technology
    private let integrity: FrameIntegrity
    private let card: String
    private let state: String
    private let slot: Int?

    /// The label of a command.
    init(command: AirFrame) {
        (form, technology, integrity) = (.command, command.technology, command.integrity)
        (card, state, slot) = ("", "", nil)
    }

    /// The label of an answer.
    init(answer: AirFrame, _ card: String, _ state: String, _ slot: Int?) {
        (form, technology, integrity) = (.answer, answer.technology, answer.integrity)
        (self.card, self.state, self.slot) = (card, state, slot)
    }

    /// The label of what is neither.
    init() {
        (form, technology, integrity) = (.other, .typeA106, .good)
        (card, state, slot) = ("", "", nil)
    }

    /// What happened, as told by the label and a frame.
    func kind(_ frame: AirFrame) -> TraceEvent.Kind {
        form == .command ? .command(frame) : .answer(frame, card: card, state: state, slot: slot)
    }
}
