import TapWire

/// The blocks of FeliCa Lite and Lite-S that are no user data.
///
/// Source: FeliCa Lite-S User's Manual, as quoted by readers of it, "block configuration".
enum LiteBlock {
    /// The name of a block and what it holds, or nothing for user data.
    static func name(_ number: UInt16) -> String? {
        names.first { $0.number == number }.map { "\($0.name) of FeliCa Lite, \($0.holds)" }
    }

    /// The short name of a block, or nothing for user data.
    static func shortName(_ number: UInt16) -> String? {
        names.first { $0.number == number }?.name
    }

    private static let names: [(number: UInt16, name: String, holds: String)] = [
        (0x0E, "REG", "registers A, B and C"), (0x80, "RC", "the random challenge"),
        (0x81, "MAC", "the MAC of a read"), (0x82, "ID", "IDm, data format code and free bytes"),
        (0x83, "D_ID", "IDm and PMm"), (0x84, "SER_C", "the service code"), (0x85, "SYS_C", "the system code"),
        (0x86, "CKV", "the card key version"), (0x87, "CK", "the card key"), (0x88, "MC", "the memory configuration"),
        (0x90, "WCNT", "the write counter"), (0x91, "MAC_A", "the MAC of Lite-S"),
        (0x92, "STATE", "whether external authentication is done"), (0xA0, "CRC_CHECK", "the memory check"),
    ]
}
