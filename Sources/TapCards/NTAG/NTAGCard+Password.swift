import TapWire

/// PWD_AUTH.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "password verification protection".
extension NTAGCard {
    /// Compares the password and counts failures; once AUTHLIM of them have come, none is right any more.
    mutating func authenticate(
        _ given: PageData, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        if isAuthenticationLimitReached { return refuse(quirks.authLimitNak.acknowledgement, into: &buffer) }
        guard given == password, isPasswordKnown else {
            let isCounted = latches.access.authlim > 0 || quirks.countFailuresWhenUnlimited
            if isCounted, !context.isMemoryFailing, failedAuthentications < .max { failedAuthentications += 1 }
            let nak = isAuthenticationLimitReached ? quirks.authLimitNak : quirks.wrongPasswordNak
            return refuse(nak.acknowledgement, into: &buffer)
        }
        if !context.isMemoryFailing { failedAuthentications = 0 }
        state.take(.authentication)
        PasswordAuthentication.Response(pack: packPage.pack).write(into: &buffer)
        return .data
    }

    private var isAuthenticationLimitReached: Bool {
        let limit = latches.access.authlim
        return limit > 0 && failedAuthentications >= limit
    }
}
