/// SELECT: names a whole cascade level; the card it names answers with SAK.
///
/// ```
/// command   SEL | 70 | UID part (4) | BCC
/// answer    SAK
/// ```
/// Source: ISO/IEC 14443-3, type A, "anticollision and select".
public enum Select {
    /// NVB of a SELECT: all forty bits are known.
    public static let nvb: UInt8 = 0x70

    public struct Request: FrameValue {
        /// Bytes without CRC.
        public static let length = 7

        /// The cascade level.
        public var level: CascadeLevel
        /// The part of the UID.
        public var part: CascadePart

        public init(_ level: CascadeLevel, _ part: CascadePart) {
            self.level = level
            self.part = part
        }

        public init(parsing bytes: Span<UInt8>) throws(WireError) {
            try WireError.requireCount(bytes.count, is: Self.length, of: "SELECT")
            guard let level = CascadeLevel(sel: bytes[0]) else { throw WireError(.wrongCode, at: 0, in: "SEL") }
            guard bytes[1] == nvb else { throw WireError(.wrongCode, at: 1, in: "NVB", "of a SELECT it is 70") }
            self.init(level, CascadePart(bytes, at: 2))
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(level.sel)
            buffer.append(nvb)
            buffer.append(part.bytes)
        }
    }

    public typealias Response = SAK
}
