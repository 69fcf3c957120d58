import TapWire

/// Attributes that the CCID driver of Linux answers from the USB descriptors of a reader.
///
/// Sources: pcsc-lite, `reader.h`, for the numbers; libccid, `ifdhandler.c`, for the values, and its list of readers for
/// the descriptors.
struct ReaderAttribute: Hashable, Sendable {
    /// iManufacturer.
    let vendor: String
    /// bcdDevice: two digits before the point, two behind it.
    let release: UInt16
    /// dwMaxCCIDMessageLength.
    var longestMessage: UInt32 = 271

    private static let vendorName: UInt32 = 0x0001_0100
    private static let vendorVersion: UInt32 = 0x0001_0102
    private static let maximumInput: UInt32 = 0x0007_A007
    /// Bytes of a CCID message before its data.
    private static let messageHeader: UInt32 = 10

    /// The value of an attribute, or nothing where the driver does not know it; numbers have their low byte first.
    subscript(id: UInt32) -> [UInt8]? {
        switch id {
        case Self.vendorName: vendor.utf8 + [0]
        case Self.vendorVersion: (UInt32(release) << 16).bigEndianBytes.reversed()
        case Self.maximumInput: (longestMessage - Self.messageHeader).bigEndianBytes.reversed()
        default: nil
        }
    }
}
