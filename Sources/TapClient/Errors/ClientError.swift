import TapWire

/// Why a procedure ended without a result.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// No card answered a search, or the reader was given none to talk to.
        case noCard
        /// Another card than before answered.
        case otherCard
        /// The card did not answer a command.
        case silence
        /// An answer came with a wrong CRC or parity.
        case damagedAnswer
        /// An answer carries the IDm of another card or system.
        case wrongIDm
        /// An answer belongs to another command.
        case wrongResponseCode
        /// An answer has another length than the command asks for.
        case wrongLength
        /// An answer has the right code and length and still makes no sense.
        case malformedAnswer
        /// A FeliCa card answered status flags instead of carrying out the command.
        case refused(StatusFlags)
        /// A Type 2 tag answered a NAK.
        case nak(Acknowledgement)
        /// The password is wrong, then without PACK; or it is right and the PACK another one than expected.
        case authenticationFailed(pack: UInt16?)
        /// Pages are protected by a password nobody gave.
        case authenticationNeeded
        /// The card has no such services.
        case servicesMissing([NodeCode])
        /// The card holds no NDEF.
        case notNDEF
        /// What is stored on the card is no sound TLV or NDEF.
        case malformedData
        /// What is to be written needs more room than there is.
        case tooLarge
        /// The card says that it may not be written.
        case readOnly
        /// The procedure cannot do this with this card.
        case unsupported
        /// What was written reads back as something else.
        case notWritten
        /// A list of the card does not end.
        case endless
        /// The link failed.
        case link(LinkError.Code)
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether sending the same command again may help: nothing or damage came back.
    var isTransient: Bool { code == .silence || code == .damagedAnswer }

    /// The NAK of the tag, if that is the failure.
    var acknowledgement: Acknowledgement? {
        if case .nak(let acknowledgement) = code { acknowledgement } else { nil }
    }

    /// The status flags of the card, if they are the failure.
    var status: StatusFlags? {
        if case .refused(let status) = code { status } else { nil }
    }
}
