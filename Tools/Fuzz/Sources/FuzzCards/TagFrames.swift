import FuzzSupport

@testable import TapCards
@testable import TapWire

/// The frames sent to an NTAG: selections, its commands with all kinds of addresses, and frames of any bits.
enum TagFrames: CardFrames {
    static func step(_ bench: inout Bench<NTAGCard>, _ choices: inout Choices) {
        let kind = choices.byte()
        switch kind % 16 {
        case 0, 1: select(&bench, wakeUp: kind & 0x10 == 0)
        case 2, 3: send(&bench, 0x30, choices.byte())
        case 4: send(&bench, 0x3A, choices.byte(), choices.byte())
        case 5, 6: send(&bench, 0xA2, choices.byte(), choices.byte(), choices.byte(), choices.byte(), choices.byte())
        case 7:
            send(&bench, 0xA0, choices.byte())
            bench.frame.removeAll(keepingCapacity: true)
            choices.append(16, to: &bench.frame)
            bench.send()
        case 8: authenticate(&bench, isRight: kind & 0x10 == 0, choices.byte())
        case 9: send(&bench, 0x60)
        case 10: send(&bench, kind & 0x10 == 0 ? 0x39 : 0x3C, choices.byte() % 4)
        case 11: send(&bench, 0x50, 0x00)
        case 12: any(&bench, &choices)
        case 13:
            bench.switchField(on: false)
            bench.switchField(on: true)
        case 14: bench.disturb(&choices)
        default: bench.damage(&choices)
        }
    }

    /// Checks that the answer is a four-bit acknowledgement, or bytes, the first of which may be incomplete during
    /// anticollision.
    static func check(_ answer: borrowing FrameBuffer, to command: [UInt8]) {
        expect(answer.bitCount <= 8 * 924, "\(answer.bitCount) bits are more than the largest tag has")
        let isAnticollision = command.count >= 2 && [0x93, 0x95].contains(command[0])
        expect(answer.bitCount == 4 || answer.bitCount % 8 == 0 || isAnticollision, "\(answer.bitCount) bits")
    }

    private static func send(_ bench: inout Bench<NTAGCard>, _ bytes: UInt8...) {
        bench.frame.removeAll(keepingCapacity: true)
        bench.frame += bytes
        bench.send()
    }

    private static func select(_ bench: inout Bench<NTAGCard>, wakeUp: Bool) {
        bench.frame.removeAll(keepingCapacity: true)
        bench.frame.append(wakeUp ? 0x52 : 0x26)
        bench.send(bitCount: 7)
        for level: UInt8 in [0x93, 0x95] {
            send(&bench, level, 0x20)
            let part = (0..<5).map { bench.answer($0) }
            bench.frame.removeAll(keepingCapacity: true)
            bench.frame += [level, 0x70]
            bench.frame += part
            bench.send()
        }
    }

    private static func authenticate(_ bench: inout Bench<NTAGCard>, isRight: Bool, _ change: UInt8) {
        let password = bench.card[page: bench.card.template.definition.product.layout.passwordPage]
        let first = isRight ? password[0] : change
        send(&bench, 0x1B, first, password[1], password[2], password[3])
    }

    private static func any(_ bench: inout Bench<NTAGCard>, _ choices: inout Choices) {
        let (bits, count) = (choices.number(below: 9), choices.number(below: 20))
        bench.frame.removeAll(keepingCapacity: true)
        choices.append(count, to: &bench.frame)
        bench.send(
            bitCount: max(0, 8 * bench.frame.count - bits), integrity: choices.pick([.good, .badCRC, .badParity]))
    }
}
