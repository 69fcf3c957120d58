/// GET_VERSION, `60`: what the tag is.
///
/// ```
/// answer   00 | vendor | type | subtype | major | minor | storage size | protocol
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "GET_VERSION".
public enum GetVersion {
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 1

        public init() {}

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .getVersion, length: Self.length)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.getVersion.rawValue)
        }
    }

    public struct Response: FrameValue {
        /// Bytes without CRC.
        public static let length = 8

        /// All eight bytes as a number, byte 0 highest.
        public var rawValue: UInt64

        /// Creates an answer from its eight bytes as a number, byte 0 highest.
        @inlinable
        public init(_ rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// Who made the tag; NXP is 04.
        public var vendor: UInt8 {
            get { byte(1) }
            set { rawValue = rawValue & ~(0xFF << 48) | UInt64(newValue) << 48 }
        }
        /// The product; NTAG is 04.
        public var productType: UInt8 { byte(2) }
        /// The variant: 01 has 17 pF, 02 has 50 pF, 04 is an F type.
        public var productSubtype: UInt8 { byte(3) }
        /// Major version of the product.
        public var majorVersion: UInt8 { byte(4) }
        /// Minor version of the product.
        public var minorVersion: UInt8 { byte(5) }
        /// The size of the memory, coded; see ``storageBytes``.
        public var storageSize: UInt8 { byte(6) }
        /// The protocol; 03 is ISO/IEC 14443-3.
        public var protocolType: UInt8 { byte(7) }

        /// Bytes of user memory as the storage byte tells, or nothing where it tells of more than 4 GiB.
        ///
        /// Its high seven bits are n. With bit 0 clear there are 2ⁿ bytes, with bit 0 set something from 2ⁿ to 2ⁿ⁺¹.
        public var storageBytes: ClosedRange<Int>? {
            let exponent = Int(storageSize >> 1)
            guard exponent < 32 else { return nil }
            return (1 << exponent)...(1 << (exponent + Int(storageSize & 1)))
        }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "GET_VERSION answer")
            self.init(bytes.bigEndian64(at: 0))
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(bigEndian: rawValue)
        }

        private func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: rawValue >> (8 * (7 - index))) }
    }
}
