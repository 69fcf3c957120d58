import TapWire

/// Selection, from IDLE or HALT to ACTIVE.
///
/// Sources: ISO/IEC 14443-3, type A; NTAG213/215/216 data sheet rev. 3.2, "communication overview".
extension NTAGCard {
    /// Answers REQA and WUPA in IDLE, and WUPA in HALT.
    mutating func wake(
        _ frame: Span<UInt8>, _ heard: ReceivedFrame, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        if case .short(let call) = heard, disguise?.hears(call, random: &context.random) == false { return .silence }
        let isAwake =
            switch heard {
            case .short(.reqa): state.take(.reqa)
            case .short(.wupa): state.take(.wupa)
            default: false
            }
        guard isAwake else { return .silence }
        latch(.selection)
        ATQA(uidLevels: lastLevel).write(into: &buffer)
        return .activation(after: frame, bitCount: TypeAFraming.shortFrameBits)
    }

    /// Answers anticollision, SELECT and READ of page 0 in READY1 and READY2.
    mutating func select(
        _ frame: Span<UInt8>, bitCount: Int, _ heard: ReceivedFrame, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        switch heard {
        case .anticollision:
            return sendRestOfUID(frame, bitCount: bitCount, into: &buffer)
        case .standard:
            if case .read(let request)? = NTAGCommand(frame), request.page == 0 {
                return bypass(context: &context, into: &buffer)
            }
            return acknowledgeSelection(frame, bitCount: bitCount, into: &buffer)
        case .damaged(.badCRC) where quirks.selectBadCrc == .accept:
            return acknowledgeSelection(frame, bitCount: bitCount, into: &buffer)
        default:
            return fallBack()
        }
    }

    private mutating func sendRestOfUID(
        _ frame: Span<UInt8>, bitCount: Int, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard let request = try? Anticollision.Request(parsing: frame), let part = part(request.level),
            request.matches(part)
        else { return fallBack() }
        guard state.take(.anticollision(request.level)) else { return .silence }
        request.writeAnswer(of: part, into: &buffer)
        return .activation(after: frame, bitCount: bitCount)
    }

    private mutating func acknowledgeSelection(
        _ frame: Span<UInt8>, bitCount: Int, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard let request = try? Select.Request(parsing: frame), part(request.level) == request.part else {
            return fallBack()
        }
        let isLast = request.level == lastLevel
        guard state.take(.select(request.level, isLast: isLast)) else { return .silence }
        let sak = isLast ? SAK.complete : .uidNotComplete
        sak.write(into: &buffer)
        return .activation(after: frame, bitCount: bitCount)
    }

    /// Performs READ of page 0, which ends the selection early; if refused, it is an error like any other frame.
    private mutating func bypass(context: inout CardContext, into buffer: inout FrameBuffer) -> CardReply {
        guard quirks.readyReadZeroBypass else { return fallBack() }
        guard readablePageCount > 0 else {
            context.reliance.rely(on: .readyReadZeroProtected)
            return quirks.readyReadZeroProtected == .nak0 ? refuse(into: &buffer) : fallBack()
        }
        guard state.take(.readPageZero) else { return fallBack() }
        return read(0, context: &context, into: &buffer)
    }

    /// The last cascade level of the UID that the tag reports.
    private var lastLevel: CascadeLevel { disguise?.lastLevel ?? .second }

    private func part(_ level: CascadeLevel) -> CascadePart? {
        if let disguise, disguise.lastLevel != nil { return disguise.part(level) }
        return switch level {
        case .first: template.firstPart
        case .second: template.secondPart
        case .third: nil
        }
    }
}

extension ATQA {
    /// The ATQA of an NTAG21x whose UID ends in a cascade level.
    fileprivate init(uidLevels last: CascadeLevel) {
        switch last {
        case .first: self = ATQA(0x0004)
        case .second: self = .ntag21x
        case .third: self = ATQA(0x0084)
        }
    }
}

/// The protocol state of an NTAG21x, and all its transitions.
///
/// ```
/// OFF    field on       → IDLE
/// IDLE   REQA, WUPA     → READY1      HALT   WUPA → READY1*
/// READY1 own SELECT     → READY2      READY2 own SELECT → ACTIVE      READY1, READY2 READ of page 0 → ACTIVE
/// ACTIVE right PWD_AUTH → AUTHENTICATED
/// ACTIVE, AUTHENTICATED HLTA → HALT
/// any error             → IDLE, or HALT from the states marked *
/// any    field off      → OFF
/// ```
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "communication overview"; NTAG203 data sheet rev. 3.0 for READ of
/// page 0 in READY1 and READY2.
struct NTAGState: Hashable, Sendable {
    /// A state, without the mark that tells whether it came from HALT.
    enum Phase: Hashable, Sendable {
        case off
        case idle
        /// ATQA sent, first cascade level open.
        case ready1
        /// First cascade level selected, second open.
        case ready2
        /// Second cascade level selected, third open: only for a tag disguised with a longer UID.
        case ready3
        case active
        case authenticated
        /// Parked until WUPA.
        case halt

        /// The phases of a powered tag without a disguise.
        static let ofTags: [Phase] = [.idle, .ready1, .ready2, .active, .authenticated, .halt]
    }

    /// An event at a powered tag.
    ///
    /// A UID other than the tag's own is an error, as is any frame that is not listed.
    enum Event: Hashable, Sendable {
        case reqa
        case wupa
        /// ANTICOLLISION with bits of the tag's own UID.
        case anticollision(CascadeLevel)
        /// SELECT with the tag's own UID, which is complete at the last level.
        case select(CascadeLevel, isLast: Bool)
        case readPageZero
        case command
        case authentication
        case halt
        case error
    }

