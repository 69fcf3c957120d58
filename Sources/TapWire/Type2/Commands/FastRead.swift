/// FAST_READ, `3A`: all pages of a range in one answer.
///
/// ```
/// command   3A | first page | last page
/// answer    data (4 a page)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "FAST_READ".
public enum FastRead {
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 3

        public var first: UInt8
        /// Address of the last page, which is read too.
        public var last: UInt8

        public init(first: UInt8, last: UInt8) {
            self.first = first
            self.last = last
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .fastRead, length: Self.length)
            first = frame[1]
            last = frame[2]
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.fastRead.rawValue)
            buffer.append(first)
            buffer.append(last)
        }
    }

    public struct Response: FrameValue {
        /// Most pages a command can ask for: the addresses are bytes.
        public static let maximumPages = 256

        /// The pages in the order of their addresses.
        public var pages: [PageData]

        /// Creates an answer of at most ``maximumPages``; further pages are left out.
        public init(pages: [PageData]) {
            self.pages = Array(pages.prefix(Self.maximumPages))
        }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            guard bytes.count % PageData.byteCount == 0 else {
                throw WireError(.wrongLength, at: bytes.count, in: "FAST_READ answer", "pages have four bytes")
            }
            let length = Self.maximumPages * PageData.byteCount
            guard bytes.count <= length else { throw WireError(.trailingBytes, at: length, in: "FAST_READ answer") }
            pages = []
            for offset in stride(from: 0, to: bytes.count, by: PageData.byteCount) {
                pages.append(PageData(bytes, at: offset))
            }
        }

        public func write(into buffer: inout FrameBuffer) {
            for page in pages { page.write(into: &buffer) }
        }
    }
}
