import TapWire

/// The reason why a procedure ended without a result.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// No card answered a search, or none is selected.
        case noCard
        case otherCard
        case silence
        case damagedAnswer
        /// An answer contains the IDm of another card or system.
        case wrongIDm
        /// An answer belongs to another command.
        case wrongResponseCode
        /// An answer has a different length from what the command requests.
        case wrongLength
        /// An answer has the right code and length, but fields that contradict the command.
        case malformedAnswer
        /// A FeliCa card answered with status flags instead of carrying out the command.
        case refused(StatusFlags)
        case nak(Acknowledgement)
        /// The password is wrong (then there is no PACK), or it is right but the PACK differs from the expected one.
        case authenticationFailed(pack: UInt16?)
        /// Pages need a password that was not given.
        case authenticationNeeded
        /// A FeliCa Lite's MAC shows that it has another card key.
        case wrongCardKey
        case servicesMissing([NodeCode])
        case notNDEF
        /// The data on the card is not a valid TLV or NDEF message.
        case malformedData
        /// The data to write needs more room than there is.
        case tooLarge
        /// The card declares itself read-only.
        case readOnly
        /// The procedure cannot do this with this card.
        case unsupported
        /// The written data reads back differently.
        case notWritten
        /// An answer inside a session has a wrong MAC.
        case wrongMAC
        /// An answer inside a session has a different transaction number from what the command requires.
        case wrongTransaction
        /// A list of the card does not end.
        case endless
        case link(LinkError.Code)
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// A Boolean value that indicates whether repeating the command may help, since the answer was silence or damaged.
    var isTransient: Bool { code == .silence || code == .damagedAnswer }

    var acknowledgement: Acknowledgement? {
        if case .nak(let acknowledgement) = code { acknowledgement } else { nil }
    }

    var status: StatusFlags? {
        if case .refused(let status) = code { status } else { nil }
    }
}

// Errors of one command and its answer.
extension ClientError {
    static func link(_ error: LinkError) -> ClientError {
        ClientError(.link(error.code), error.description)
    }

    static func noSystem(_ code: SystemCode) -> ClientError {
        let place = code == .any ? "" : " for system \(code)"
        return ClientError(
            .noCard, "no FeliCa card answered Polling\(place); hold a card with this system to the reader")
    }

    static let noType2Tag = ClientError(.noCard, "no type A card answered; hold one to the reader")

    static let nothingSelected = ClientError(
        .noCard, "no card is selected; activate a card first")

    static func otherCard(_ uid: UID, insteadOf expected: UID) -> ClientError {
        ClientError(
            .otherCard,
            "the card \(uid) answered instead of \(expected); leave only one card at the reader and start over")
    }

    static func silence(after command: String) -> ClientError {
        ClientError(.silence, "the card does not answer \(command); hold it to the reader and start over")
    }

    /// The error for silence after a command that may have been carried out.
    static func doubtfulWrite(_ target: String, _ error: ClientError) -> ClientError {
        ClientError(
            error.code,
            "the answer to writing \(target) was lost, and it is not known whether it was written; read it back "
                + "before writing it again")
    }

    static func damagedAnswer(to command: String) -> ClientError {
        ClientError(
            .damagedAnswer,
            "the answer to \(command) is damaged; hold only one card to the reader, keep it still, and try again")
    }

    static func wrongIDm(_ idm: IDm, insteadOf expected: IDm, _ command: String) -> ClientError {
        ClientError(
            .wrongIDm,
            "the answer to \(command) contains IDm \(idm) instead of \(expected); leave only one card at the reader")
    }

    static func wrongResponseCode(_ code: CommandCode?, _ command: CommandCode) -> ClientError {
        let found = code.map { "is a \($0.name) (\($0))" } ?? "has no code"
        return ClientError(
            .wrongResponseCode,
            "the answer to \(command.name) \(found) instead of \(command.response); check whether another answer arrived late"
        )
    }

