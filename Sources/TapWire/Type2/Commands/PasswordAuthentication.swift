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