    private(set) var phase = Phase.off
    /// A Boolean value that indicates whether the selection began in HALT, so that errors return there.
    private(set) var wokenFromHalt = false

    /// A Boolean value that indicates whether a call was answered but the selection is not complete.
    var isBeingSelected: Bool { phase == .ready1 || phase == .ready2 || phase == .ready3 }

    mutating func fieldRose() { move(to: .idle) }

    mutating func fieldFell() { move(to: .off) }

    /// Loses only the authentication, which no real tag should do.
    mutating func forgetAuthentication() {
        if phase == .authenticated { phase = .active }
    }

    /// Applies an event; if it is not allowed in this state, the tag falls back and stays silent, and the result is `false`.
    @discardableResult
    @inline(always)
    mutating func take(_ event: Event) -> Bool {
        switch (phase, event) {
        case (.idle, .reqa), (.idle, .wupa):
            phase = .ready1
        case (.halt, .wupa):
            phase = .ready1
            wokenFromHalt = true
        case (.off, _), (.idle, _), (.halt, _):
            return false
        case (.ready1, .anticollision(.first)), (.ready2, .anticollision(.second)),
            (.ready3, .anticollision(.third)):
            break
        case (.ready1, .select(.first, isLast: false)):
            phase = .ready2
        case (.ready2, .select(.second, isLast: false)):
            phase = .ready3
        case (.ready1, .select(.first, isLast: true)), (.ready2, .select(.second, isLast: true)),
            (.ready3, .select(.third, isLast: true)), (.ready1, .readPageZero), (.ready2, .readPageZero):
            phase = .active
        case (.active, .command), (.authenticated, .command):
            break
        case (.active, .authentication), (.authenticated, .authentication):
            phase = .authenticated
        case (.active, .halt), (.authenticated, .halt):
            move(to: .halt)
        default:
            move(to: wokenFromHalt ? .halt : .idle)
            return false
        }
        return true
    }

    /// Enters a state outside selection, where the origin of the last selection no longer matters.
    private mutating func move(to phase: Phase) {
        self.phase = phase
        wokenFromHalt = false
    }

    /// The state as named in the data sheet, with `*` if errors return to HALT.
    var name: String {
        switch phase {
        case .off: "OFF"
        case .idle: "IDLE"
        case .ready1: wokenFromHalt ? "READY1*" : "READY1"
        case .ready2: wokenFromHalt ? "READY2*" : "READY2"
        case .ready3: wokenFromHalt ? "READY3*" : "READY3"
        case .active: wokenFromHalt ? "ACTIVE*" : "ACTIVE"
        case .authenticated: wokenFromHalt ? "AUTHENTICATED*" : "AUTHENTICATED"
        case .halt: "HALT"
        }
    }

    /// The name of a phase that did not come from HALT.
    static func name(of phase: Phase) -> String {
        var state = NTAGState()
        state.phase = phase
        return state.name
    }
}

/// A disguise in separate memory, so that a card without one, as nearly all are, stays small.
enum RareDisguise: Hashable {
    case none
    indirect case some(NTAGDisguise)
}

/// The values a tag reports in selection instead of those of genuine silicon with its memory; kept through power-off.
public struct NTAGDisguise: Hashable, Sendable {
    public enum Identity: Hashable, Sendable {
        /// The UID in its memory.
        case own
        /// A different UID of four, seven or ten bytes.
        case other(UID)
        /// Four bytes, drawn anew whenever a call is answered.
        case random
    }

    public enum Calls: String, Hashable, Sendable, CaseIterable {
        /// REQA and WUPA, as in the standard.
        case all
        case everySecond = "every_second"
        case wupaOnly = "wupa_only"
    }

    /// The first byte of a random UID.
    ///
    /// Source: ISO/IEC 14443-3, type A, "UID contents and cascade levels".
    static let randomUIDTag: UInt8 = 0x08

    public let identity: Identity
    public let calls: Calls
    private var parts: (first: CascadePart?, second: CascadePart?, third: CascadePart?) = (nil, nil, nil)
    private var hasMissedCall = false

    public init(_ identity: Identity = .own, calls: Calls = .all) {
        self.identity = identity
        self.calls = calls
        guard case .other(let uid) = identity else { return }
        let all = uid.cascadeParts
        parts = (all.first, all.dropFirst().first, all.dropFirst(2).first)
    }

    /// Returns whether the tag hears a call; a tag with a random UID draws it now.
    mutating func hears(_ call: ShortFrame, random: inout SeededGenerator) -> Bool {
        switch calls {
        case .all: break
        case .everySecond:
            hasMissedCall.toggle()
            if hasMissedCall { return false }
        case .wupaOnly:
            guard call == .wupa else { return false }
        }
        if identity == .random {
            let bits = UInt32(truncatingIfNeeded: random.next()) & ~0xFF | UInt32(Self.randomUIDTag)
            parts.first = CascadePart(data: bits)
        }
        return true
    }

    /// The part of the UID that the tag reports in a cascade level, or `nil` if it reports its own.
    func part(_ level: CascadeLevel) -> CascadePart? {
        switch level {
        case .first: parts.first
        case .second: parts.second
        case .third: parts.third
        }
    }

    /// The last cascade level, or `nil` if the tag reports its own UID.
    var lastLevel: CascadeLevel? {
        if parts.third != nil { return .third }
        if parts.second != nil { return .second }
        return parts.first == nil ? nil : .first
    }

    public static func == (left: NTAGDisguise, right: NTAGDisguise) -> Bool {
        left.identity == right.identity && left.calls == right.calls && left.parts == right.parts
            && left.hasMissedCall == right.hasMissedCall
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(calls)
    }
}
