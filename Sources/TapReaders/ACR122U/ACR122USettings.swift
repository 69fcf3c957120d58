import TapWire

/// What a host can set on an ACR122U besides its chip.
struct ACR122USettings: Hashable, Sendable {
    /// Which cards it looks for, and whether by itself; ``operating`` as the manual numbers its bits.
    var operating: UInt8 = 0xFF
    /// The two lights: bit 0 red, bit 1 green.
    private(set) var lights: UInt8 = 0

    /// Whether it looks for cards by itself: bit 7.
    var isPolling: Bool { operating & 0x80 != 0 }

    /// What it looks for, in its order: type A by bit 0, FeliCa at 212 kbit/s by bit 3 and at 424 by bit 4.
    var technologies: [Technology] {
        let bits: [(UInt8, Technology)] = [(0x01, .typeA106), (0x08, .felica212), (0x10, .felica424)]
        return bits.filter { operating & $0.0 != 0 }.map(\.1)
    }

    /// Sets the lights by a control byte: bits 0 and 1 say how, bits 2 and 3 which; blinking has an end and leaves them.
    mutating func setLights(_ control: UInt8) {
        let mask = control >> 2 & 0x03
        lights = lights & ~mask | control & mask
    }
}
