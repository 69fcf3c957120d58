/// BrTy: the technology and bit rate at which a PN532 looks for targets.
///
/// Source: NXP, PN532 user manual UM0701-02, "InListPassiveTarget".
public struct PN532Modulation: Hashable, Sendable {
    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ISO/IEC 14443 type A at 106 kbit/s.
    public static let typeA = PN532Modulation(0x00)
    /// FeliCa at 212 kbit/s.
    public static let felica212 = PN532Modulation(0x01)
    /// FeliCa at 424 kbit/s.
    public static let felica424 = PN532Modulation(0x02)
    /// ISO/IEC 14443 type B.
    public static let typeB = PN532Modulation(0x03)
    /// Innovision Jewel.
    public static let jewel = PN532Modulation(0x04)

    /// The modulation of a technology.
    public init(_ technology: Technology) {
        switch technology {
        case .typeA106: self = .typeA
        case .felica212: self = .felica212
        case .felica424: self = .felica424
        }
    }

    /// The technology, or nothing where there is no card of it here.
    public var technology: Technology? {
        switch self {
        case .typeA: .typeA106
        case .felica212: .felica212
        case .felica424: .felica424
        default: nil
        }
    }
}
