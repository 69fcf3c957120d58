import TapWire

/// The answers a host has received from cards, except those its reader gets by looking for cards on its own.
package struct HostReading: Hashable, Sendable {
    /// Answers that identify a card: a UID, an IDm or an ATR.
    package var identities = 0
    /// Commands beyond discovery that a card answered.
    package var answers = 0
    /// Commands beyond discovery that met silence, a damaged answer or a refusal.
    package var refusals = 0
    /// Frames to which commands of the host led, answered or not.
    package var frames = 0

    package init() {}

    /// A Boolean value that indicates whether the host has learned nothing about a card: an identity counts unless all later
    /// commands failed.
    package var isNothing: Bool { answers == 0 && (identities == 0 || refusals > 0) }

    mutating func add(_ now: HostReading, since before: HostReading) {
        identities += now.identities - before.identities
        answers += now.answers - before.answers
        refusals += now.refusals - before.refusals
    }

    mutating func add(_ gain: HostGain) {
        switch gain {
        case .nothing: break
        case .identity: identities += 1
        case .answer: answers += 1
        case .refusal: refusals += 1
        }
    }
}

package enum HostGain: Hashable, Sendable {
    /// Neither an answer nor a refusal: discovery without a result, or a command to the reader itself.
    case nothing
    case identity
    case answer
    case refusal

    /// - Parameter isCardInReach: Whether a card was on the reader that met silence.
    package init(_ command: RFFrame, _ received: FieldAnswer, isCardInReach: Bool) {
        let isReceived =
            switch received {
            case .silence, .collision: false
            case .frame(let answer, _): answer.integrity == .good
            case .slots: true
            }
        switch Purpose(command) {
        case .call: self = .nothing
        case .identification: self = isReceived ? .identity : .nothing
        case .presenceCheck where !isReceived && !isCardInReach: self = .nothing
        case .presenceCheck, .other: self = isReceived && !Self.isRefusal(received, of: command) ? .answer : .refusal
        }
    }

    private enum Purpose {
        /// Discovery whose answer does not identify a card.
        case call
        case identification
        /// A command that programs also use to find out whether a card has left.
        case presenceCheck
        case other

        init(_ command: RFFrame) {
            let bytes = command.bytes
            self =
                if command.technology.isFeliCa {
                    switch bytes.count > 1 ? bytes[1] : nil {
                    case 0x00: .identification
                    case 0x04: .presenceCheck
                    default: .other
                    }
                } else if command.bitCount == 7 {
                    .call
                } else {
                    switch bytes.first {
                    // Anticollision and SELECT.
                    case 0x93, 0x95, 0x97: .identification
                    // HLTA, RATS.
                    case 0x50, 0xE0: .call
                    case 0x30 where bytes.count > 1 && bytes[1] == 0: .presenceCheck
                    default: .other
                    }
                }
        }
    }

    private static func isRefusal(_ received: FieldAnswer, of command: RFFrame) -> Bool {
        guard case .frame(let answer, _) = received else { return false }
        guard command.technology.isFeliCa else {
            return answer.bitCount == Acknowledgement.bitCount
                && !((try? Acknowledgement(parsing: answer.bytes))?.isAck ?? false)
        }
        guard command.bytes.count > 1, codesWithStatusFlags[Int(command.bytes[1])],
            answer.bytes.count >= FeliCaPacket.statusLength
        else { return false }
        return !StatusFlags(answer.bytes[10], answer.bytes[11]).isSuccess
    }

    /// A table, indexed by the first byte of a FeliCa command, that tells whether its answer has status flags.
    private static let codesWithStatusFlags: [Bool] = CommandDescription.all.reduce(
        into: [Bool](repeating: false, count: 256)
    ) { $0[Int($1.code.first)] = $1.hasStatusFlags }
}
