/// READ_CNT, `39`: the 24-bit NFC counter.
///
/// ```
/// command   39 | 02
/// answer    counter (3, low byte first)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ_CNT".
public enum ReadCounter {
    /// The address of the only counter of NTAG21x.
    public static let nfcCounter: UInt8 = 0x02
    /// The highest value of a counter, at which it stays.
    public static let maximumValue: UInt32 = 0xFF_FFFF

    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 2

        /// Address of the counter.
        public var counter: UInt8

        public init(counter: UInt8 = nfcCounter) {
            self.counter = counter
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .readCounter, length: Self.length)
            counter = frame[1]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.readCounter.rawValue)
            buffer.append(counter)
        }
    }

    public struct Response: FrameValue {
        /// Bytes without CRC.
        public static let length = 3

        /// The value, 24 bits.
        public let value: UInt32

        /// Creates an answer; only the low 24 bits count.
        public init(value: UInt32) {
            self.value = value & maximumValue
        }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "READ_CNT answer")
            self.init(value: UInt32(bytes.littleEndian16(at: 0)) | UInt32(bytes[2]) << 16)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(littleEndian: UInt16(truncatingIfNeeded: value))
            buffer.append(UInt8(truncatingIfNeeded: value >> 16))
        }
    }
}
