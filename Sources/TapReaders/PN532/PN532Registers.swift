import TapField
import TapWire

/// The registers of a PN532, as far as clients touch them; what is written anywhere else is kept and read back.
///
/// Source: NXP, PN532 user manual UM0701-02, "list of SFR and XRAM registers".
struct PN532Registers: Sendable {
    private var values: [PN532Register: UInt8] = [.txMode: 0x80, .rxMode: 0x80, .txAuto: 0x40, .control: 0x10]

    /// The bits of TxControl that switch the antenna, and what the others are at reset.
    private static let antenna: UInt8 = 0x03
    private static let txControlReset: UInt8 = 0x80
    private static let crcOn: UInt8 = 0x80

    subscript(register: PN532Register) -> UInt8 {
        get { values[register] ?? 0 }
        set { values[register] = newValue }
    }

    /// Reads a register.
    func read(_ register: PN532Register, in world: World) -> UInt8 {
        guard register == .txControl else { return self[register] }
        return (values[register] ?? Self.txControlReset) & ~Self.antenna | (world.isFieldOn ? Self.antenna : 0)
    }

    /// Writes a register; TxControl switches the field.
    mutating func write(_ value: UInt8, to register: PN532Register, in world: inout World) {
        self[register] = value
        if register == .txControl { world.switchField(on: value & Self.antenna != 0) }
    }

    /// Sets bit rate and framing as a search for targets leaves them.
    mutating func setModes(for technology: Technology) {
        switch technology {
        case .typeA106: (self[.txMode], self[.rxMode]) = (0x80, 0x80)
        case .felica212: (self[.txMode], self[.rxMode]) = (0x92, 0x9A)
        case .felica424: (self[.txMode], self[.rxMode]) = (0xA2, 0xAA)
        }
    }

    /// Leaves in the FIFO what a search for type A cards leaves there: the REQA after one that found nothing.
    ///
    /// A client looks for it to tell whether a card has answered at all.
    mutating func noteTypeASearch(hasFound: Bool) {
        self[.fifoData] = hasFound ? 0 : ShortFrame.reqa.rawValue
    }

    /// Keeps the number of valid bits in the last byte received.
    mutating func noteLastBits(_ count: UInt8) {
        self[.control] = self[.control] & ~0x07 | count & 0x07
    }

    /// How frames go out and come in, or nothing where framing or bit rate is that of other technologies.
    var channel: RawChannel? {
        guard let technology, technology == rxTechnology else { return nil }
        return RawChannel(
            technology: technology, appendsCRC: self[.txMode] & Self.crcOn != 0,
            checksCRC: self[.rxMode] & Self.crcOn != 0, hasParity: self[.manualRCV] & 0x10 == 0,
            lastBits: self[.bitFraming] & 0x07)
    }

    private var technology: Technology? { Self.technology(mode: self[.txMode]) }
    private var rxTechnology: Technology? { Self.technology(mode: self[.rxMode]) }

    /// Framing in bits 1 and 0, bit rate in bits 6 to 4.
    private static func technology(mode: UInt8) -> Technology? {
        switch (mode & 0x03, mode >> 4 & 0x07) {
        case (0, 0): .typeA106
        case (2, 1): .felica212
        case (2, 2): .felica424
        default: nil
        }
    }
}
