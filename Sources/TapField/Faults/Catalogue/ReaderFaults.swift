import TapWire

extension FaultCatalogue {
    /// Faults of readers, between the card and the host.
    static let reader: [FaultKind] = [
        FaultKind(
            "reader.chip_status", "The PN532 reports an error instead of the card's answer.",
            models: "The chip detected a timeout or a damaged frame and reported it in its status byte.",
            [chipStatus], effect: .reader { .chipStatus(UInt8($0[chipStatus])) }),
        FaultKind(
            "reader.status_word", "The reader answers with a status word and no data.",
            models: "A reader reports an error with SW1 SW2 only.",
            [statusWord, keepsData],
            effect: .reader { .statusWord($0[statusWord], keepsData: $0[keepsData]) }),
        FaultKind(
            "reader.no_status_word", "The data arrive without a status word.",
            models: "A driver cut off the last two bytes of a response.", effect: .reader { _ in .noStatusWord }),
        FaultKind(
            "reader.no_data", "The status word arrives without data.",
            models: "A reader reported success but returned nothing, as some do after reading past the end.",
            effect: .reader { _ in .noData }),
        FaultKind(
            "reader.cut_data", "The last bytes of the data are missing, but the status word is there.",
            models: "The buffer of a reader or its driver was shorter than the answer of the card.",
            [cutBytes], effect: .reader { .cutData($0[cutBytes]) }),
        FaultKind(
            "reader.extra_data", "More data arrive than the card sent, followed by the status word.",
            models: "A reader passed on old content of its buffer.",
            [extraBytes], effect: .reader { .extraData($0[extraBytes]) }),
        FaultKind(
            "reader.bytes", "Bytes of the answer to the host are changed: in the response APDU, or in a chip's frame.",
            models: "A cable, a driver or a frame relay has changed what the reader sent.",
            [editedByte, ByteEdit.replacement, ByteEdit.difference, isFixed],
            effect: .reader {
                .otherBytes(ByteEdit($0, at: $0[editedByte]), isFixed: $0[isFixed])
            }),
        FaultKind(
            "reader.previous_answer", "The answer to the previous command arrives again.",
            models: "Host and reader got out of step, and an answer was mistaken for that of the next command.",
            effect: .reader { _ in .previousAnswer }),
        FaultKind(
            "reader.no_card", "The reader reports that there is no card.",
            models: "The presence check of a reader failed once, although the card did not move.",
            effect: .reader { _ in .noCard }),
        FaultKind(
            "reader.failed", "The exchange with the reader fails without an answer.",
            models: "The USB transfer to a reader broke off.", effect: .reader { _ in .failed }),
    ]

    private static let chipStatus = FaultKey(
        "status", .integer(1...63), default: 1,
        "The status byte: 1 timeout, 2 CRC, 3 parity, 5 framing, 9 overflow, 19 format.")
    private static let statusWord = FaultKey(
        "sw", .bytes(StatusWord.length...StatusWord.length), default: [0x63, 0x00], "SW1 and SW2."
    ).preferring(statusWords).map { StatusWord($0[0], $0[1]) }
    /// More data, wrong length, a warning, and codes that no standard defines.
    private static let statusWords: [[UInt8]] = [
        [0x61, 0x00], [0x61, 0xFF], [0x62, 0x82], [0x6A, 0x82], [0x6C, 0x00], [0x6C, 0xFF], [0x00, 0x00], [0xFF, 0xFF],
    ]
    private static let keepsData = FaultKey(
        "with_data", .flag, default: false, "Whether the data remain before the status word.")
    private static let editedByte = FaultKey(
        ByteEdit.placeName, .integer(ByteEdit.places), default: -3,
        "The first changed byte: 0 is the first of all, -3 the last of the data, before SW1 SW2 or the end of a frame."
    ).preferring(ByteEdit.headers)
    private static let isFixed = FaultKey(
        "sums", .flag, default: true, "Whether the checksums of a frame, LCS and DCS, are fixed; an APDU has none.")
    private static let cutBytes = FaultKey("count", .integer(1...255), default: 1, "The number of missing bytes.")
    private static let extraBytes = FaultKey(
        "bytes", .bytes(1...255), default: [0, 0], "The bytes after the data.")
}

