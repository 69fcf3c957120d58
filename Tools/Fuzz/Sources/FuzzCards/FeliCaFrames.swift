import FuzzSupport

@testable import TapCards
@testable import TapWire

/// FeliCa packets, most of them almost valid.
enum FeliCaFrames<Card: KeyedCard>: CardFrames {
    private static var systems: [UInt16] { [0xFFFF, 0x0003, 0xFE00, 0x12FC, 0x88B4, 0x00FF] }

    static func step(_ bench: inout Bench<Card>, _ choices: inout Choices) {
        let kind = choices.byte()
        switch kind % 16 {
        case 0: poll(&bench, &choices)
        case 1...4: access(&bench, &choices, code: kind & 0x10 == 0 ? 0x06 : 0x08)
        case 5...7: command(&bench, &choices, code: UInt8(truncatingIfNeeded: choices.number(below: 64) * 2))
        case 8, 9: Card.keyedStep(&bench, &choices)
        case 10: command(&bench, &choices, code: choices.byte())
        case 11: whole(&bench, &choices)
        case 12:
            bench.frame.removeAll(keepingCapacity: true)
            choices.append(choices.number(below: 32), to: &bench.frame)
            bench.send(integrity: kind & 0x10 == 0 ? .good : .badCRC)
        case 13:
            bench.switchField(on: false)
            bench.switchField(on: true)
        case 14: bench.disturb(&choices)
        default: bench.damage(&choices)
        }
    }

    /// Checks that an answer begins with its length and the code of the command plus one; Echo uses its own code.
    static func check(_ answer: borrowing FrameBuffer, to command: [UInt8]) {
        let length = answer.count
        expect(2...FeliCaPacket.maximumLength ~= length && Int(answer[0]) == length, "LEN says \(length)")
        let code = command.count > 1 ? command[1] : 0
        expect(answer[1] == code | 1 || code == CommandCode.echo.first && answer[1] == code, "\(code) is answered so")
    }

    private static func poll(_ bench: inout Bench<Card>, _ choices: inout Choices) {
        let system = systems[choices.number(below: systems.count)]
        bench.frame.removeAll(keepingCapacity: true)
        bench.frame += [0x06, 0x00, UInt8(system >> 8), UInt8(truncatingIfNeeded: system)]
        bench.frame += [choices.byte() % 4, choices.byte() % 16]
        bench.send()
    }

    /// Sends a read or write of blocks.
    private static func access(_ bench: inout Bench<Card>, _ choices: inout Choices, code: UInt8) {
        begin(&bench, choices.byte(), code: code)
        let services = bench.card.services
        let (serviceCount, blockCount) = (choices.number(below: 4), choices.number(below: 16))
        bench.frame.append(UInt8(serviceCount))
        for _ in 0..<serviceCount {
            let place = choices.number(below: services.count + 1)
            let service = place < services.count ? services[place].service.rawValue : UInt16(choices.byte())
            bench.frame += [UInt8(truncatingIfNeeded: service), UInt8(service >> 8)]
        }
        bench.frame.append(UInt8(blockCount))
        for _ in 0..<blockCount {
            let element = choices.byte()
            bench.frame.append(0x80 | element >> 6)
            bench.frame.append(element & 0x20 == 0 ? element & 0x1F : 0x80 | element & 0x1F)
        }
        if code == 0x08 { choices.append(16 * blockCount, to: &bench.frame) }
        finish(&bench)
    }

    private static func command(_ bench: inout Bench<Card>, _ choices: inout Choices, code: UInt8) {
        begin(&bench, choices.byte(), code: code)
        choices.append(choices.number(below: 40), to: &bench.frame)
        finish(&bench)
    }

    /// Sends any bytes after the correct length.
    private static func whole(_ bench: inout Bench<Card>, _ choices: inout Choices) {
        bench.frame.removeAll(keepingCapacity: true)
        bench.frame.append(0)
        choices.append(choices.number(below: 255), to: &bench.frame)
        finish(&bench)
    }

    /// Begins a packet with a placeholder for LEN, the code, and the IDm of a system, or rarely another IDm.
    private static func begin(_ bench: inout Bench<Card>, _ choice: UInt8, code: UInt8) {
        let idm = bench.card.idm.rawValue ^ UInt64(choice & 0x03) << 60 ^ UInt64(choice >> 7)
        bench.frame.removeAll(keepingCapacity: true)
        bench.frame += [0, code]
        for place in 0..<8 { bench.frame.append(UInt8(truncatingIfNeeded: idm >> (56 - 8 * UInt64(place)))) }
    }

    private static func finish(_ bench: inout Bench<Card>) {
        bench.frame[0] = UInt8(truncatingIfNeeded: bench.frame.count)
        bench.send()
    }
}
