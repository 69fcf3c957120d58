/// The instruction byte of a command APDU.
///
/// Sources: PC/SC part 3 and its supplement for contactless cards; manuals of the readers named below.
public struct Instruction: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ACS: commands to the reader itself, told apart by P1 and P2.
    public static let acs = Instruction(0x00)
    /// ACS, SCM: get response, under T=0.
    public static let getResponse = Instruction(0xC0)
    /// Get data: UID, IDm, historical bytes.
    public static let getData = Instruction(0xCA)
    /// Read binary.
    public static let readBinary = Instruction(0xB0)
    /// Update binary.
    public static let updateBinary = Instruction(0xD6)
    /// Load keys, of MIFARE Classic.
    public static let loadKeys = Instruction(0x82)
    /// General authenticate, of MIFARE Classic.
    public static let generalAuthenticate = Instruction(0x86)
    /// Authenticate, the older form of general authenticate.
    public static let authenticate = Instruction(0x88)
    /// Manage session, transparent exchange and switch protocol.
    public static let transparent = Instruction(0xC2)
    /// ACS: store, increment or decrement a value, of MIFARE Classic.
    public static let value = Instruction(0xD7)
    /// ACS: read a value, of MIFARE Classic.
    public static let readValue = Instruction(0xB1)
    /// Sony: select service.
    public static let selectService = Instruction(0xA4)
    /// Sony: a raw packet to the card.
    public static let sonyRaw = Instruction(0xFE)
    /// Sony RC-S300: what ``transparent`` is elsewhere.
    public static let sonyTransparent = Instruction(0x50)
    /// Sony RC-S300: version of the firmware.
    public static let sonyFirmware = Instruction(0x56)
    /// Sony RC-S300: a property of the reader.
    public static let sonyProperty = Instruction(0x5F)

    /// Two hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 2) }
}
