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
        package var productType: UInt8 { byte(2) }
        /// The variant: 01 has 17 pF, 02 has 50 pF, 04 is an F type.
        package var productSubtype: UInt8 { byte(3) }
        /// Major version of the product.
        package var majorVersion: UInt8 { byte(4) }
        /// Minor version of the product.
        package var minorVersion: UInt8 { byte(5) }
        /// The size of the memory, coded; see ``storageBytes``.
        public var storageSize: UInt8 { byte(6) }
        /// The protocol; 03 is ISO/IEC 14443-3.
        package var protocolType: UInt8 { byte(7) }

        /// Bytes of user memory as the storage byte tells, or nothing where it tells of more than 4 GiB.
        ///
        /// Its high seven bits are n. With bit 0 clear there are 2ⁿ bytes, with bit 0 set something from 2ⁿ to 2ⁿ⁺¹.
        package var storageBytes: ClosedRange<Int>? {
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

        package init(counter: UInt8 = nfcCounter) {
            self.counter = counter
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .readCounter, length: Self.length)
            self.init(unchecked: frame)
        }

        /// Reads a frame whose opcode and length the caller has checked.
        @inlinable
        package init(unchecked frame: Span<UInt8>) {
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
        package let value: UInt32

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

        package init(address: UInt8 = 0) {
            self.address = address
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .readSignature, length: Self.length)
            self.init(unchecked: frame)
        }

        /// Reads a frame whose opcode and length the caller has checked.
        @inlinable
        package init(unchecked frame: Span<UInt8>) {
            address = frame[1]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.readSignature.rawValue)
            buffer.append(address)
        }
    }

    public typealias Response = OriginalitySignature
}

/// An originality signature: ECDSA over secp128r1 of the seven UID bytes taken as a number, without a hash.
///
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "originality check"; NXP AN11350.
public struct OriginalitySignature: FrameValue, CustomStringConvertible {
    /// Bytes of a signature.
    public static let byteCount = 32
    /// Thirty-two zero bytes, no signature of any key; some clones answer it.
    public static let zero = OriginalitySignature(r: SIMD16(repeating: 0), s: SIMD16(repeating: 0))

    /// The number r, big-endian.
    public var r: SIMD16<UInt8>
    /// The number s, big-endian.
    public var s: SIMD16<UInt8>

    /// Creates a signature from its two numbers, big-endian.
    @inlinable
    public init(r: SIMD16<UInt8>, s: SIMD16<UInt8>) {
        self.r = r
        self.s = s
    }

    /// Reads thirty-two bytes.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: "signature")
        self = .zero
        for index in 0..<16 {
            r[index] = bytes[index]
            s[index] = bytes[16 + index]
        }
    }

    /// Appends thirty-two bytes.
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(r)
        buffer.append(s)
    }

    /// Sixty-four hexadecimal digits.
    public var description: String { Hex.text(bytes) }
}

/// PWD_AUTH, `1B`: opens protected pages.
///
/// ```
/// command   1B | PWD (4)
/// answer    PACK (2)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "PWD_AUTH".
public enum PasswordAuthentication {
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 5

        /// The password, in the order of the PWD page.
        public var password: PageData

        public init(password: PageData) {
            self.password = password
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .passwordAuthentication, length: Self.length)
            self.init(unchecked: frame)
        }

        /// Reads a frame whose opcode and length the caller has checked.
        @inlinable
        package init(unchecked frame: Span<UInt8>) {
            password = PageData(frame, at: 1)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.passwordAuthentication.rawValue)
            password.write(into: &buffer)
        }
    }

    public struct Response: FrameValue {
        /// Bytes without CRC.
        public static let length = 2

        /// PACK, PACK0 high: `0xABCD` travels as `AB CD`.
        public var pack: UInt16

        public init(pack: UInt16) {
            self.pack = pack
        }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "PWD_AUTH answer")
            pack = bytes.bigEndian16(at: 0)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(bigEndian: pack)
        }
    }
}
