import TapCards
import TapWire
import TestSupport
import Testing

/// A reader that sends valid and invalid frames to one tag after another and checks rules that no frame may break.
struct NTAGNoise {
    /// The number of frames sent to each tag.
    static let framesPerTag = 250
    /// IDLE and HALT, and the four states reached from each of them.
    static let stateCount = 10

    private var random: TestRandom
    private var card = NTAGCard(SampleTags.t0())
    private var fresh = NTAGCard(SampleTags.t0())
    private var context = CardContext(random: SeededGenerator(seed: 0))
    /// The first problem, with its frame.
    private(set) var complaint: String?
    /// The states in which frames were received.
    private(set) var states: Set<String> = []

    init(_ name: String) {
        random = TestRandom(name)
    }

    /// Sends frames until a problem occurs.
    mutating func run(frames: Int) {
        var buffer = FrameBuffer()
        for index in 0..<frames where complaint == nil {
            if index % Self.framesPerTag == 0 { takeNextTag() }
            if random.oneIn(200) { cycle() }
            if random.oneIn(100) { context.isMemoryFailing.toggle() }
            let before = card
            let frame = nextFrame()
            let slice = frame.bytes[...]
            let reply = card.answer(
                slice.span, bitCount: frame.bitCount, integrity: frame.integrity, context: &context, into: &buffer)
            states.insert(before.stateName)
            if let problem = problem(reply, bits: buffer.bitCount, before: before) {
                complaint =
                    "\(problem): \(Hex.text(frame.bytes)):\(frame.bitCount) \(frame.integrity) in \(before.stateName)"
            }
        }
    }

    private mutating func cycle() {
        card.fieldFell()
        card.fieldRose()
    }

    // MARK: Tags

    private mutating func takeNextTag() {
        var definition = SampleTags.t0(random.pick(NTAGProduct.allCases))
        definition.configuration.cfg0 = PageData(
            random.byte(), 0, random.byte(), random.pick([0, 3, 4, 0x10, 0x83, 0xFF]))
        definition.configuration.access = NTAGAccess(rawValue: random.byte() & random.byte())
        definition.password = PageData(1 + random.byte() / 2, 2, 3, 4)
        definition.pack = 0xFFFF
        definition.counter = random.pick([0, 0x3F30, 0xFF_FFFE])
        for row in NTAGQuirks.switches where random.oneIn(4) {
            let value = random.pick(row.listedValues)
            if (try? definition.quirks.set(row.name, to: value)) == nil { complaint = "\(row.name) cannot be \(value)" }
        }
        card = NTAGCard(definition)
        card.fieldRose()
        fresh = card
    }

    // MARK: Frames

    private mutating func nextFrame() -> RFFrame {
        // First visits every state, so that none is left to chance.
        let isLed = states.count < Self.stateCount
        if !isLed, random.oneIn(10) { return noise() }
        var bytes = isLed ? nextState() : random.oneIn(3) ? stepForward() : command()
        if !isLed, random.oneIn(5) { mutate(&bytes) }
        if bytes == [0x26] || bytes == [0x52] { return RFFrame(.typeA106, bytes, bitCount: 7) }
        let integrity: FrameIntegrity = random.oneIn(25) ? random.pick([.badCRC, .badParity]) : .good
        return RFFrame(.typeA106, bytes, integrity: integrity)
    }

    private mutating func noise() -> RFFrame {
        let bytes = random.bytes(random.number(below: random.oneIn(50) ? 2_000 : 24))
        let bits = random.oneIn(2) ? bytes.count * 8 : random.number(below: bytes.count * 8 + 1)
        return RFFrame(.typeA106, bytes, bitCount: bits, integrity: random.pick([.good, .good, .badCRC, .badParity]))
    }

    /// The frame that leads to the next state of a walk through all states.
    private mutating func nextState() -> [UInt8] {
        if card.stateName.hasPrefix("ACTIVE") { return rightPassword() }
        return card.stateName.hasPrefix("AUTHENTICATED") ? HLTA.Request().bytes : stepForward()
    }

    /// The frame that leads to the next state.
    private mutating func stepForward() -> [UInt8] {
        let name = card.stateName
        if name.hasPrefix("READY1") { return Select.Request(.first, card.uid.cascadeParts[0]).bytes }
        if name.hasPrefix("READY2") { return Select.Request(.second, card.uid.cascadeParts[1]).bytes }
        if name.hasPrefix("A") { return random.oneIn(3) ? HLTA.Request().bytes : rightPassword() }
        return [random.pick([0x26, 0x52, 0x52])]
    }

