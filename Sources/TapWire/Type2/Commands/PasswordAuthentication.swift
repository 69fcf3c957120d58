/// PWD_AUTH, `1B`: opens protected pages.
///
/// ```
/// command   1B | PWD (4)
/// answer    PACK (2)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "PWD_AUTH".
public enum PasswordAuthentication {
    /// The command.
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 5

        /// The password, in the order of the PWD page.
        public var password: PageData

        /// Creates a command.
        public init(password: PageData) {
            self.password = password
        }

        /// Reads the command.
        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .passwordAuthentication, length: Self.length)
            password = PageData(frame, at: 1)
        }

        /// Appends the command.
        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.passwordAuthentication.rawValue)
            password.write(into: &buffer)
        }
    }

    /// The answer.
    public struct Response: FrameValue {
        /// Bytes without CRC.
        public static let length = 2

        /// PACK, PACK0 high: `0xABCD` travels as `AB CD`.
        public var pack: UInt16

        /// Creates an answer.
        public init(pack: UInt16) {
            self.pack = pack
        }

        /// Reads the answer.
        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "PWD_AUTH answer")
            pack = bytes.bigEndian16(at: 0)
        }

        /// Appends the answer.
        public func write(into buffer: inout FrameBuffer) {
            buffer.append(bigEndian: pack)
        }
    }
}
