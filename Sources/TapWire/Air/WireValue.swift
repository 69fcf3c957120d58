/// A value with one layout in bytes: what one side encodes the other decodes.
///
/// A value can hold whatever fits its layout, legal or not; legality is the card's decision. Parsing and printing are
/// inverse: `Self(parsing: value.bytes) == value`.
public protocol WireValue: Hashable, Sendable {
    /// Reads the value from all of `bytes`.
    ///
    /// - Throws: ``WireError`` with the offset of the first byte that does not fit.
    init(parsing bytes: Span<UInt8>) throws(WireError)

    /// The value as it is sent or stored.
    var bytes: [UInt8] { get }
}

extension WireValue {
    /// Reads the value from all of `bytes`.
    ///
    /// - Throws: ``WireError`` with the offset of the first byte that does not fit.
    @inlinable
    public init(parsing bytes: [UInt8]) throws(WireError) {
        let slice = bytes[...]
        try self.init(parsing: slice.span)
    }
}

/// A wire value that is a frame, written into a card's or a reader's buffer without allocating.
public protocol FrameValue: WireValue {
    /// Appends the frame to `buffer`.
    func write(into buffer: inout FrameBuffer)
}

extension FrameValue {
    /// The frame as bytes, without CRC.
    public var bytes: [UInt8] {
        FrameBuffer.withTemporary { buffer in
            write(into: &buffer)
            return buffer.bytes
        }
    }
}
