/// READ_SIG, `3C`: the originality signature.
///
/// ```
/// command   3C | 00
/// answer    r (16) | s (16)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ_SIG".
public enum ReadSignature {
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 2

        /// The address byte; 00 is the only one defined.
        public var address: UInt8

        public init(address: UInt8 = 0) {
            self.address = address
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .readSignature, length: Self.length)
            address = frame[1]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.readSignature.rawValue)
            buffer.append(address)
        }
    }

    public typealias Response = OriginalitySignature
}