    static func wrongLength(_ count: Int, _ command: String, _ expected: String) -> ClientError {
        ClientError(
            .wrongLength, "the answer to \(command) has \(count) bytes where \(expected); the card breaks the protocol")
    }

    static func malformedAnswer(_ command: String, _ reason: String) -> ClientError {
        ClientError(
            .malformedAnswer, "the answer to \(command) makes no sense: \(reason); the card breaks the protocol")
    }

    /// Returns the error for an answer that a parser rejects: for its length, or for its content.
    static func unreadable(_ command: String, _ error: WireError) -> ClientError {
        switch error.code {
        case .truncated, .trailingBytes, .wrongLength:
            ClientError(.wrongLength, "the answer to \(command) breaks the protocol: \(error)")
        case .wrongCode, .wrongValue: malformedAnswer(command, error.description)
        }
    }

    static func nak(_ acknowledgement: Acknowledgement, _ action: String, _ advice: String) -> ClientError {
        ClientError(.nak(acknowledgement), "the tag refused \(action) with \(acknowledgement): \(advice)")
    }

    static func nak(_ acknowledgement: Acknowledgement, _ action: String) -> ClientError {
        nak(acknowledgement, action, acknowledgement.meaning)
    }
}

// Refusals of a card, and things it does not have.
extension ClientError {
    static func refused(_ status: StatusFlags, _ action: String) -> ClientError {
        ClientError(.refused(status), "the card refused \(action) with status \(status): \(status.explanation)")
    }

    static func servicesMissing(_ services: [NodeCode], _ what: String, in system: SystemCode) -> ClientError {
        let codes = services.map(\.description).joined(separator: ", ")
        return ClientError(
            .servicesMissing(services),
            "system \(system) has no service \(codes), so the card is not a \(what); use another card")
    }

    static func wrongPassword(_ acknowledgement: Acknowledgement) -> ClientError {
        let advice =
            acknowledgement == .authenticationLimit
            ? "it no longer accepts any password" : "try another, but note that the tag may count wrong ones"
        return ClientError(
            .authenticationFailed(pack: nil), "the tag refused the password with \(acknowledgement); \(advice)")
    }

    static func wrongPack(_ pack: UInt16, insteadOf expected: UInt16) -> ClientError {
        let (found, wanted) = (Hex.digits(pack, width: 4), Hex.digits(expected, width: 4))
        return ClientError(
            .authenticationFailed(pack: pack),
            "the tag accepted the password but answered PACK \(found) instead of \(wanted); it may not be yours")
    }

    static func wrongCardKey(_ reason: String) -> ClientError {
        ClientError(
            .wrongCardKey,
            "the card does not have this card key: \(reason); use its key, or treat the card as a forgery")
    }

    static func protected(_ pages: String) -> ClientError {
        ClientError(.authenticationNeeded, "\(pages) is protected by a password; give the password")
    }

    static func notNDEF(_ reason: String) -> ClientError {
        ClientError(.notNDEF, "the card contains no NDEF: \(reason); format it or use another card")
    }

    package static func malformedData(_ what: String, _ error: WireError) -> ClientError {
        malformedData(what, error.description)
    }

    static func malformedData(_ what: String, _ reason: String) -> ClientError {
        ClientError(.malformedData, "the \(what) on the card is malformed: \(reason); write it again")
    }

    static func tooLarge(_ count: Int, room: Int) -> ClientError {
        ClientError(
            .tooLarge,
            "the message has \(count) bytes and the card has room for \(room); shorten it or use a larger card")
    }

    static func readOnly(_ reason: String) -> ClientError {
        ClientError(.readOnly, "the card is read-only: \(reason); use another card")
    }

    static func unsupported(_ reason: String) -> ClientError {
        ClientError(.unsupported, reason)
    }

    static func notWritten(_ what: String) -> ClientError {
        ClientError(
            .notWritten, "\(what) does not read back as it was written; write it again or use another card")
    }

    static func endless(_ what: String, after count: Int) -> ClientError {
        ClientError(.endless, "\(what) do not end after \(count); the card breaks the protocol")
    }
}
