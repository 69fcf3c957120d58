import TapWire

extension NTAGQuirks {
    /// When something written takes effect; what does so at one moment does so at every later one too.
    public enum LatchMoment: String, QuirkValue {
        /// With the write itself.
        case immediate
        /// When REQA or WUPA is answered.
        case selection
        /// When power returns.
        case powerOn

        /// Whether an item of this moment is taken over at `moment`.
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

    /// What follows an error; either way the selection ends.
    public enum ErrorAnswer: String, QuirkValue {
        case nak0
        case silent
    }

    /// What follows a wrong CRC or wrong parity.
    public enum BadCRCAnswer: String, QuirkValue {
        /// NAK 1.
        case nak1
        case nak0
        case silent
        /// The command is carried out as if the CRC were right; wrong parity gets NAK 1.
        case ignored
    }

    /// What is shown of a mirror that does not fit.
    public enum MirrorFit: String, QuirkValue {
        /// The parts that fit, as genuine silicon does.
        case genuine
        case none
    }

    /// When the counter ticks.
    public enum CounterTickOrder: String, QuirkValue {
        /// Before the answer is built, which then shows the new value.
        case before
        /// After the answer is built.
        case after
    }

    /// Which byte of a number goes first.
    public enum ByteOrder: String, QuirkValue {
        /// The low one.
        case lsbFirst
        /// The high one.
        case msbFirst
    }

    /// What READ_CNT gives while the counter is off.
    public enum DisabledCounterAnswer: String, QuirkValue {
        case nak0
        /// The value all the same.
        case answer
    }

    /// The NAK to a PWD_AUTH.
    public enum PasswordNAK: String, QuirkValue {
        case nak0
        /// NAK 4.
        case nak4

        /// The NAK as it is sent.
        var acknowledgement: Acknowledgement { self == .nak0 ? .invalidArgument : .authenticationLimit }
    }

    /// Most pages of one answer.
    public enum FastReadLimit: String, QuirkValue {
        /// As many as the tag has.
        case unlimited
        /// 64 pages.
        case pages64 = "64"
        /// 62 pages.
        case pages62 = "62"
        /// 67 pages.
        case pages67 = "67"

        /// The number of pages.
        var pageCount: Int {
            switch self {
            case .unlimited: .max
            case .pages64: 64
            case .pages62: 62
            case .pages67: 67
            }
        }
    }

    /// What CHECK_TEARING_EVENT gives.
    public enum TearingCheck: String, QuirkValue {
        /// What an unknown opcode gives.
        case unsupported
        /// BD, the byte of a counter that was not torn.
        case answerBD
    }

    /// What becomes of a wrong address byte.
    public enum AddressCheck: String, QuirkValue {
        /// It is refused.
        case strict
        /// It is not looked at.
        case ignored
    }

    /// Where a COMP_WRITE to pages 00 and 01 is refused.
    public enum CompatibilityRefusal: String, QuirkValue {
        /// In the first step.
        case nakPart1
        /// In the second step.
        case ackPart1NakPart2
    }

    /// What a SELECT with a wrong CRC does.
    public enum BadSelect: String, QuirkValue {
        /// It ends the selection.
        case ignore
        /// It selects.
        case accept
    }

    /// What becomes of reserved bits.
    public enum ReservedBits: String, QuirkValue {
        /// They keep what is written.
        case stored
        /// They stay zero.
        case zero
    }

    /// What a byte without storage of its own reads.
    public enum LockPageByte: String, QuirkValue {
        /// BD, whatever is written.
        case fixed = "BD"
        /// What was written.
        case stored
    }
}
