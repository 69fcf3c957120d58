import TapWire

/// Points on which sources on the NTAG21x disagree, or on which clones and emulators differ from genuine silicon.
///
/// The defaults are the presumed behavior of genuine silicon. Different version bytes, signatures and first UID bytes, which
/// also distinguish clones, are content of an ``NTAGDefinition``, not switches.
public struct NTAGQuirks: QuirkSet {
    public var unknownOpcode = ErrorAnswer.nak0
    public var tooShortFrame = ErrorAnswer.silent
    public var badCrc = BadCRCAnswer.nak1
    public var stayActiveAfterNak = false
    /// The moment at which AUTH0 and the access bits except CFGLCK take effect.
    public var accessLatch = LatchMoment.selection
    public var cfglckLatch = LatchMoment.powerOn
    public var lockLatch = LatchMoment.immediate
    /// The visible part of a mirror that does not fit completely.
    public var mirrorPartialFit = MirrorFit.genuine
    public var counterTick = LatchMoment.powerOn
    public var counterTickOrder = CounterTickOrder.before
    public var counterReadOrder = ByteOrder.lsbFirst
    public var readCntWhenDisabled = DisabledCounterAnswer.nak0
    public var authLimitNak = PasswordNAK.nak4
    public var wrongPasswordNak = PasswordNAK.nak0
    public var countFailuresWhenUnlimited = true
    public var fastReadMaxPages = FastReadLimit.unlimited
    public var checkTearing = TearingCheck.unsupported
    public var readSigAddress = AddressCheck.strict
    public var compWritePage01 = CompatibilityRefusal.nakPart1
    public var selectBadCrc = BadSelect.ignore
    public var readyReadZeroBypass = true
    /// The reaction to READ of page 00 in READY1 and READY2 if that page is protected.
    public var readyReadZeroProtected = ErrorAnswer.silent
    /// The effect of writing a higher AUTHLIM to a tag that AUTHLIM has locked.
    public var authLimitRaised = RaisedLimit.unlocks
    /// A Boolean value that indicates whether L8 and L9 belong to the wrong block-lock bit.
    public var bl94MissesL8L9 = false
    public var rfuiLockBits = ReservedBits.stored
    /// The value that the fourth byte of the dynamic lock page reads as.
    public var dynamicLockByte3 = LockPageByte.fixed

    public init() {}
}

extension NTAGQuirks {
    /// The table of switches with their values, the default first.
    ///
    /// Sources named: Flipper Zero firmware of 2022, written against a genuine NTAG216, and its later rewrite;
    /// ChameleonUltra firmware; nfcpy; traces and dumps of the Proxmark3 project; NXP data sheets.
    public static let switches: [QuirkSwitch<NTAGQuirks>] =
        frameSwitches + commandSwitches + memorySwitches + counterSwitches + passwordSwitches

    public static let unpublished = CardFacts(switches.compactMap(\.unpublished))

