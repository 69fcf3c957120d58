import TapField
import TapWire

/// Registers, configuration and tests.
extension PN532 {
    /// The times RFConfiguration codes: 100 µs, and twice as much for every step; 0 is no limit.
    ///
    /// Source: NXP, PN532 user manual UM0701-02, "RFConfiguration", item 02.
    static func patience(code: UInt8) -> Duration? {
        code == 0 ? nil : .microseconds(100 << (Int(min(code, 0x10)) - 1))
    }

    mutating func write(_ request: WriteRegister.Request, in world: inout World) -> [UInt8] {
        for entry in request.entries { registers.write(entry.value, to: entry.register, in: &world) }
        return []
    }

    mutating func configure(_ request: RFConfiguration.Request, in world: inout World) -> [UInt8] {
        switch request {
        case .field(let value):
            world.switchField(on: value & 1 != 0)
            if value & 1 == 0 { selected = nil }
        case .searchRetries(_, _, let passive): passiveRetries = passive
        // Times: reserved, for ATR_RES, for InCommunicateThru and exchanges without ISO/IEC 14443-4.
        case .other(item: 0x02, let times) where times.count == 3: patience = Self.patience(code: times[2])
        case .other: break
        }
        return []
    }

    mutating func powerDown(in world: inout World) -> [UInt8] {
        world.switchField(on: false)
        selected = nil
        return [PN532Status.ok.rawValue]
    }

    /// Carries a test out.
    ///
    /// The line test is answered by what was sent. A card is present for the test of its presence while it lies in the
    /// field that found it.
    func diagnose(_ data: [UInt8], in world: World) throws(WireError) -> [UInt8]? {
        guard let test = data.first else { throw WireError(.truncated, at: 2, in: "test number") }
        switch test {
        case 0x00: return data
        case 0x01, 0x02, 0x07: return [0x00]
        // Polling test: how often no target at 212 or 424 kbit/s has answered as a peer, of 128 times.
        case 0x04: return [0x80]
        // Echo back: the chip answers no more until it is reset.
        case 0x05: return nil
        case 0x06:
            guard let target = targets.first else { return [PN532Status.wrongContext.rawValue] }
            return [world.isFieldOn && target.card.isPresent(in: world) ? 0x00 : 0x01]
        default: throw WireError(.wrongValue, at: 2, in: "test number")
        }
    }
}
