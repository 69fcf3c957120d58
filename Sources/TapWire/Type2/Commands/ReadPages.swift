/// READ, `30`: four pages from an address on.
///
/// ```
/// command   30 | page
/// answer    data (16)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ"; NFC Forum Type 2 Tag Operation 1.1, "READ".
public enum ReadPages {
    /// Pages in an answer.
    public static let pageCount = 4

    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 2

        public var page: UInt8

        public init(page: UInt8) {
            self.page = page
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .read, length: Self.length)
            page = frame[1]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.read.rawValue)
            buffer.append(page)
        }
    }

    public struct Response: FrameValue {
        /// Bytes without CRC.
        public static let length = 16

        /// All sixteen bytes, the first page lowest.
        public var simd: SIMD16<UInt8>

        public init(_ simd: SIMD16<UInt8>) {
            self.simd = simd
        }

        /// The page at an index from 0 to 3.
        public subscript(index: Int) -> PageData {
            let start = index * PageData.byteCount
            return PageData(simd[start], simd[start + 1], simd[start + 2], simd[start + 3])
        }

        /// The four pages.
        public var pages: [PageData] { (0..<pageCount).map { self[$0] } }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "READ answer")
            var data = SIMD16<UInt8>(repeating: 0)
            for index in 0..<Self.length { data[index] = bytes[index] }
            self.init(data)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(simd)
        }
    }
}
