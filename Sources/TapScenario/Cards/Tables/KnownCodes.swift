import TapWire

/// Codes that are known, so that one with its bytes swapped is noticed.
enum KnownCodes {
    /// System codes.
    ///
    /// Source: lists of system codes in felica-tool, the Proxmark3 client and TRETJapanNFCReader.
    static let systems: [UInt16] = [
        0x0003, 0x0102, 0x040F, 0x04C1, 0x04C7, 0x12FC, 0x8003, 0x8005, 0x8008, 0x80DE, 0x80EF, 0x8194, 0x852B, 0x8592,
        0x862C, 0x865E, 0x86A7, 0x8760, 0x88B4, 0x8B5D, 0x8B61, 0x8FC1, 0x927A, 0x93EC, 0x957A, 0xFE00, 0xFE0F, 0xFEE1,
    ]

    /// Service codes of applications that are decoded here, and of NDEF tags.
    static let services: [UInt16] =
        (TransitServices.all + EdyServices.all + NanacoServices.all + WAONServices.all).map(\.code.rawValue)
        + [0x0009, 0x000B]
}
