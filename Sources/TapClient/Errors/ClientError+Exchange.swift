import TapWire

// What can go wrong with one command and its answer.
extension ClientError {
    static func link(_ error: LinkError) -> ClientError {
        ClientError(.link(error.code), error.description)
    }

    static func noSystem(_ code: SystemCode) -> ClientError {
        let place = code == .any ? "" : " for system \(code)"
        return ClientError(.noCard, "no FeliCa card answered Polling\(place); hold one that has it to the reader")
    }

    static let noType2Tag = ClientError(.noCard, "no type A card answered; hold one to the reader")

    static let nothingSelected = ClientError(
        .noCard, "no card is selected; activate one before anything is asked of it")

    static func otherCard(_ uid: UID, insteadOf expected: UID) -> ClientError {
        ClientError(
            .otherCard,
            "the card \(uid) answered instead of \(expected); leave one card at the reader and begin anew")
    }

    static func silence(after command: String) -> ClientError {
        ClientError(.silence, "the card does not answer \(command); hold it to the reader and begin anew")
    }

    /// Silence behind a command that may have been carried out.
    static func doubtfulWrite(_ target: String, _ error: ClientError) -> ClientError {
        ClientError(
            error.code,
            "the answer to writing \(target) was lost, and nobody knows whether it was written; read it back before "
                + "writing it again")
    }

    static func damagedAnswer(to command: String) -> ClientError {
        ClientError(
            .damagedAnswer,
            "the answer to \(command) came damaged; hold the card still and one card only, and try again")
    }

    static func wrongIDm(_ idm: IDm, insteadOf expected: IDm, _ command: String) -> ClientError {
        ClientError(
            .wrongIDm,
            "the answer to \(command) carries IDm \(idm) instead of \(expected); leave one card at the reader")
    }

    static func wrongResponseCode(_ code: CommandCode?, _ command: CommandCode) -> ClientError {
        let found = code.map { "is a \($0.name) (\($0))" } ?? "has no code"
        return ClientError(
            .wrongResponseCode,
            "the answer to \(command.name) \(found) instead of \(command.response); look whether another answer came late"
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

    /// A parser's complaint about an answer: about its length, or about what it says.
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
