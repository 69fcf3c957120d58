import TapWire

// What a card refuses or does not have.
extension ClientError {
    static func refused(_ status: StatusFlags, _ action: String) -> ClientError {
        ClientError(.refused(status), "the card refused \(action) with status \(status): \(status.explanation)")
    }

    static func servicesMissing(_ services: [NodeCode], _ what: String, in system: SystemCode) -> ClientError {
        let codes = services.map(\.description).joined(separator: ", ")
        return ClientError(
            .servicesMissing(services),
            "system \(system) has no service \(codes), so the card is no \(what); use a card that is one")
    }

    static func wrongPassword(_ acknowledgement: Acknowledgement) -> ClientError {
        let advice =
            acknowledgement == .authenticationLimit
            ? "no password opens it any more" : "try another, but mind that the tag may count wrong ones"
        return ClientError(
            .authenticationFailed(pack: nil), "the tag refused the password with \(acknowledgement); \(advice)")
    }

    static func wrongPack(_ pack: UInt16, insteadOf expected: UInt16) -> ClientError {
        let (found, wanted) = (Hex.digits(pack, width: 4), Hex.digits(expected, width: 4))
        return ClientError(
            .authenticationFailed(pack: pack),
            "the tag took the password and answered PACK \(found) instead of \(wanted); it may not be yours")
    }

    static func protected(_ pages: String) -> ClientError {
        ClientError(.authenticationNeeded, "\(pages) is protected by a password; give the password")
    }

    static func notNDEF(_ reason: String) -> ClientError {
        ClientError(.notNDEF, "the card holds no NDEF: \(reason); format it or use another card")
    }

    package static func malformedData(_ what: String, _ error: WireError) -> ClientError {
        malformedData(what, error.description)
    }

    static func malformedData(_ what: String, _ reason: String) -> ClientError {
        ClientError(.malformedData, "the \(what) on the card is malformed: \(reason); write it anew")
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
            .notWritten, "\(what) reads back as something else than was written; write again or use another card")
    }

    static func endless(_ what: String, after count: Int) -> ClientError {
        ClientError(.endless, "\(what) do not end after \(count); the card breaks the protocol")
    }
}
