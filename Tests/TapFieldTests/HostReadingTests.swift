import TapCards
import TapField
import TapWire
import TestSupport
import Testing

/// The information that a host gains from each kind of command and answer.
@Suite struct `Data read by a host` {
    private static let polling: [UInt8] = [6, 0x00, 0xFF, 0xFF, 0, 0]
    private static let idm: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    private static func felica(_ code: UInt8, _ rest: [UInt8] = []) -> RFFrame {
        let bytes = [code] + (code == 0 ? Array(polling.dropFirst(2)) : idm + rest)
        return RFFrame(.felica212, [UInt8(bytes.count + 1)] + bytes)
    }

    private static func typeA(_ bytes: [UInt8], bits: Int? = nil) -> RFFrame {
        RFFrame(.typeA106, bytes, bitCount: bits ?? bytes.count * 8)
    }

    private static func heard(_ frame: RFFrame) -> FieldAnswer { .frame(frame, after: .zero) }

    private static let damaged = heard(RFFrame(.felica212, [1], integrity: .badCRC))

    static let exchanges: [(command: RFFrame, answer: FieldAnswer, gain: HostGain)] = [
        (felica(0x00), heard(felica(0x01)), .identity),
        (felica(0x00), .silence, .nothing),
        (felica(0x00), damaged, .nothing),
        (typeA([0x26], bits: 7), heard(typeA([0x44, 0])), .nothing),
        (typeA([0x93, 0x20]), heard(typeA([0x88, 4, 1, 2, 0x8F])), .identity),
        (typeA([0x50, 0]), .silence, .nothing),
        (felica(0x02, [1, 0x0F, 0x09]), heard(felica(0x03, [1, 0, 0])), .answer),
        (felica(0x06, [1]), heard(felica(0x07, [0, 0, 1] + [UInt8](repeating: 0, count: 16))), .answer),
        (felica(0x06, [1]), heard(felica(0x07, [0xFF, 0xA6])), .refusal),
        (felica(0x06, [1]), .silence, .refusal),
        (felica(0x06, [1]), damaged, .refusal),
        (felica(0x08, [1]), heard(felica(0x09, [0, 0])), .answer),
        (felica(0x08, [1]), heard(felica(0x09, [1, 0xA8])), .refusal),
        (typeA([0x30, 4]), heard(typeA([UInt8](repeating: 0, count: 16))), .answer),
        (typeA([0x30, 4]), heard(typeA([0x0], bits: 4)), .refusal),
        (typeA([0x30, 4]), .silence, .refusal),
        (typeA([0xA2, 4, 0, 0, 0, 0]), heard(typeA([0xA], bits: 4)), .answer),
    ]

    @Test(arguments: exchanges)
    func `depends on the command and its answer`(_ command: RFFrame, _ answer: FieldAnswer, _ gain: HostGain) {
        #expect(HostGain(command, answer, isCardInReach: true) == gain)
    }

    @Test func `ignores a check for a card that has left`() {
        for check in [Self.typeA([0x30, 0]), Self.felica(0x04)] {
            #expect(HostGain(check, .silence, isCardInReach: false) == .nothing)
            #expect(HostGain(check, .silence, isCardInReach: true) == .refusal)
        }
        #expect(HostGain(Self.typeA([0x30, 4]), .silence, isCardInReach: false) == .refusal)
    }

    @Test func `is nothing without an identity, or if every later command failed`() {
        let readings: [(identities: Int, answers: Int, refusals: Int, isNothing: Bool)] = [
            (0, 0, 0, true), (1, 0, 0, false), (1, 0, 2, true), (0, 0, 2, true), (0, 1, 2, false), (1, 1, 2, false),
        ]
        for row in readings {
            var reading = HostReading()
            (reading.identities, reading.answers, reading.refusals) = (row.identities, row.answers, row.refusals)
            #expect(reading.isNothing == row.isNothing, "\(row)")
        }
    }

    @Test func `counts only executed commands as traffic`() {
        var world = World(seed: 1)
        world.add(NTAGCard(SampleTags.t0()), named: "tag")
        world.tap("tag")
        #expect(world.selectTypeA(.reqa, waiting: .milliseconds(5)) != nil)
        _ = world.exchange(Self.typeA([0xA2, 5, 1, 2, 3, 4]), waiting: .milliseconds(20))
        _ = world.exchange(Self.typeA([0x30, 5]), waiting: .milliseconds(5))
        world.remove("tag")
        for _ in 0..<20 { _ = world.exchange(Self.typeA([0x30, 5]), waiting: .milliseconds(5)) }
        #expect(world.traffic.reads == 1 && world.traffic.writes == 1)
    }
}
