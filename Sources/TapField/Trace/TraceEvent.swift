import TapWire

/// An event with its number and its card time.
public struct TraceEvent: Hashable, Sendable {
    /// Number of the event, from 0.
    public let sequence: Int
    /// Card time since the beginning of the run.
    public let time: Duration
    public let kind: Kind
    let circumstances: EventCircumstances

    /// The line of the scenario that caused it.
    public var source: SourceReference? { circumstances.source }
    /// Whether its time came from a clock outside, so that another run may differ.
    public var isMeasured: Bool { circumstances.isMeasured }
    /// The reader at which it happened; `nil` if there is only one.
    public var reader: String? { circumstances.reader }

    public enum Kind: Hashable, Sendable {
        /// The reader switched its field.
        case field(isOn: Bool)
        /// A card arrived at the reader or left it.
        case card(String, isPresent: Bool)
        /// A reader of PC/SC, by its name without numbers, shows programs a card by the ATR it has made up for it, or none.
        case slot(String, atr: [UInt8]?)
        /// The reader began to send a frame.
        case command(AirFrame)
        /// A card began to answer, in a time slot if the command has them; `state` is its state afterwards.
        case answer(AirFrame, card: String, state: String, slot: UInt8?)
        /// What the command or answer before it says, which is encrypted: the packet without encryption that says the same, and
        /// of an answer the command that it answers.
        case opened(AirFrame, answering: AirFrame?)
        /// Several cards answered at once and the reader could not tell them apart.
        case collision(AirFrame, firstCollidedBit: Int, cards: [String])
        /// No answer began before the reader gave up; `states` are those of the cards that heard the command.
        case silence(states: [CardState])
        /// A host has called its reader; frames that the call led to come before it.
        indirect case call(HostCall)
        /// A fault was injected into the exchange of the previous command.
        indirect case fault(Fault)
        /// A remark.
        case note(String)
    }

    public struct CardState: Hashable, Sendable {
        /// Name of the card.
        public let card: String
        /// State in the words of its manual.
        public let state: String

        package init(card: String, state: String) {
            self.card = card
            self.state = state
        }
    }
}

/// Details of an event beside its kind and time; most events have none.
enum EventCircumstances: Hashable, Sendable {
    case plain
    indirect case told(source: SourceReference?, isMeasured: Bool, reader: String?)

    init(source: SourceReference?, isMeasured: Bool, reader: String?) {
        let isPlain = source == nil && !isMeasured && reader == nil
        self = isPlain ? .plain : .told(source: source, isMeasured: isMeasured, reader: reader)
    }

    var source: SourceReference? {
        if case .told(let source, _, _) = self { source } else { nil }
    }

    var isMeasured: Bool {
        if case .told(_, let isMeasured, _) = self { isMeasured } else { false }
    }

    var reader: String? {
        if case .told(_, _, let reader) = self { reader } else { nil }
    }
}

/// What a program asked of its reader, of PC/SC or of its phone, and what came of it.
public struct HostCall: Hashable, Sendable {
    /// How the host reached the reader.
    public enum Layer: Hashable, Sendable {
        /// An APDU for the slot, as `SCardTransmit` sends it.
        case apdu
        /// A command to the reader itself under a control code, as `SCardControl` sends it.
        case control(UInt32)
        /// A command to a PN532, or to a chip of its family.
        case pn532
        /// A command to a Port-100, the chip of the RC-S380.
        case port100
        /// A transfer over an endpoint of the USB; bit 7 is set for one to the host.
        case usb(endpoint: UInt8)
        /// A function of PC/SC that carries no command.
        case pcsc(PCSCCall)
        /// A function of Core NFC.
        case phone(PhoneEvent)
    }

    public enum Outcome: Hashable, Sendable {
        /// An answer; that to an APDU includes its status word.
        case answer([UInt8])
        /// The driver does not know the command.
        case unsupported
        case noCard
        /// The reader had no answer.
        case failed
        /// No answer yet: the reader waits, perhaps without end.
        case waiting
        /// What a function returned, by its name or as a sentence.
        case returned(String)

        /// The bytes of the answer; empty without one.
        public var answer: [UInt8] {
            if case .answer(let bytes) = self { bytes } else { [] }
        }
    }

    public let layer: Layer
    public let command: [UInt8]
    public let outcome: Outcome
    /// How many exchanges it led to, the newest before it.
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

    /// Whether it is a command that the reader answered without an exchange.
    public var isWithoutExchange: Bool {
        switch layer {
        case .apdu, .control, .pn532: exchangeCount == 0
        // Hosts of a Port-100 set it up before each frame.
        case .port100, .usb, .pcsc, .phone: false
        }
    }

    /// A Boolean value that indicates whether the reader refused the command: it does not know it, or answers with an
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
    /// Whether an answer ends with a status word.
    package var hasStatusWord: Bool {
        switch self {
        case .apdu, .control: true
        case .pn532, .port100, .usb, .pcsc, .phone: false
        }
    }
}

/// A line of a scenario file.
public struct SourceReference: Hashable, Sendable, CustomStringConvertible {
    /// Path of the file as the user named it.
    public let file: String
    /// Number of the line, from 1.
    public let line: Int

    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `file:line`.
    public var description: String { "\(file):\(line)" }
}
