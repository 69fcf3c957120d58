/// The four bytes of a Type 2 page.
public struct PageData: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    public static let byteCount = 4
    public static let zero = PageData(0, 0, 0, 0)

    public var simd: SIMD4<UInt8>

    @inlinable
    public init(_ simd: SIMD4<UInt8>) {
        self.simd = simd
    }

    /// Creates a page from its bytes, byte 0 first.
    @inlinable
    public init(_ byte0: UInt8, _ byte1: UInt8, _ byte2: UInt8, _ byte3: UInt8) {
        simd = SIMD4(byte0, byte1, byte2, byte3)
    }

    /// Creates a page from up to four bytes; the remaining bytes are zero.
    public init(_ bytes: some Sequence<UInt8>) {
        var page = SIMD4<UInt8>(repeating: 0)
        for (index, byte) in bytes.prefix(Self.byteCount).enumerated() { page[index] = byte }
        simd = page
    }

    /// Reads four bytes from a span whose length the caller has checked.
    @inline(always)
    public init(_ bytes: Span<UInt8>, at offset: Int) {
        let page = bytes.extracting(offset..<offset + Self.byteCount)
        self.init(page[0], page[1], page[2], page[3])
    }

    /// The byte at an index from 0 to 3.
    public subscript(index: Int) -> UInt8 {
        get { simd[index] }
        set { simd[index] = newValue }
    }

    public var bytes: [UInt8] { [simd[0], simd[1], simd[2], simd[3]] }

    @inline(always)
    public func write(into buffer: inout FrameBuffer) {
        buffer.append(simd)
    }

    public var description: String { Hex.text(bytes) }
}

/// READ, `30`: reads four pages from an address.
///
/// ```
/// command   30 | page
/// answer    data (16)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "READ"; NFC Forum Type 2 Tag Operation 1.1, "READ".
public enum ReadPages: Type2Command {
    @inlinable public static var opcode: Type2Opcode { .read }
    public static let pageCount = 4

    public typealias Request = PageRequest<ReadPages>

    public struct Response: FrameValue {
        public static let length = 16

        public var simd: SIMD16<UInt8>

        package init(_ simd: SIMD16<UInt8>) {
            self.simd = simd
        }

        /// The page at an index from 0 to 3.
        public subscript(index: Int) -> PageData {
            let start = index * PageData.byteCount
            return PageData(simd[start], simd[start + 1], simd[start + 2], simd[start + 3])
        }

        package var pages: [PageData] { (0..<pageCount).map { self[$0] } }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            self.init(try BlockData(parsing: bytes, of: "READ answer").simd)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(simd)
        }
    }
}

/// FAST_READ, `3A`: reads all pages of a range in one answer.
///
/// ```
/// command   3A | first page | last page
/// answer    data (4 a page)
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "FAST_READ".
public enum FastRead {
    public struct Request: Type2Request {
        @inlinable public static var opcode: Type2Opcode { .fastRead }
        public static let length = 3

        public var first: UInt8
        /// The address of the last page, inclusive.
        public var last: UInt8

        public init(first: UInt8, last: UInt8) {
            self.first = first
            self.last = last
        }

        @inlinable
        public init(unchecked frame: Span<UInt8>) {
            first = frame[1]
            last = frame[2]
        }

        public func writeFields(into buffer: inout FrameBuffer) {
            buffer.append(first)
            buffer.append(last)
        }
    }

    public struct Response: FrameValue {
        /// The maximum number of pages a command can request; addresses are single bytes.
        package static let maximumPages = 256

        public var pages: [PageData]

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

/// WRITE, `A2`: writes one page.
///
/// ```
/// command   A2 | page | data (4)
/// answer    acknowledgement
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "WRITE".
public enum WritePage {
    public struct Request: Type2Request {
        @inlinable public static var opcode: Type2Opcode { .write }
        public static let length = 6

        public var page: UInt8
        public var data: PageData

        public init(page: UInt8, data: PageData) {
            self.page = page
            self.data = data
        }

        @inlinable
        public init(unchecked frame: Span<UInt8>) {
            page = frame[1]
            data = PageData(frame, at: 2)
        }

        public func writeFields(into buffer: inout FrameBuffer) {
            buffer.append(page)
            data.write(into: &buffer)
        }
    }

    public typealias Response = Acknowledgement
}

/// COMPATIBILITY_WRITE, `A0`: writes one page in two steps, as readers for older cards do.
///
/// ```
/// first command    A0 | page
/// answer           acknowledgement
/// second command   data (16), of which the first four are written
/// answer           acknowledgement
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "COMPATIBILITY_WRITE".
public enum CompatibilityWrite: Type2Command {
    @inlinable public static var opcode: Type2Opcode { .compatibilityWrite }

    public typealias Request = PageRequest<CompatibilityWrite>

    /// The second command, which has no opcode.
    public struct Data: FrameValue {
        public static let length = 16

        /// All sixteen bytes.
        public var simd: SIMD16<UInt8>

        package init(_ simd: SIMD16<UInt8>) {
            self.simd = simd
        }

        /// Creates a command that writes a page; the other twelve bytes are zero.
        public init(_ page: PageData) {
            simd = BlockData(page.bytes).simd
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            simd = try BlockData(parsing: frame, of: "COMP_WRITE data").simd
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(simd)
        }
    }

    public typealias Response = Acknowledgement
}
