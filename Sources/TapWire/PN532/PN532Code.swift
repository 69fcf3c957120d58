/// The code of a PN532 command; the answer has the next one.
///
/// Source: NXP, PN532 user manual UM0701-02, "commands".
public struct PN532Code: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Diagnose.
    public static let diagnose = PN532Code(0x00)
    /// GetFirmwareVersion.
    public static let getFirmwareVersion = PN532Code(0x02)
    /// GetGeneralStatus.
    public static let getGeneralStatus = PN532Code(0x04)
    /// ReadRegister.
    public static let readRegister = PN532Code(0x06)
    /// WriteRegister.
    public static let writeRegister = PN532Code(0x08)
    /// ReadGPIO.
    public static let readGPIO = PN532Code(0x0C)
    /// WriteGPIO.
    public static let writeGPIO = PN532Code(0x0E)
    /// SetSerialBaudRate.
    public static let setSerialBaudRate = PN532Code(0x10)
    /// SetParameters.
    public static let setParameters = PN532Code(0x12)
    /// SAMConfiguration.
    public static let samConfiguration = PN532Code(0x14)
    /// PowerDown.
    public static let powerDown = PN532Code(0x16)
    /// RFConfiguration.
    public static let rfConfiguration = PN532Code(0x32)
    /// RFRegulationTest.
    public static let rfRegulationTest = PN532Code(0x58)
    /// InDataExchange.
    public static let inDataExchange = PN532Code(0x40)
    /// InCommunicateThru.
    public static let inCommunicateThru = PN532Code(0x42)
    /// InDeselect.
    public static let inDeselect = PN532Code(0x44)
    /// InJumpForPSL.
    public static let inJumpForPSL = PN532Code(0x46)
    /// InListPassiveTarget.
    public static let inListPassiveTarget = PN532Code(0x4A)
    /// InPSL.
    public static let inPSL = PN532Code(0x4E)
    /// InATR.
    public static let inATR = PN532Code(0x50)
    /// InRelease.
    public static let inRelease = PN532Code(0x52)
    /// InSelect.
    public static let inSelect = PN532Code(0x54)
    /// InJumpForDEP.
    public static let inJumpForDEP = PN532Code(0x56)
    /// InAutoPoll.
    public static let inAutoPoll = PN532Code(0x60)
    /// TgInitAsTarget.
    public static let tgInitAsTarget = PN532Code(0x8C)

    /// The code of the answer.
    public var answer: PN532Code { PN532Code(rawValue &+ 1) }

    /// Two hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 2) }
}
