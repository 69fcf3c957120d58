/// Cuts what comes over the line of a PN532 into frames.
///
/// What stands between frames is dropped: bytes that wake the chip up, postambles, frames with a wrong checksum. A chip
/// answers none of these, and a host that misses its ACK sends the command again.
public struct PN532FrameReader: Sendable {
    private var bytes: [UInt8] = []
    /// Where what is not read yet begins; after a search without a find, at most one unfinished frame is left.
    private var position = 0

    public init() {}

    /// Takes bytes of the line.
    public mutating func append(_ more: ArraySlice<UInt8>) {
        if position == bytes.count {
            bytes.removeAll(keepingCapacity: true)
        } else {
            bytes.removeFirst(position)
        }
        position = 0
        bytes += more
    }

    /// The next whole frame, or nothing until more bytes come.
    public mutating func next() -> PN532Frame? {
        let line = bytes[...]
        switch PN532Frame.find(in: line.span, from: position) {
        case .frame(let frame, let end):
            position = end
            return frame
        case .nothing(let start):
            position = start
            return nil
        }
    }
}
