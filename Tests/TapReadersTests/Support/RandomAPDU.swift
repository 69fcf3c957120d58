import TapWire
import TestSupport

/// Random commands, most of them almost valid.
enum RandomAPDU {
    private static let headers: [[UInt8]] = [
        [0xFF, 0xCA], [0xFF, 0xB0], [0xFF, 0xD6], [0xFF, 0x00, 0x00, 0x00], [0xFF, 0x00], [0xFF, 0xC2, 0x00],
        [0xFF, 0x50, 0x00], [0xFF, 0xA4, 0x00, 0x01], [0xFF, 0xFE], [0xFF, 0x82], [0xFF], [0x00, 0xA4], [],
    ]

    static func bytes(_ random: inout TestRandom) -> [UInt8] {
        var command = random.pick(headers)
        while command.count < 4 { command.append(UInt8(random.number(below: 6))) }
        let data = data(&random)
        switch random.number(below: 6) {
        case 0: return command
        case 1: return command + [random.byte()]
        case 2: return Array((command + [UInt8(data.count)] + data).prefix(random.number(below: 12)))
        case 3: return command + [0, 0, UInt8(data.count)] + data + [0, 0, 0]
        default: return command + [UInt8(data.count)] + data + (random.oneIn(2) ? [0] : [])
        }
    }

    private static func data(_ random: inout TestRandom) -> [UInt8] {
        switch random.number(below: 5) {
        case 0: random.bytes(random.number(below: 40))
        case 1: pn532(&random)
        case 2: objects(&random)
        case 3: frame(&random)
        default: [0x01, 0x0F, 0x09, 0x01, 0x80, UInt8(random.number(below: 24))]
        }
    }

    private static func pn532(_ random: inout TestRandom) -> [UInt8] {
        let codes: [UInt8] = [
            0x00, 0x02, 0x04, 0x06, 0x08, 0x0C, 0x0E, 0x10, 0x12, 0x14, 0x16, 0x32, 0x40, 0x42, 0x44, 0x46, 0x4A, 0x4E,
            0x50, 0x52, 0x54, 0x56, 0x58, 0x60, 0x8C,
        ]
        let code = random.pick(codes)
        switch (code, random.number(below: 3)) {
        case (0x4A, 0): return [0xD4, code, 1, 0]
        case (0x4A, 1): return [0xD4, code, 2, 1, 0x00, 0xFF, 0xFF, 0x01, 0x03]
        case (0x40, 0), (0x40, 1): return [0xD4, code, 1] + frame(&random)
        case (0x42, 0), (0x42, 1): return [0xD4, code] + frame(&random)
        case (0x08, 0): return [0xD4, code, 0x63, 0x02, random.byte(), 0x63, 0x03, random.byte()]
        default: return [0xD4, code] + random.bytes(random.number(below: 9))
        }
    }

    private static func frame(_ random: inout TestRandom) -> [UInt8] {
        let frames: [[UInt8]] = [
            [0x30, 0x04], [0x60], [0xA2, 0x0A, 1, 2, 3, 4], [0xA0, 0x0A], [0x3A, 0x00, 0x86], [0x93, 0x20], [0x26],
            [0x06, 0x00, 0xFF, 0xFF, 0x01, 0x00], [0x1B, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x0A, 0x04, 0x02, 0xFE, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66],
        ]
        return random.pick(frames)
    }

    private static func objects(_ random: inout TestRandom) -> [UInt8] {
        let tags: [UInt16] = [
            0x80, 0x81, 0x81, 0x82, 0x83, 0x84, 0x5F46, 0xFF6D, 0xFF6E, 0x90, 0x91, 0x92, 0x93, 0x94, 0x95, 0x95, 0x8F,
        ]
        return (0..<1 + random.number(below: 3)).flatMap { _ in
            let tag = SessionObject.Tag(random.pick(tags))
            let value: [UInt8] =
                switch tag {
                case .start, .end, .fieldOff, .fieldOn: []
                case .flags: [0, UInt8(random.number(below: 32))]
                case .switchProtocol: [random.pick([0, 3]), UInt8(random.number(below: 5))]
                case .transceive: frame(&random)
                default: random.bytes(random.number(below: 5))
                }
            return SessionObject(tag, value).bytes
        }
    }
}
