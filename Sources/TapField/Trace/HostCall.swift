import TapWire

/// A command of a host that its reader dealt with without a frame in the field, and what came of it.
///
/// Commands that lead to frames are told by these.
public struct HostCall: Hashable, Sendable {
    /// How the host spoke to the reader.
    public enum Layer: Hashable, Sendable {
        /// An APDU for the slot, as `SCardTransmit` sends it.
        case apdu
        /// A command to the reader itself under a control code, as `SCardControl` sends it.
        case control(UInt32)
        /// A command to a PN532.
        case pn532
    }

    /// What the host got.
    public enum Outcome: Hashable, Sendable {
        /// An answer, of an APDU with its status word.
        case answer([UInt8])
        /// The driver knows no such command.
        case unsupported
        /// There was no card to send it to.
        case noCard
        /// The reader had no answer.
        case failed
        /// No answer yet: the reader waits for what may never come.
        case waiting

        /// The bytes of the answer; none where there is none.
        public var answer: [UInt8] {
            if case .answer(let bytes) = self { bytes } else { [] }
        }
    }

    /// How the host spoke to the reader.
    public let layer: Layer
    /// What it sent.
    public let command: [UInt8]
    /// What it got.
    public let outcome: Outcome

    public init(_ layer: Layer, _ command: [UInt8], _ outcome: Outcome) {
        self.layer = layer
        self.command = command
        self.outcome = outcome
    }

    /// Whether the reader refused the command: it knows none such, or answers with an error.
    public var isRefused: Bool {
        switch outcome {
        case .unsupported: true
        case .answer(let bytes) where layer == .pn532: bytes == PN532Packet.Answer.syntaxError.bytes
        case .answer(let bytes): bytes.count == StatusWord.length && StatusWord(bytes[0], bytes[1]).isError
        case .noCard, .failed, .waiting: false
        }
    }
}
