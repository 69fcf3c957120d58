/// Control codes of readers, arguments of SCardControl.
///
/// Source: pcsc-lite manual, "reader.h"; PC/SC part 10, section 2.2.
public enum PCSCControlCode {
    /// The first code of all; drivers number their own from here.
    public static let base: UInt32 = 0x4200_0000
    /// Asks the driver for its features: tag, 04 and a control code, high byte first, for each.
    public static let features = base + 3_400
    /// Escape to the reader on drivers that name no code for it, as libnfc uses it.
    public static let plainEscape = base + 1
    /// Escape to the reader as programs made for Windows use it.
    public static let escape = base + 3_500
    /// Tag of the escape command in the list of features.
    public static let escapeFeature: UInt8 = 0x13
}