    private static let frameSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "unknownOpcode", \.unknownOpcode, .oneOf(.nak0, .silent),
            """
            The reaction to an unknown opcode: NAK 0 in nfcpy's tests and a reader's log, nothing in the 2022 \
            Flipper emulator.
            """),
        QuirkSwitch(
            "tooShortFrame", \.tooShortFrame, .oneOf(.silent, .nak0),
            "The reaction to a frame of fewer than three bytes: silence is inferred, ChameleonUltra sends NAK 0."),
        QuirkSwitch(
            "badCrc", \.badCrc, .oneOf(.nak1, .nak0, .silent, .ignored),
            """
            The reaction to a wrong CRC: NAK 1 from NXP and NAK 0 from Fudan, which is how Proxmark3 tells them \
            apart, nothing from Flipper's rewrite, and ChameleonUltra does not check.
            """),
        QuirkSwitch(
            "stayActiveAfterNak", \.stayActiveAfterNak, .oneOf(false, true),
            "Whether the tag stays selected after a NAK: the data sheet says no, ChameleonUltra does."),
        QuirkSwitch(
            "selectBadCrc", \.selectBadCrc, .oneOf(.ignore, .accept),
            """
            The effect of a SELECT with a wrong CRC: it is ignored according to ISO/IEC 14443-3, and selects \
            according to the NTAG203 data sheet.
            """),
        QuirkSwitch(
            "readyReadZeroBypass", \.readyReadZeroBypass, .oneOf(true, false),
            "Whether READ of page 00 ends the selection early, which only the NTAG203 data sheet says."),
        QuirkSwitch(
            unpublished: .readyReadZeroProtected, \.readyReadZeroProtected, .oneOf(.silent, .nak0),
            """
            The reaction to READ of page 00 before the selection ends, if the password protects that page: unknown \
            for tags; silence as for any frame that does not fit, or NAK 0 as for a protected page.
            """),
    ]

    private static let commandSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "fastReadMaxPages", \.fastReadMaxPages, .oneOf(.unlimited, .pages64, .pages62, .pages67),
            """
            The maximum number of pages of a FAST_READ whose answer arrives: the tag has no limit, PN532 readers \
            carry about 64 pages, Android 62, iOS 67; a longer answer is lost and the tag stays as it is.
            """),
        QuirkSwitch(
            "checkTearing", \.checkTearing, .oneOf(.unsupported, .answerBD),
            """
            Whether CHECK_TEARING_EVENT is known: no data sheet of the family lists it, yet a dump of a genuine \
            NTAG216 contains its answer BD.
            """),
        QuirkSwitch(
            "readSigAddress", \.readSigAddress, .oneOf(.strict, .ignored),
            "Whether the second byte of READ_SIG must be 00: in the 2022 Flipper emulator it must, in others not."),
        QuirkSwitch(
            "compWritePage01", \.compWritePage01, .oneOf(.nakPart1, .ackPart1NakPart2),
            """
            The step in which COMP_WRITE refuses pages 00 and 01, which can never be written: the NTAG213F data \
            sheet calls page 00 legal in the first step.
            """),
    ]

    private static let memorySwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "accessLatch", \.accessLatch, .oneOf(.selection, .immediate),
            """
            The moment when AUTH0 and ACCESS take effect: at the next selection in a trace of a genuine NTAG215 and \
            according to the order of nfcpy's writes, at once in the report of one user.
            """),
        QuirkSwitch(
            "cfglckLatch", \.cfglckLatch, .oneOf(.powerOn, .selection, .immediate),
            """
            The moment when CFGLCK takes effect: at the next power-on according to the data sheet, at once in \
            Flipper's rewrite and ChameleonUltra.
            """),
        QuirkSwitch(
            "lockLatch", \.lockLatch, .oneOf(.immediate, .selection),
            """
            The moment when lock bits take effect: at once in the emulator written against a genuine NTAG216 and in \
            all others, at the next REQA or WUPA according to the NTAG203 data sheet.
            """),
        QuirkSwitch(
            "mirrorPartialFit", \.mirrorPartialFit, .oneOf(.genuine, .none),
            """
            The content of a mirror of UID and counter if only the UID fits: the UID on a genuine NTAG216, nothing \
            according to the data sheet.
            """),
        QuirkSwitch(
            "bl94MissesL8L9", \.bl94MissesL8L9, .oneOf(false, true),
            "Whether L8 and L9 are frozen by BL 15-10 instead of BL 9-4, as in the 2022 Flipper emulator."),
        QuirkSwitch(
            "rfuiLockBits", \.rfuiLockBits, .oneOf(.stored, .zero),
            "The effect of writing reserved dynamic lock bits: that they are stored is inferred."),
        QuirkSwitch(
            "dynamicLockByte3", \.dynamicLockByte3, .oneOf(.fixed, .stored),
            """
            The value of byte 3 of the dynamic lock page when read: always BD on genuine tags, the byte written in \
            ChameleonUltra.
            """),
    ]

    private static let counterSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            "counterTick", \.counterTick, .oneOf(.powerOn, .selection),
            """
            The event that makes the NFC counter count the next READ or FAST_READ: power-on according to the data \
            sheet, every selection in ChameleonUltra.
            """),
        QuirkSwitch(
            "counterTickOrder", \.counterTickOrder, .oneOf(.before, .after),
            """
            Whether an answer that increments the counter mirrors the new value: it does in the 2022 Flipper \
            emulator, not in Flipper's rewrite and ChameleonUltra; the data sheet does not say.
            """),
        QuirkSwitch(
            "counterReadOrder", \.counterReadOrder, .oneOf(.lsbFirst, .msbFirst),
            """
            The byte of the counter that READ_CNT sends first: the low one according to the data sheet, the high one \
            in ChameleonUltra.
            """),
        QuirkSwitch(
            "readCntWhenDisabled", \.readCntWhenDisabled, .oneOf(.nak0, .answer),
            """
            The answer to READ_CNT while NFC_CNT_EN is 0: NAK 0 in both Flipper emulators, the counter in \
            ChameleonUltra.
            """),
    ]

    private static let passwordSwitches: [QuirkSwitch<NTAGQuirks>] = [
        QuirkSwitch(
            unpublished: .authLimitRaised, \.authLimitRaised, .oneOf(.unlocks, .staysLocked),
            """
            The effect of writing a higher AUTHLIM to a tag that AUTHLIM has locked: unknown for tags; the count of \
            failures is then below the new limit, or only AUTHLIM 0 and the correct password unlock it.
            """),
        QuirkSwitch(
            "authLimitNak", \.authLimitNak, .oneOf(.nak4, .nak0),
            "The NAK once AUTHLIM is reached: 4 according to the data sheet and in a trace of a genuine NTAG213."),
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

    /// The moment at which a written setting takes effect; it is also applied at every later moment.
    public enum LatchMoment: String, QuirkValue {
        /// With the write itself.
        case immediate
        /// When REQA or WUPA is answered.
        case selection
        /// When power returns.
        case powerOn

        /// Returns whether a setting of this moment is applied at `moment`.
        @inline(always)
        func isDue(at moment: LatchMoment) -> Bool { rank <= moment.rank }

        private var rank: Int {
            switch self {
            case .immediate: 0
            case .selection: 1
            case .powerOn: 2
            }
        }
    }

    /// The reaction to an error; either way the selection ends.
    public enum ErrorAnswer: String, QuirkValue {
        case nak0
        case silent
    }

    /// The reaction to a wrong CRC or wrong parity.
    public enum BadCRCAnswer: String, QuirkValue {
        case nak1
        case nak0
        case silent
        /// The command is carried out as if the CRC were correct; wrong parity gets NAK 1.
        case ignored
    }

    public enum RaisedLimit: String, QuirkValue {
        case unlocks
        /// Until AUTHLIM is 0 and the correct password is given.
        case staysLocked
    }

    /// The visible part of a mirror that does not fit.
    public enum MirrorFit: String, QuirkValue {
        /// The parts that fit, as genuine silicon does.
        case genuine
        case none
    }

    public enum CounterTickOrder: String, QuirkValue {
        /// Before the answer is built, so it contains the new value.
        case before
        /// After the answer is built.
        case after
    }

    public enum ByteOrder: String, QuirkValue {
        case lsbFirst
        case msbFirst
    }

    /// The reaction to READ_CNT while the counter is off.
    public enum DisabledCounterAnswer: String, QuirkValue {
        case nak0
        case answer
    }

    public enum PasswordNAK: String, QuirkValue {
        case nak0
        case nak4

        var acknowledgement: Acknowledgement { self == .nak0 ? .invalidArgument : .authenticationLimit }
    }

    public enum FastReadLimit: String, QuirkValue {
        case unlimited
        case pages64 = "64"
        case pages62 = "62"
        case pages67 = "67"

        var pageCount: Int {
            switch self {
            case .unlimited: .max
            case .pages64: 64
            case .pages62: 62
            case .pages67: 67
            }
        }
    }

    public enum TearingCheck: String, QuirkValue {
        /// The reaction to an unknown opcode.
        case unsupported
        /// BD, the value for a counter that was not torn.
        case answerBD
    }

    /// The reaction to a wrong address byte.
    public enum AddressCheck: String, QuirkValue {
        case strict
        case ignored
    }

    /// The step in which a COMP_WRITE to pages 00 and 01 is refused.
    public enum CompatibilityRefusal: String, QuirkValue {
        /// In the first step.
        case nakPart1
        /// In the second step.
        case ackPart1NakPart2
    }

    /// The effect of a SELECT with a wrong CRC.
    public enum BadSelect: String, QuirkValue {
        /// It ends the selection.
        case ignore
        case accept
    }

    public enum ReservedBits: String, QuirkValue {
        /// The bits keep what is written.
        case stored
        case zero
    }

    /// The value that a byte without storage reads as.
    public enum LockPageByte: String, QuirkValue {
        /// BD, regardless of writes.
        case fixed = "BD"
        case stored
    }
}

