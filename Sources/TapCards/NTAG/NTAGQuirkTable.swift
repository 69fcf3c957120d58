extension NTAGQuirks {
    /// The table of switches, each with its values, the default first.
    ///
    /// The sources named: Flipper Zero firmware of 2022, written against a genuine NTAG216, and its later rewrite;
    /// ChameleonUltra firmware; nfcpy; traces and dumps of the Proxmark3 project; NXP data sheets.
    public static let switches: [QuirkSwitch<NTAGQuirks>] =
        frameSwitches + commandSwitches + memorySwitches + counterSwitches + passwordSwitches

    private static let frameSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "unknownOpcode", \.unknownOpcode, .oneOf(.nak0, .silent),
            """
            What follows an unknown opcode: NAK 0 in nfcpy's tests and a reader's log, nothing in the 2022 Flipper \
            emulator.
            """),
        QuirkSwitch(
            "tooShortFrame", \.tooShortFrame, .oneOf(.silent, .nak0),
            "What follows a frame of fewer than three bytes: silence is inferred, ChameleonUltra sends NAK 0."),
        QuirkSwitch(
            "badCrc", \.badCrc, .oneOf(.nak1, .nak0, .silent, .ignored),
            """
            What follows a wrong CRC: NAK 1 from NXP and NAK 0 from Fudan, by which Proxmark3 tells them apart, \
            nothing from Flipper's rewrite, and ChameleonUltra does not check.
            """),
        QuirkSwitch(
            "stayActiveAfterNak", \.stayActiveAfterNak, .oneOf(false, true),
            "Whether the tag stays selected after a NAK: by the data sheet it does not, ChameleonUltra does."),
        QuirkSwitch(
            "selectBadCrc", \.selectBadCrc, .oneOf(.ignore, .accept),
            """
            What a SELECT with a wrong CRC does: ISO/IEC 14443-3 has it ignored, the NTAG203 data sheet has it select.
            """),
        QuirkSwitch(
            "readyReadZeroBypass", \.readyReadZeroBypass, .oneOf(true, false),
            "Whether READ of page 00 ends the selection early, as only the NTAG203 data sheet says."),
    ]

    private static let commandSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "fastReadMaxPages", \.fastReadMaxPages, .oneOf(.unlimited, .pages64, .pages62, .pages67),
            """
            Most pages of a FAST_READ whose answer arrives: the tag has no limit, PN532 readers carry about 64 pages, \
            Android 62, iOS 67; a longer answer is lost and the tag stays as it is.
            """),
        QuirkSwitch(
            "checkTearing", \.checkTearing, .oneOf(.unsupported, .answerBD),
            """
            Whether CHECK_TEARING_EVENT is known: no data sheet of the family lists it, yet a dump of a genuine \
            NTAG216 holds its answer BD.
            """),
        QuirkSwitch(
            "readSigAddress", \.readSigAddress, .oneOf(.strict, .ignored),
            "Whether the second byte of READ_SIG must be 00: in the 2022 Flipper emulator it must, in others not."),
        QuirkSwitch(
            "compWritePage01", \.compWritePage01, .oneOf(.nakPart1, .ackPart1NakPart2),
            """
            Where COMP_WRITE refuses pages 00 and 01, which can never be written: the NTAG213F data sheet calls \
            page 00 legal in the first step.
            """),
    ]

    private static let memorySwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "accessLatch", \.accessLatch, .oneOf(.selection, .immediate),
            """
            When AUTH0 and ACCESS act: from the next selection on in a trace of a genuine NTAG215 and by the order of \
            nfcpy's writes, at once in the report of one user.
            """),
        QuirkSwitch(
            "cfglckLatch", \.cfglckLatch, .oneOf(.powerOn, .selection, .immediate),
            """
            When CFGLCK acts: from the next power-on by the data sheet, at once in Flipper's rewrite and \
            ChameleonUltra.
            """),
        QuirkSwitch(
            "lockLatch", \.lockLatch, .oneOf(.immediate, .selection),
            """
            When lock bits act: at once in the emulator written against a genuine NTAG216 and in all others, from the \
            next REQA or WUPA by the NTAG203 data sheet.
            """),
        QuirkSwitch(
            "mirrorPartialFit", \.mirrorPartialFit, .oneOf(.genuine, .none),
            """
            What a mirror of UID and counter shows if only the UID fits: the UID on a genuine NTAG216, nothing by the \
            data sheet.
            """),
        QuirkSwitch(
            "bl94MissesL8L9", \.bl94MissesL8L9, .oneOf(false, true),
            "Whether L8 and L9 are frozen by BL 15-10 instead of BL 9-4, as in the 2022 Flipper emulator."),
        QuirkSwitch(
            "rfuiLockBits", \.rfuiLockBits, .oneOf(.stored, .zero),
            "What becomes of reserved dynamic lock bits: that they keep what is written is inferred."),
        QuirkSwitch(
            "dynamicLockByte3", \.dynamicLockByte3, .oneOf(.fixed, .stored),
            """
            What byte 3 of the dynamic lock page reads: always BD on genuine tags, what was written in \
            ChameleonUltra.
            """),
    ]

    private static let counterSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "counterTick", \.counterTick, .oneOf(.powerOn, .selection),
            """
            What lets the NFC counter tick at the next READ or FAST_READ: power-on by the data sheet, every \
            selection in ChameleonUltra.
            """),
        QuirkSwitch(
            "counterTickOrder", \.counterTickOrder, .oneOf(.before, .after),
            """
            Whether an answer that ticks mirrors the new value: it does in the 2022 Flipper emulator, not in Flipper's \
            rewrite and ChameleonUltra; the data sheet is silent.
            """),
        QuirkSwitch(
            "counterReadOrder", \.counterReadOrder, .oneOf(.lsbFirst, .msbFirst),
            """
            Which byte of the counter READ_CNT sends first: the low one by the data sheet, the high one in \
            ChameleonUltra.
            """),
        QuirkSwitch(
            "readCntWhenDisabled", \.readCntWhenDisabled, .oneOf(.nak0, .answer),
            """
            What READ_CNT gives while NFC_CNT_EN is 0: NAK 0 in both Flipper emulators, the counter in \
            ChameleonUltra.
            """),
    ]

    private static let passwordSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "authLimitNak", \.authLimitNak, .oneOf(.nak4, .nak0),
            "The NAK once AUTHLIM is reached: 4 by the data sheet and in a trace of a genuine NTAG213."),
        QuirkSwitch(
            "wrongPasswordNak", \.wrongPasswordNak, .oneOf(.nak0, .nak4),
            "The NAK to a wrong password: 0 in a trace of a genuine NTAG213, always 4 in ChameleonUltra."),
        QuirkSwitch(
            "countFailuresWhenUnlimited", \.countFailuresWhenUnlimited, .oneOf(true, false),
            """
            Whether wrong passwords count while AUTHLIM is 0, so that setting it may lock at once: in the 2022 Flipper \
            emulator they do, in others not.
            """),
    ]
}
