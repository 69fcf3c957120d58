/// Attributes that the CCID driver of Linux answers from the reader's USB descriptors.
///
/// Source: pcsc-lite, `reader.h`, "SCARD_ATTR_VENDOR_NAME".
enum ReaderAttribute {
    private static let vendorName: UInt32 = 0x0001_0100

    /// The text of an attribute, or nothing where the driver does not know it.
    static func answer(_ id: UInt32, vendor: String) -> [UInt8]? {
        id == vendorName ? Array(vendor.utf8) : nil
    }
}
