import TapWire

/// An event with its number and its card time.
public struct TraceEvent: Hashable, Sendable {
    /// The number of the event, counted from 0.
    public let sequence: Int
    /// Card time since the start of the run.
    public let time: Duration
    public let kind: Kind
    let circumstances: EventCircumstances

    /// The line of the scenario that caused it.
    public var source: SourceReference? { circumstances.source }
    /// A Boolean value that indicates whether its time comes from an external clock, so that another run may differ.
    public var isMeasured: Bool { circumstances.isMeasured }
    /// The reader at which it happened; `nil` if there is only one.
    public var reader: String? { circumstances.reader }

    public enum Kind: Hashable, Sendable {
        /// The reader switched its field on or off.
        case field(isOn: Bool)
        /// A card arrived at the reader or left it.
        case card(String, isPresent: Bool)
        /// A PC/SC reader, given by its name without numbers, reports a card to programs by the ATR it generated, or reports no
        /// card.
        case slot(String, atr: [UInt8]?)
        /// The reader began to send a frame.
        case command(RFFrame)
        /// A card began to answer, in a time slot if the command has them; `state` is its state afterwards.
        case answer(RFFrame, card: String, state: String, slot: UInt8?)
        /// The decrypted content of the preceding command or answer, as the equivalent unencrypted packet; for an answer, also
        /// the command it answers.
        case opened(RFFrame, answering: RFFrame?)
        /// Several cards answered at once and the reader could not separate them.
        case collision(RFFrame, firstCollidedBit: Int, cards: [String])
        /// No answer began before the reader timed out; `states` are those of the cards that received the command.
        case silence(states: [CardState])
        /// A host called its reader; frames caused by the call come before it.
        indirect case call(HostCall)
        /// A fault was injected into the exchange of the previous command.
        indirect case fault(Fault)
        case note(String)
    }

    public struct CardState: Hashable, Sendable {
        public let card: String
        /// The state in the terms of its manual.
        public let state: String

        package init(card: String, state: String) {
            self.card = card
            self.state = state
        }
    }
}

/// Details of an event besides its kind and time; most events have none.
enum EventCircumstances: Hashable, Sendable {
    case plain
    indirect case detailed(source: SourceReference?, isMeasured: Bool, reader: String?)

    init(source: SourceReference?, isMeasured: Bool, reader: String?) {
        let isPlain = source == nil && !isMeasured && reader == nil
        self = isPlain ? .plain : .detailed(source: source, isMeasured: isMeasured, reader: reader)
    }

    var source: SourceReference? {
        if case .detailed(let source, _, _) = self { source } else { nil }
    }

    var isMeasured: Bool {
        if case .detailed(_, let isMeasured, _) = self { isMeasured } else { false }
    }

    var reader: String? {
        if case .detailed(_, _, let reader) = self { reader } else { nil }
    }
}

/// A request of a program to its reader, to PC/SC or to its phone, and the result.
public struct HostCall: Hashable, Sendable {
    /// The interface through which the host reached the reader.
    public enum Layer: Hashable, Sendable {
        /// An APDU for the slot, as `SCardTransmit` sends it.
        case apdu
        /// A command to the reader itself under a control code, as `SCardControl` sends it.
        case control(UInt32)
        /// A command to a PN532, or to a chip of its family.
        case pn532
        /// A command to a Port-100, the chip of the RC-S380.
        case port100
        /// A transfer over a USB endpoint; bit 7 is set for transfers to the host.
        case usb(endpoint: UInt8)
        /// A PC/SC function that carries no command.
        case pcsc(PCSCCall)
        case phone(PhoneEvent)
    }

    public enum Outcome: Hashable, Sendable {
        /// An answer; an answer to an APDU includes its status word.
        case answer([UInt8])
        /// The driver does not know the command.
        case unsupported
        case noCard
        /// The reader had no answer.
        case failed
        /// No answer yet: the reader is waiting, possibly forever.
        case waiting
        /// The result of a function, as a name or a sentence.
        case returned(String)

        /// The bytes of the answer; empty if there is none.
        public var answer: [UInt8] {
            if case .answer(let bytes) = self { bytes } else { [] }
        }
    }

    public let layer: Layer
    public let command: [UInt8]
    public let outcome: Outcome
    /// The number of exchanges it led to; the newest precedes this call in the trace.
    public let exchangeCount: Int

    public init(_ layer: Layer, _ command: [UInt8], _ outcome: Outcome, exchangeCount: Int = 0) {
        self.layer = layer
        self.command = command
        self.outcome = outcome
        self.exchangeCount = exchangeCount
    }

    func leading(toExchanges count: Int) -> HostCall {
        HostCall(layer, command, outcome, exchangeCount: count)
    }

    /// A Boolean value that indicates whether the reader answered the command without an exchange.
    public var isWithoutExchange: Bool {
        switch layer {
        case .apdu, .control, .pn532: exchangeCount == 0
        // Hosts configure a Port-100 before each frame.
        case .port100, .usb, .pcsc, .phone: false
        }
    }

    /// A Boolean value that indicates whether the reader refused the command: it does not know the command, or answers with an
    /// error or without a status word.
    public var isRefused: Bool {
        switch outcome {
        case .unsupported: true
        case .answer(let bytes) where layer == .pn532: bytes == PN532Packet.Answer.syntaxError.bytes
        case .answer(let bytes) where layer.hasStatusWord:
            bytes.isEmpty || bytes.count == StatusWord.length && StatusWord(bytes[0], bytes[1]).isError
        case .answer, .noCard, .failed, .waiting, .returned: false
        }
    }
}

extension HostCall.Layer {
    /// A Boolean value that indicates whether an answer ends with a status word.
    package var hasStatusWord: Bool {
        switch self {
        case .apdu, .control: true
        case .pn532, .port100, .usb, .pcsc, .phone: false
        }
    }
}

/// A line of a scenario file.
public struct SourceReference: Hashable, Sendable, CustomStringConvertible {
    /// The path of the file as given by the user.
    public let file: String
    /// The line number, counted from 1.
    public let line: Int

    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    public var description: String { "\(file):\(line)" }
}
