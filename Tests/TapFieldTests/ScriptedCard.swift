import TapCards
import TapField
import TapWire

/// A card that gives the same answer to every frame, for tests of the surrounding field.
struct ScriptedCard: CardEngine {
    var technology: Technology = .typeA106
    var answer: [UInt8] = []
    var bitCount: Int?
    var after: Duration = .microseconds(100)
    var slot: UInt8?
    /// The number of frames received since power-on.
    var heard = 0
    var isPowered = false

    func hears(_ technology: Technology) -> Bool { technology == self.technology }

    mutating func fieldRose() {
        isPowered = true
        heard = 0
    }

    mutating func fieldFell() {
        isPowered = false
    }

    mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        heard += 1
        guard !answer.isEmpty else { return .silence }
        buffer.removeAll()
        buffer.append(answer)
        if let bits = self.bitCount { buffer.trim(toBits: bits) }
        return slot.map { .slot($0, after: after) } ?? .frame(after: after)
    }

    var stateName: String { isPowered ? "heard \(heard)" : "OFF" }

    func hasSameMemory(as other: ScriptedCard) -> Bool { answer == other.answer }

    func longestDelay(answering command: Span<UInt8>) -> Duration { .milliseconds(5) }

    func cells(writtenBy command: Span<UInt8>) -> [Range<Int>] { [] }

    subscript(cell cell: Int) -> UInt8 {
        get { answer.indices.contains(cell) ? answer[cell] : 0 }
        set { if answer.indices.contains(cell) { answer[cell] = newValue } }
    }

    func withAnotherIdentifier() -> ScriptedCard { self }
}

extension World {
    /// A world with a trace and cards in the field.
    init(_ cards: [(name: String, card: ScriptedCard)], timeline: [Timeline.Step] = []) {
        self.init(seed: 1, timeline: Timeline(timeline), trace: Trace())
        for (name, card) in cards {
            add(card, named: name)
            if timeline.isEmpty { tap(name) }
        }
    }
}

extension Timeline.Step {
    /// A step that never happens, so that no card is in the field at first.
    static let never = Timeline.Step(.at(.seconds(86_400)), [.note("never")])
}

/// Any type A frame of whole bytes.
let anyFrame = RFFrame(.typeA106, [0x30, 0x00])
