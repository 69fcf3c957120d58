/// COMPATIBILITY_WRITE, `A0`: one page in two steps, as readers of older cards send it.
///
/// ```
/// first command    A0 | page
/// answer           acknowledgement
/// second command   data (16), of which the first four are written
/// answer           acknowledgement
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "COMPATIBILITY_WRITE".
public enum CompatibilityWrite {
    /// The first command.
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 2

        /// Address of the page.
        public var page: UInt8

        public init(page: UInt8) {
            self.page = page
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .compatibilityWrite, length: Self.length)
            page = frame[1]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.compatibilityWrite.rawValue)
            buffer.append(page)
        }
    }

    /// The second command, which has no opcode.
    public struct Data: FrameValue {
        /// Bytes without CRC.
        public static let length = 16

        /// All sixteen bytes.
        public var simd: SIMD16<UInt8>

        public init(_ simd: SIMD16<UInt8>) {
            self.simd = simd
        }

        /// Creates a command that writes a page; the other twelve bytes are zero.
        public init(_ page: PageData) {
            simd = SIMD16(repeating: 0)
            for index in 0..<PageData.byteCount { simd[index] = page[index] }
        }

        /// The four bytes that are written.
        public var page: PageData { PageData(simd[0], simd[1], simd[2], simd[3]) }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(frame.count, is: Self.length, of: "COMP_WRITE data")
            simd = SIMD16(repeating: 0)
            for index in 0..<Self.length { simd[index] = frame[index] }
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(simd)
        }
    }

    /// The answer to either command.
    public typealias Response = Acknowledgement
}