extension FaultCatalogue {
    /// Faults of a PC/SC service, or events between two calls.
    static let pcsc: [FaultKind] = [
        FaultKind(
            "pcsc.return_code", "The call is not carried out and returns an error.",
            models: "The service, its driver or the reader refused; every PC/SC call can return an error.",
            [code], scope: .calls(Set(PCSCCall.allCases)), effect: .transport { .refusal($0[code]) }),
        FaultKind(
            "pcsc.lost_answer", "The call is carried out, but returns an error instead of its answer.",
            models: "The reader was lost after the card had already carried out the command.",
            [code], scope: .calls(answered), effect: .transport { .lostAnswer($0[code]) }),
        FaultKind(
            "pcsc.removed_inside", "The card is removed during the call.",
            models: "The user lifts the card before the program is done.",
            [backAfter], scope: .calls(ofCards), origin: .person,
            effect: .transport { .removal(backAfter: $0[backAfter]) }),
        FaultKind(
            "pcsc.reset_by_another", "Another program has reset the card before the call.",
            models: "Another program that shares the reader disconnected with a reset.",
            scope: .calls(ofCards), effect: .transport { _ in .reset }),
        FaultKind(
            "pcsc.reader_unplugged", "The reader is unplugged before the call.",
            models: "A cable was pulled or a hub lost power.",
            scope: .calls(answered), origin: .reader, effect: .transport { _ in .unplugging }),
        FaultKind(
            "pcsc.service_stopped", "The service ends during the call and does not come back.",
            models: "The service was stopped for an update, or killed because memory ran out.",
            scope: .calls(Set(PCSCCall.allCases)), effect: .transport { _ in .end }),
        FaultKind(
            "pcsc.short_answer", "The last bytes of the answer to a command are missing.",
            models: "A driver returned fewer bytes than the reader had sent.",
            [cutEnd], scope: .calls([.transmit]), effect: .transport { .cutAnswer($0[cutEnd]) }),
        FaultKind(
            "pcsc.slow", "The call takes longer.",
            models: "The reader was busy, or another program held it for a moment.",
            [callDelay], scope: .calls(Set(PCSCCall.allCases)), effect: .transport { .delay($0[callDelay]) }),
        FaultKind(
            "pcsc.spurious_event", "A program that waits for a change is notified of one that did not happen.",
            models: "A reader reports a card that was in its field only for an instant.",
            scope: .calls([.getStatusChange]), effect: .transport { _ in .spuriousEvent }),
        FaultKind(
            "pcsc.lost_event", "A program that waits for a change is not notified of the next one.",
            models: "A card arrived while the program was between two calls, and its event was lost.",
            scope: .calls([.getStatusChange]), effect: .transport { _ in .lostEvent }),
    ]

    private static let code = FaultKey(
        "code", words: PCSCReturnCode.known.dropFirst().map { ($0.name, $0.code) },
        default: ("SCARD_F_COMM_ERROR", .communicationError), "The return code, by its name in C.")
    private static let backAfter = FaultKey<Duration?>(
        "back_in", .duration, "The time after which the card returns. If omitted, it stays away.")
    private static let cutEnd = FaultKey("count", .integer(1...255), default: 2, "The number of missing bytes.")
    private static let callDelay = FaultKey<Duration>(
        "by", .duration, default: .milliseconds(50), "The delay.")

    private static let answered = Set(PCSCCall.allCases).subtracting([.getStatusChange])

    private static let ofCards: Set<PCSCCall> = [
        .reconnect, .disconnect, .beginTransaction, .endTransaction, .transmit, .status,
    ]
}

extension FaultCatalogue {
    /// Disturbances of an app that uses Core NFC, caused by the phone or its user.
    static let phone: [FaultKind] = [
        FaultKind(
            "phone.user_cancel", "The user ends the session with the button on its sheet: error 200.",
            models: "People change their mind, or press Cancel because nothing seems to happen.",
            scope: .phone(PhoneEvent.open), origin: .person, effect: .phone { _ in .userCancel }),
        FaultKind(
            "phone.time_limit", "The session has reached its limit of 60 seconds: error 201.",
            models: "No card arrived in time, or the app took too long with one.",
            scope: .phone(PhoneEvent.open), effect: .phone { _ in .timeLimit }),
        FaultKind(
            "phone.background", "The app goes to the background, which ends the session: error 202.",
            models: "A call came in, or the user switched to another app while the sheet was shown.",
            scope: .phone(PhoneEvent.open), origin: .person, effect: .phone { _ in .background }),
        FaultKind(
            "phone.radio_off", "The phone's NFC is switched off, so the session does not begin: error 6.",
            models: "The phone is in airplane mode, or a configuration profile forbids NFC.",
            scope: .phone([.began]), effect: .phone { _ in .radioOff }),
        FaultKind(
            "phone.system_busy", "The phone's NFC is in use, so the session does not begin: error 203.",
            models: "The sheet of the previous session is still closing, or Wallet is reading at the same time.",
            scope: .phone([.began]), effect: .phone { _ in .systemBusy }),
        FaultKind(
            "phone.unsupported", "The phone has no NFC: `readingAvailable` is false, and a session ends with error 1.",
            models: "The app runs on an iPad, or on a phone older than the iPhone 7.",
            scope: .phone([.available, .began]), times: .always, effect: .phone { _ in .unsupported }),
        FaultKind(
            "phone.missing_entitlement",
            "The app lacks its entitlement or a declaration: no sheet appears, and error 2 follows a moment later.",
            models: "The capability was not added, or the provisioning profile predates it.",
            scope: .phone([.began]), times: .always, effect: .phone { _ in .missingEntitlement }),
        FaultKind(
            "phone.stack_error",
            "A call to a card fails with the text Stack Error and the underlying error Connection Closed.",
            models:
                "The NFC daemon gave up on a tag that refuses a request of its NDEF layer, such as a password-protected tag.",
            [stackErrorCode], scope: .phone(PhoneEvent.calls),
            effect: .phone { .stackError($0[stackErrorCode]) }),
        FaultKind(
            "phone.connection_lost", "A call fails with error 100, although the card is present.",
            models: "The phone dropped the link because of a weak field, or a reply or pause that was too long.",
            scope: .phone(PhoneEvent.calls.union([.connected])), effect: .phone { _ in .connectionLost }),
    ]

    private static let stackErrorCode = FaultKey<PhoneErrorCode?>(
        "error",
        words: [PhoneErrorCode.tagResponseError, .tagNotConnected, .tagUpdateFailure].map { ($0.scenarioName, $0) },
        "The error: 102, 104 or 401. If omitted, the error that devices give for the call.")
}