extension NTAGProduct {
    /// The known facts about the IC, line by line, with sources.
    public var catalogue: [CatalogueLine] { memoryLines + deliveryLines + protocolLines }

    private static let dataSheet = "NTAG213/215/216 data sheet rev. 3.2"
    private static let dumps = "dump of a genuine blank NTAG216 published by the Proxmark3 project"

    private var memoryLines: [CatalogueLine] {
        let layout = layout
        return [
            certain("pages", "\(layout.pageCount), \(layout.byteCount) bytes", "memory organization"),
            certain("user memory", range(NTAGLayout.firstUserPage, layout.lastUserPage), "memory organization"),
            certain("dynamic lock page", page(layout.dynamicLockPage), "dynamic lock bytes"),
            certain("CFG0, CFG1", range(layout.cfg0Page, layout.cfg1Page), "configuration pages"),
            certain("PWD, PACK", range(layout.passwordPage, layout.packPage), "configuration pages"),
            certain("pages per dynamic lock bit", "\(layout.pagesPerLockBit)", "dynamic lock bytes"),
            certain(
                "dynamic lock bits", "\(layout.dynamicLockBitCount) and \(layout.blockLockBitCount) block-lock bits",
                "dynamic lock bytes"),
        ]
    }

    private var deliveryLines: [CatalogueLine] {
        [
            certain("capability container", "\(deliveredCapabilityContainer)", "memory content at delivery"),
            certain(
                "first user pages", deliveredUserPages.map(\.description).joined(separator: " "),
                "memory content at delivery"),
            certain("PWD, PACK at delivery", "FFFFFFFF, 0000", "configuration pages"),
            measured("internal byte of page 02", Hex.digits(NTAGDefinition.internalByte, width: 2)),
            measured("dynamic lock page at delivery", "\(NTAGDefinition.deliveredDynamicLocks)"),
            measured("CFG0, CFG1 at delivery", "\(NTAGConfiguration.delivered)"),
        ]
    }

