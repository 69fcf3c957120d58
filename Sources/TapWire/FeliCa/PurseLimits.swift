/// The bounds of a value-limited purse.
///
/// ```
/// flag | upper limit (4, LE, signed) | lower limit (4, LE, signed) | generation
/// ```
/// Source: measured by felica-tool, Get Node Property.
public struct PurseLimits: Hashable, Sendable {
    public static let byteCount = 10

    /// 01 where the purse is limited, else 00.
    public var flag: UInt8
    /// Highest value.
    public var upper: Int32
    /// Lowest value.
    public var lower: Int32
    /// Counts changes of the limits.
    public var generation: UInt8

    /// Creates the limits of a purse, by default those of a purse whose option is on and untouched.
    public init(lower: Int32 = 0, upper: Int32 = .max, generation: UInt8 = 0) {
        self.init(flag: 1, lower: lower, upper: upper, generation: generation)
    }

    private init(flag: UInt8, lower: Int32, upper: Int32, generation: UInt8) {
        self.flag = flag
        self.lower = lower
        self.upper = upper
        self.generation = generation
    }

    /// A purse without limits: all bytes behind the flag are FF.
    public static let disabled = PurseLimits(flag: 0, lower: -1, upper: -1, generation: 0xFF)

    /// Whether the purse is limited.
    public var isEnabled: Bool { flag != 0 }

    /// Reads ten bytes of a span whose length the caller has checked.
    package init(_ bytes: Span<UInt8>, at offset: Int) {
        func signed32(at offset: Int) -> Int32 {
            Int32(
                bitPattern: UInt32(bytes.littleEndian16(at: offset)) | UInt32(bytes.littleEndian16(at: offset + 2))
                    << 16)
        }
        flag = bytes[offset]
        upper = signed32(at: offset + 1)
        lower = signed32(at: offset + 5)
        generation = bytes[offset + 9]
    }

    func write(into buffer: inout FrameBuffer) {
        buffer.append(flag)
        buffer.append(littleEndian: UInt32(bitPattern: upper))
        buffer.append(littleEndian: UInt32(bitPattern: lower))
        buffer.append(generation)
    }
}
