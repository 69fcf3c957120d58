/// The services of an NFC Forum Type 3 Tag in system 12FC: block 0 is the ``AttributeInformationBlock``, the message
/// begins in block 1.
///
/// Source: NFC Forum Type 3 Tag Operation.
public enum Type3Services {
    /// Reading, which the specification calls CHECK.
    public static let read = NodeCode(0x000B)
    /// Reading and writing, which the specification calls UPDATE.
    public static let write = NodeCode(0x0009)
    /// Number of the first block of the message.
    public static let firstMessageBlock: UInt16 = 1
}
