extension FaultCatalogue {
    /// What a phone or the person who holds it does to an app that reads with Core NFC.
    static let phone: [FaultKind] = [
        FaultKind(
            "phone.user_cancel", "A person ends the session by the button of its sheet: error 200.",
            models: "People change their mind, or press Cancel since nothing seems to happen.",
            scope: .phone(PhoneEvent.open), effect: .phone { _ in .userCancel }),
        FaultKind(
            "phone.time_limit", "The session has been open as long as it may be, 60 seconds: error 201.",
            models: "Nobody brought a card in time, or the app took too long with one.",
            scope: .phone(PhoneEvent.open), effect: .phone { _ in .timeLimit }),
        FaultKind(
            "phone.background", "The app goes to the background, which ends the session: error 202.",
            models: "A call came in, or the person went to another app while the sheet was shown.",
            scope: .phone(PhoneEvent.open), effect: .phone { _ in .background }),
        FaultKind(
            "phone.radio_off", "NFC is switched off, so that the session does not begin: error 6.",
            models: "The phone is in flight mode, or a profile of its owner forbids NFC.",
            scope: .phone([.began]), effect: .phone { _ in .radioOff }),
        FaultKind(
            "phone.system_busy", "The NFC of the phone is taken, so that the session does not begin: error 203.",
            models: "The sheet of the session before is still closing, or Wallet reads at the same time.",
            scope: .phone([.began]), effect: .phone { _ in .systemBusy }),
        FaultKind(
            "phone.unsupported", "The phone has no NFC: `readingAvailable` is false, and a session ends with error 1.",
            models: "The app runs on an iPad, or on a telephone before the iPhone 7.",
            scope: .phone([.available, .began]), times: .always, effect: .phone { _ in .unsupported }),
        FaultKind(
            "phone.missing_entitlement",
            "The app lacks its entitlement or a declaration: no sheet, and error 2 a moment later.",
            models: "The capability was not added, or the provisioning profile is older than it.",
            scope: .phone([.began]), times: .always, effect: .phone { _ in .missingEntitlement }),
        FaultKind(
            "phone.stack_error", "A call of a card fails with the text Stack Error, below it Connection Closed.",
            models:
                "The NFC daemon gave up on a tag that refuses what its NDEF layer asks for, as one with a password.",
            [stackErrorCode], scope: .phone(PhoneEvent.calls),
            effect: .phone { .stackError($0.word("error").flatMap(PhoneErrorCode.init(word:))) }),
        FaultKind(
            "phone.connection_lost", "A call fails with error 100 though the card lies there.",
            models: "The phone dropped the link: a weak field, a reply it found too long, a pause it found too long.",
            scope: .phone(PhoneEvent.calls.union([.connected])), effect: .phone { _ in .connectionLost }),
    ]

    private static let stackErrorCode = FaultParameter(
        "error",
        .word([PhoneErrorCode.tagResponseError, .tagNotConnected, .tagUpdateFailure].map(\.word)), nil,
        "The error: 102, 104 or 401; without it what devices give for the call.")
}
