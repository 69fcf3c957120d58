import TapWire

/// Where sources on the NTAG21x disagree, or where clones and emulators differ from genuine silicon.
///
/// The defaults are what genuine silicon is believed to do. Other version bytes, another signature and another first
/// UID byte, by which clones differ as well, are content of a ``NTAGDefinition``, not switches.
public struct NTAGQuirks: QuirkSet {
    /// What follows an unknown opcode.
    public var unknownOpcode = ErrorAnswer.nak0
    /// What follows a frame of fewer than three bytes.
    public var tooShortFrame = ErrorAnswer.silent
    /// What follows a wrong CRC or wrong parity.
    public var badCrc = BadCRCAnswer.nak1
    /// Whether the tag stays selected after a NAK.
    public var stayActiveAfterNak = false
    /// When AUTH0 and the access bits without CFGLCK are taken over.
    public var accessLatch = LatchMoment.selection
    /// When CFGLCK is taken over.
    public var cfglckLatch = LatchMoment.powerOn
    /// When lock bits act.
    public var lockLatch = LatchMoment.immediate
    /// What of a mirror is shown that fits only in part.
    public var mirrorPartialFit = MirrorFit.genuine
    /// What lets the NFC counter tick again.
    public var counterTick = LatchMoment.powerOn
    /// Whether the answer that ticks shows the new value.
    public var counterTickOrder = CounterTickOrder.before
    /// Byte order of READ_CNT.
    public var counterReadOrder = ByteOrder.lsbFirst
    /// What READ_CNT gives while the counter is off.
    public var readCntWhenDisabled = DisabledCounterAnswer.nak0
    /// The NAK once AUTHLIM is reached.
    public var authLimitNak = PasswordNAK.nak4
    /// The NAK after a wrong password.
    public var wrongPasswordNak = PasswordNAK.nak0
    /// Whether wrong passwords count while AUTHLIM is 0.
    public var countFailuresWhenUnlimited = true
    /// Most pages of a FAST_READ whose answer still arrives.
    public var fastReadMaxPages = FastReadLimit.unlimited
    /// Whether CHECK_TEARING_EVENT is known.
    public var checkTearing = TearingCheck.unsupported
    /// Whether READ_SIG looks at its second byte.
    public var readSigAddress = AddressCheck.strict
    /// Where COMP_WRITE refuses pages 00 and 01.
    public var compWritePage01 = CompatibilityRefusal.nakPart1
    /// What a SELECT with a wrong CRC does.
    public var selectBadCrc = BadSelect.ignore
    /// Whether READ of page 0 ends the selection early.
    public var readyReadZeroBypass = true
    /// Whether L8 and L9 belong to the wrong block-lock bit.
    public var bl94MissesL8L9 = false
    /// What becomes of reserved dynamic lock bits.
    public var rfuiLockBits = ReservedBits.stored
    /// What the fourth byte of the dynamic lock page reads.
    public var dynamicLockByte3 = LockPageByte.fixed

    public init() {}
}
