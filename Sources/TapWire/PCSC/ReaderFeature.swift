/// A feature of a reader and the control code by which it is used.
///
/// ```
/// tag | 04 | control code (4, BE)
/// ```
/// Source: PC/SC part 10, "GET_FEATURE_REQUEST".
public struct ReaderFeature: WireValue {
    /// Bytes of an entry.
    public static let length = 6

    /// What the feature is.
    public struct Tag: Hashable, Sendable {
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Properties as a list of ``ReaderProperty``.
        public static let properties = Tag(0x12)
        /// Escape commands.
        public static let escape = Tag(0x13)
    }

    /// What the feature is.
    public var tag: Tag
    /// How it is used.
    public var code: ControlCode

    public init(_ tag: Tag, _ code: ControlCode) {
        self.tag = tag
        self.code = code
    }

    /// Reads an entry.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        try WireError.requireCount(bytes.count, is: Self.length, of: "feature")
        guard bytes[1] == 4 else {
            throw WireError(.wrongLength, at: 1, in: "feature", "a control code has four bytes")
        }
        let code = (2..<Self.length).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1]) }
        self.init(Tag(bytes[0]), ControlCode(code))
    }

    /// The entry.
    public var bytes: [UInt8] { [tag.rawValue, 4] + code.rawValue.bigEndianBytes }

    /// Reads a list of entries; what follows the last whole one is left out.
    public static func list(_ bytes: [UInt8]) -> [ReaderFeature] {
        stride(from: 0, through: bytes.count - length, by: length).compactMap { start in
            try? ReaderFeature(parsing: Array(bytes[start..<start + length]))
        }
    }
}
