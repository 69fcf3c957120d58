/// WRITE, `A2`: one page.
///
/// ```
/// command   A2 | page | data (4)
/// answer    acknowledgement
/// ```
/// Source: NTAG213/215/216 data sheet rev. 3.2, "WRITE".
public enum WritePage {
    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 6

        /// Address of the page.
        public var page: UInt8
        /// What to write.
        public var data: PageData

        public init(page: UInt8, data: PageData) {
            self.page = page
            self.data = data
        }

        public init(parsing frame: Span<UInt8>) throws(WireError) {
            try Type2Frame.check(frame, .write, length: Self.length)
            page = frame[1]
            data = PageData(frame, at: 2)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(Type2Opcode.write.rawValue)
            buffer.append(page)
            data.write(into: &buffer)
        }
    }

    public typealias Response = Acknowledgement
}