    private var protocolLines: [CatalogueLine] {
        [
            certain("ATQA", "\(ATQA.ntag21x)", "ATQA and SAK responses"),
            certain("SAK", "\(SAK.uidNotComplete), then \(SAK.complete)", "ATQA and SAK responses"),
            certain("GET_VERSION", Hex.text(version.bytes), "GET_VERSION"),
            CatalogueLine(
                title: "programming time of a page",
                fact: .known(
                    "\(NTAGCard.programmingTime.components.attoseconds / 1_000_000_000_000_000) ms", .inferred,
                    source: "NTAG203 data sheet rev. 3.0, duration of WRITE, assumed for this family")),
            CatalogueLine(
                title: "originality signature",
                fact: .unknown("made with NXP's private key; only a recorded pair of UID and signature verifies")),
        ]
    }

    private func certain(_ title: String, _ text: String, _ section: String) -> CatalogueLine {
        CatalogueLine(
            title: title, fact: .known(text, .certain, source: "\(Self.dataSheet), \(section)"))
    }

    private func measured(_ title: String, _ text: String) -> CatalogueLine {
        CatalogueLine(title: title, fact: .known(text, .measured, source: Self.dumps))
    }

    private func page(_ page: Int) -> String { Hex.digits(page, width: 2) }

    private func range(_ first: Int, _ last: Int) -> String { "\(page(first))–\(page(last))" }
}
