/// GET_VERSION, `60`: identifies the tag.
///
/// ```
/// answer   00 | vendor | type | subtype | major | minor | storage size | protocol
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "GET_VERSION".
public enum GetVersion {
    public struct Request: Type2Request {
        @inlinable public static var opcode: Type2Opcode { .getVersion }
        public static let length = 1

        public init() {}

        @inlinable
        public init(unchecked _: Span<UInt8>) {}

        public func writeFields(into _: inout FrameBuffer) {}
    }

    public struct Response: FrameValue {
        public static let length = 8

        /// All eight bytes as a number, byte 0 highest.
        public var rawValue: UInt64

        /// Creates an answer from its eight bytes as a number, byte 0 highest.
        @inlinable
        public init(_ rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// The manufacturer; NXP is 04.
        public var vendor: UInt8 {
            get { byte(1) }
            set { rawValue = rawValue & ~(0xFF << 48) | UInt64(newValue) << 48 }
        }
        /// The product; NTAG is 04.
        package var productType: UInt8 { byte(2) }
        /// The encoded memory size; see `storageBytes`.
        public var storageSize: UInt8 { byte(6) }

        /// The size of user memory given by the storage byte, or `nil` for more than 4 GiB.
        ///
        /// Its high seven bits are n. If bit 0 is clear, the size is 2ⁿ bytes; if bit 0 is set, it is between 2ⁿ and 2ⁿ⁺¹
        /// bytes.
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

/// READ_CNT, `39`: reads the 24-bit NFC counter.
///
/// ```
/// command   39 | 02
/// answer    counter (3, low byte first)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ_CNT".
public enum ReadCounter: AddressedCommand {
    @inlinable public static var opcode: Type2Opcode { .readCounter }
    /// The address of the only counter of NTAG21x.
    public static let nfcCounter: UInt8 = 0x02
    public static var address: UInt8 { nfcCounter }
    /// The highest value of a counter, which then no longer changes.
    public static let maximumValue: UInt32 = 0xFF_FFFF

    public typealias Request = AddressRequest<ReadCounter>

    public struct Response: FrameValue {
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

/// READ_SIG, `3C`: reads the originality signature.
///
/// ```
/// command   3C | 00
/// answer    r (16) | s (16)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ_SIG".
public enum ReadSignature: AddressedCommand {
    @inlinable public static var opcode: Type2Opcode { .readSignature }
    /// The only defined address.
    @inlinable public static var address: UInt8 { 0 }
    public typealias Request = AddressRequest<ReadSignature>

    public typealias Response = OriginalitySignature
}

/// An originality signature: ECDSA over secp128r1 of the seven UID bytes as a number, without a hash.
///
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "originality check"; NXP AN11350.
public struct OriginalitySignature: FrameValue, CustomStringConvertible {
    public static let byteCount = 32
    /// Thirty-two zero bytes, which is never a valid signature; some clones return it.
    public static let zero = OriginalitySignature(r: SIMD16(repeating: 0), s: SIMD16(repeating: 0))

    public var r: SIMD16<UInt8>
    public var s: SIMD16<UInt8>

    /// Creates a signature from two big-endian numbers.
    @inlinable
    public init(r: SIMD16<UInt8>, s: SIMD16<UInt8>) {
        self.r = r
        self.s = s
    }

    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.byteCount, of: "signature")
        self.init(r: BlockData(bytes, at: 0).simd, s: BlockData(bytes, at: BlockData.byteCount).simd)
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(r)
        buffer.append(s)
    }

    public var description: String { Hex.text(bytes) }
}

/// PWD_AUTH, `1B`: unlocks protected pages.
///
/// ```
/// command   1B | PWD (4)
/// answer    PACK (2)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "PWD_AUTH".
public enum PasswordAuthentication {
    public struct Request: Type2Request {
        @inlinable public static var opcode: Type2Opcode { .passwordAuthentication }
        public static let length = 5

        /// The password, in the byte order of the PWD page.
        public var password: PageData

        public init(password: PageData) {
            self.password = password
        }

        @inlinable
        public init(unchecked frame: Span<UInt8>) {
            password = PageData(frame, at: 1)
        }

        public func writeFields(into buffer: inout FrameBuffer) {
            password.write(into: &buffer)
        }
    }

    public struct Response: FrameValue {
        public static let length = 2

        /// PACK, PACK0 in the high byte: `0xABCD` is sent as `AB CD`.
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
