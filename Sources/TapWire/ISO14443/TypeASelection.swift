/// The selection of a type A card, level by level: what a reader sends next, and what the answers tell.
///
/// A card that was selected before takes the first call as the end of that selection and answers only a second, so the
/// call is sent again after silence. Cards that collide in their ATQA are told apart later; anything else that is
/// damaged is no answer.
/// Source: ISO/IEC 14443-3, type A, "initialization and anticollision".
public struct TypeASelection: Sendable {
    public enum Step: Hashable, Sendable {
        /// The reader sends a frame and tells the answer by ``receive(_:)``.
        case send(AirFrame)
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
    private let call: AirFrame
    /// The UID to select; `nil` for that of any card.
    private let uid: UID?
    private var sent = Sent.call(isRepeated: false)
    private var atqa = ATQA(0)
    private var parts: [CascadePart] = []

    /// Begins to select any card.
    ///
    /// - Parameter call: REQA, or WUPA for halted cards too.
    public init(_ call: ShortFrame) {
        self.init(call, nil)
    }

    /// Begins to select the card with a UID and no other, woken by WUPA; no card is asked for its UID.
    public init(_ uid: UID) {
        self.init(.wupa, uid)
    }

    private init(_ call: ShortFrame, _ uid: UID?) {
        self.call = AirFrame(.typeA106, call.bytes, bitCount: TypeAFraming.shortFrameBits)
        self.uid = uid
        step = .send(self.call)
    }

    /// Takes the answer to the frame of the step; `nil` for silence.
    public mutating func receive(_ answer: AirFrame?) {
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

    /// The level that is open; `nil` when all are selected.
    private var level: CascadeLevel? { CascadeLevel.allCases.dropFirst(parts.count).first }

    private mutating func open(_ level: CascadeLevel?) {
        guard let level else { return step = .failed }
        guard let uid else {
            let request = Anticollision.Request(level)
            sent = .anticollision
            return step = .send(AirFrame(.typeA106, request.bytes, bitCount: request.bitCount))
        }
        guard let part = uid.cascadeParts.dropFirst(parts.count).first else { return step = .failed }
        select(level, part)
    }

    private mutating func select(_ level: CascadeLevel, _ part: CascadePart) {
        sent = .select(part)
        step = .send(AirFrame(.typeA106, Select.Request(level, part).bytes))
    }
}

extension ATQA {
    /// What a reader makes of an answer to REQA or WUPA: cards that collide in it are told apart later, but wrong
    /// parity is no answer.
    package init?(receivedAs answer: AirFrame) {
        guard answer.integrity != .badParity, let atqa = try? ATQA(parsing: answer.bytes) else { return nil }
        self = atqa
    }
}

extension SAK {
    /// What a reader makes of an answer to SELECT: with a wrong CRC or wrong parity it is none.
    package init?(receivedAs answer: AirFrame) {
        guard answer.integrity == .good, let sak = try? SAK(parsing: answer.bytes) else { return nil }
        self = sak
    }
}
