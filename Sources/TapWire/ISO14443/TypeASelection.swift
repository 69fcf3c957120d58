/// The selection of a type A card, level by level: it provides the reader's next frame and evaluates the answers.
///
/// A previously selected card treats the first REQA or WUPA as the end of that selection and answers only the second, so the
/// call is repeated if there is no answer. Collisions between cards in ATQA are resolved later; any other damaged answer
/// counts as none. Source: ISO/IEC 14443-3, type A, "initialization and anticollision".
public struct TypeASelection: Sendable {
    public enum Step: Hashable, Sendable {
        /// The reader sends a frame and passes the answer to ``receive(_:)``.
        case send(RFFrame)
        case selected(TypeATag)
        /// No card was selected.
        case failed
    }

    private enum Sent {
        case call(isRepeated: Bool)
        case anticollision
        case select(CascadePart)
    }

    public private(set) var step: Step
    private let call: RFFrame
    /// The UID to select; `nil` selects any card.
    private let uid: UID?
    private var sent = Sent.call(isRepeated: false)
    private var atqa = ATQA(0)
    private var parts: [CascadePart] = []

    /// Starts to select any card.
    ///
    /// - Parameter call: REQA, or WUPA to include halted cards.
    public init(_ call: ShortFrame) {
        self.init(call, nil)
    }

    /// Starts to select only the card with `uid`, woken by WUPA; no anticollision takes place.
    public init(_ uid: UID) {
        self.init(.wupa, uid)
    }

    private init(_ call: ShortFrame, _ uid: UID?) {
        self.call = RFFrame(.typeA106, call.bytes, bitCount: TypeAFraming.shortFrameBits)
        self.uid = uid
        step = .send(self.call)
    }

    /// Processes the answer to the frame of the current step; `nil` means no answer.
    public mutating func receive(_ answer: RFFrame?) {
        switch sent {
        case .call(isRepeated: false) where answer == nil: sent = .call(isRepeated: true)
        case .call:
            guard let answer, let atqa = ATQA(receivedAs: answer) else { return step = .failed }
            self.atqa = atqa
            open(.first)
        case .anticollision:
            guard let answer, answer.integrity == .good, let level,
                let part = Anticollision.Request(level).part(completedBy: answer)
            else { return step = .failed }
            select(level, part)
        case .select(let part):
            guard let sak = answer.flatMap(SAK.init(receivedAs:)) else { return step = .failed }
            parts.append(part)
            if sak.isUIDComplete {
                guard let uid = uid ?? (try? UID(cascadeParts: parts)) else { return step = .failed }
                step = .selected(TypeATag(atqa: atqa, sak: sak, uid: uid))
            } else {
                open(level)
            }
        }
    }

    /// The level being selected; `nil` after the last.
    private var level: CascadeLevel? { CascadeLevel.allCases.dropFirst(parts.count).first }

    private mutating func open(_ level: CascadeLevel?) {
        guard let level else { return step = .failed }
        guard let uid else {
            let request = Anticollision.Request(level)
            sent = .anticollision
            return step = .send(RFFrame(.typeA106, request.bytes, bitCount: request.bitCount))
        }
        guard let part = uid.cascadeParts.dropFirst(parts.count).first else { return step = .failed }
        select(level, part)
    }

    private mutating func select(_ level: CascadeLevel, _ part: CascadePart) {
        sent = .select(part)
        step = .send(RFFrame(.typeA106, Select.Request(level, part).bytes))
    }
}

extension ATQA {
    /// Reads an answer to REQA or WUPA as a reader does: collisions are resolved later, but wrong parity counts as no answer.
    package init?(receivedAs answer: RFFrame) {
        guard answer.integrity != .badParity, let atqa = try? ATQA(parsing: answer.bytes) else { return nil }
        self = atqa
    }
}

extension SAK {
    /// Reads an answer to SELECT as a reader does: a wrong CRC or wrong parity counts as no answer.
    package init?(receivedAs answer: RFFrame) {
        guard answer.integrity == .good, let sak = try? SAK(parsing: answer.bytes) else { return nil }
        self = sak
    }
}
