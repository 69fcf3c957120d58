/// HLTA, `50 00`: sends the selected card to HALT; the card does not answer.
///
/// Source: ISO/IEC 14443-3, type A, "HLTA".
public enum HLTA {
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 2
        /// Both bytes, the first one high.
        public static let code: UInt16 = 0x5000

        public init() {}

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "HLTA")
            guard bytes.bigEndian16(at: 0) == Self.code else { throw WireError(.wrongCode, at: 0, in: "HLTA") }
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(bigEndian: Self.code)
        }
    }
}
