import TapWire

/// Codes that are known, so that one with its bytes swapped is noticed.
enum KnownCodes {
    /// System codes.
    static let systems: [UInt16] = SystemCode.known.map(\.code.rawValue)

    /// Service codes of applications that are decoded here, and of NDEF tags.
    static let services: [UInt16] =
        (TransitServices.all + EdyServices.all + NanacoServices.all + WAONServices.all).map(\.code.rawValue)
        + [0x0009, 0x000B]
}