    private func rightPassword() -> [UInt8] {
        PasswordAuthentication.Request(password: card[page: card.template.definition.product.layout.passwordPage]).bytes
    }

    private mutating func command() -> [UInt8] {
        let layout = card.template.definition.product.layout
        let page = UInt8(
            random.pick([0, 2, 3, 4, layout.dynamicLockPage, layout.cfg0Page, random.number(below: layout.pageCount)]))
        switch random.number(below: 12) {
        case 0: return GetVersion.Request().bytes
        case 1, 2: return ReadPages.Request(page: page).bytes
        case 3: return FastRead.Request(first: page, last: random.byte()).bytes
        case 4, 5: return WritePage.Request(page: page, data: PageData(random.bytes(4))).bytes
        case 6: return CompatibilityWrite.Request(page: page).bytes
        case 7: return CompatibilityWrite.Data(PageData(random.bytes(4))).bytes
        case 8: return ReadCounter.Request().bytes
        case 9: return ReadSignature.Request().bytes
        case 10: return [0x3E, 0x02]
        default: return Anticollision.Request(random.pick([.first, .second])).bytes
        }
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        switch random.number(below: 3) {
        case 0: bytes[random.number(below: bytes.count)] = random.byte()
        case 1: bytes.removeLast(1 + random.number(below: bytes.count))
        default: bytes += random.bytes(1 + random.number(below: 4))
        }
    }

    // MARK: What no frame may do

    private mutating func problem(_ reply: CardReply, bits: Int, before: NTAGCard) -> String? {
        let states = ["IDLE", "READY1", "READY2", "ACTIVE", "AUTHENTICATED", "HALT"]
        let phase = card.stateName.filter { $0 != "*" }
        if !states.contains(phase) { return "the state \(card.stateName) is unknown" }
        if !isLegal(reply, bits: bits, in: before.stateName) { return "an answer of \(bits) bits" }
        if card[page: 0] != fresh[page: 0] || card[page: 1] != fresh[page: 1] { return "the UID has changed" }
        let (old, new) = (before[page: 2], card[page: 2])
        if old[0] != new[0] || old[1] != new[1] { return "the first half of page 02 has changed" }
        if before.staticLocks.rawValue & ~card.staticLocks.rawValue != 0 { return "a static lock bit is cleared" }
        let (oldLocks, newLocks) = (before.dynamicLocks, card.dynamicLocks)
        let cleared = oldLocks.groups & ~newLocks.groups | UInt16(oldLocks.blockLocks & ~newLocks.blockLocks)
        if cleared != 0 { return "a dynamic lock bit is cleared" }
        if before[page: 3].simd | card[page: 3].simd != card[page: 3].simd { return "the CC has lost a bit" }
        if card.counter < before.counter || card.counter > before.counter + 1 { return "the counter jumps" }
        if context.isMemoryFailing, !card.hasSameMemory(as: before) { return "a failing memory has changed" }
        return random.oneIn(50) && showsSecrets() ? "PWD or PACK can be read" : nil
    }

    private func isLegal(_ reply: CardReply, bits: Int, in state: String) -> Bool {
        switch reply {
        case .silence: return true
        case .slot: return false
        case .frame(let delay):
            guard delay >= FrameDelay.afterZero, delay <= FrameDelay.afterOne + NTAGCard.programmingTime else {
                return false
            }
            if state == "IDLE" || state == "HALT" { return bits == 16 }
            if state.hasPrefix("READY") { return 1...40 ~= bits || bits == 128 }
            return [4, 8, 16, 24].contains(bits) || bits % 32 == 0 && 32...924 * 8 ~= bits
        }
    }

    /// Reads the pages of PWD and PACK in a new session with the password.
    private func showsSecrets() -> Bool {
        var session = NTAGSession(card.definition)
        let layout = card.template.definition.product.layout
        session.select()
        session.authenticate()
        let answer = session.send(Hex.text(ReadPages.Request(page: UInt8(layout.passwordPage)).bytes))
        return answer.count > 4 && !answer.hasPrefix("00 00 00 00 00 00 00 00 ")
    }
}

@Suite struct `NTAG21x under random frames` {
    @Test(arguments: 0..<8)
    func `never break the rules`(shard: Int) {
        var noise = NTAGNoise("noise \(shard)")
        noise.run(frames: TestScale.count(65_000))
        #expect(noise.complaint == nil, "seed \(TestSeed.value), shard \(shard)")
        #expect(noise.states.count == NTAGNoise.stateCount, "seed \(TestSeed.value): only \(noise.states)")
    }
}
