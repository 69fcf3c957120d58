/// A frame on the connection between a host and a PN532.
///
/// ```
/// information  00 | 00 FF | LEN | LCS | packet | DCS | 00
/// extended     00 | 00 FF | FF FF | LEN (2, BE) | LCS | packet | DCS | 00
/// ACK          00 | 00 FF | 00 FF | 00
/// NACK         00 | 00 FF | FF 00 | 00
/// ```
/// LEN and LCS add up to zero modulo 256, and so do the packet and DCS. The packet is a `PN532Packet`; the error frame is
/// an information frame with `PN532Packet.syntaxError`. Source: NXP, PN532 user manual UM0701-02, "frames structure".
public enum PN532Frame: WireValue {
    /// A packet, starting with its TFI.
    case information([UInt8])
    /// ACK: the chip has received a command; sent by the host, it aborts the current command.
    case acknowledgement
    /// NACK: the host requests the last answer again.
    case rejection

    /// The maximum length of a packet: TFI, code and ``PN532Packet/maximumData``.
    package static let maximumPacket = 2 + PN532Packet.maximumData
    /// The length from which a packet is sent in an extended frame.
    ///
    /// The manual allows 255 bytes in a normal frame, but nfcpy treats LEN FF as the mark of an extended frame.
    static let extendedLength = 0xFF

    /// Reads a frame with one preamble byte and one postamble byte.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        guard bytes.count > 0, bytes[0] == 0 else { throw WireError(.wrongValue, at: 0, in: "preamble") }
        switch Self.find(in: bytes, from: 1) {
        case .frame(let frame, let end):
            guard end < bytes.count else { throw WireError(.truncated, at: end, in: "PN532 frame") }
            guard bytes[end] == 0 else { throw WireError(.wrongValue, at: end, in: "postamble") }
            guard end + 1 == bytes.count else { throw WireError(.trailingBytes, at: end + 1, in: "PN532 frame") }
            self = frame
        case .nothing(1): throw WireError(.truncated, at: bytes.count, in: "PN532 frame")
        case .nothing: throw WireError(.wrongValue, at: 1, in: "PN532 frame", "start code, length or checksum is wrong")
        }
    }

    /// The frame with one preamble byte and one postamble byte, as sent by the chip.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .acknowledgement: bytes += [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
        case .rejection: bytes += [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]
        case .information(let packet):
            if packet.count < Self.extendedLength {
                let length = UInt8(packet.count)
                bytes += [0x00, 0x00, 0xFF, length, 0 &- length]
            } else {
                let (high, low) = (UInt8(packet.count >> 8 & 0xFF), UInt8(packet.count & 0xFF))
                bytes += [0x00, 0x00, 0xFF, 0xFF, 0xFF, high, low, 0 &- high &- low]
            }
            bytes += packet
            bytes += [0 &- packet.reduce(0, &+), 0x00]
        }
    }
}

extension PN532Frame {
    /// Corrects LCS and DCS of a modified frame to match LEN and the packet; Port-100 frames have them at the same positions.
    ///
    /// DCS is assumed to be the second to last byte.
    package static func fixSums(of bytes: inout [UInt8]) {
        guard bytes.count > 5, bytes.starts(with: [0x00, 0x00, 0xFF]) else { return }
        let length = bytes[3] == 0xFF && bytes[4] == 0xFF ? 5..<7 : 3..<4
        guard bytes.count > length.upperBound + 2 else { return }
        bytes[length.upperBound] = 0 &- bytes[length].reduce(0, &+)
        let packet = length.upperBound + 1..<bytes.count - 2
        bytes[bytes.count - 2] = 0 &- bytes[packet].reduce(0, &+)
    }

    package enum Finding: Hashable, Sendable {
        /// A frame, and the index after its checksum.
        case frame(PN532Frame, end: Int)
        /// No complete frame; a frame may begin at this index.
        case nothing(keepingFrom: Int)
    }

    /// Finds the first frame, ignoring anything before it; a frame with a wrong checksum is not a frame.
    package static func find(in bytes: Span<UInt8>, from start: Int) -> Finding {
        var place = start
        while place + 1 < bytes.count {
            guard bytes[place] == 0x00, bytes[place + 1] == 0xFF else {
                place += 1
                continue
            }
            switch body(in: bytes, at: place + 2) {
            case .frame(let frame, let end): return .frame(frame, end: end)
            case .unfinished: return .nothing(keepingFrom: place)
            case .broken: place += 1
            }
        }
        // The last byte may be the first byte of a start code.
        let mayBegin = place < bytes.count && bytes[place] == 0x00
        return .nothing(keepingFrom: mayBegin ? place : bytes.count)
    }

    private enum Body {
        case frame(PN532Frame, end: Int)
        case unfinished
        case broken
    }

    /// Reads everything after a start code.
    private static func body(in bytes: Span<UInt8>, at place: Int) -> Body {
        guard place + 1 < bytes.count else { return .unfinished }
        switch (bytes[place], bytes[place + 1]) {
        case (0x00, 0xFF): return .frame(.acknowledgement, end: place + 2)
        case (0xFF, 0x00): return .frame(.rejection, end: place + 2)
        case (0xFF, 0xFF):
            guard place + 4 < bytes.count else { return .unfinished }
            let (high, low) = (bytes[place + 2], bytes[place + 3])
            guard high &+ low &+ bytes[place + 4] == 0 else { return .broken }
            return packet(in: bytes, at: place + 5, count: Int(high) << 8 | Int(low))
        case (let length, let check):
            guard length &+ check == 0 else { return .broken }
            return packet(in: bytes, at: place + 2, count: Int(length))
        }
    }

    private static func packet(in bytes: Span<UInt8>, at place: Int, count: Int) -> Body {
        guard 1...maximumPacket ~= count else { return .broken }
        let end = place + count + 1
        guard end <= bytes.count else { return .unfinished }
        var sum: UInt8 = 0
        for index in place..<end { sum &+= bytes[index] }
        guard sum == 0 else { return .broken }
        return .frame(.information(bytes.array(place..<end - 1)), end: end)
    }
}

/// Splits the bytes received over a PN532 connection into frames.
///
/// Everything between frames is dropped: wake-up bytes, postambles, frames with a wrong checksum. A chip answers none of
/// these, and a host that gets no ACK sends the command again.
public struct PN532FrameReader: Sendable {
    private var bytes: [UInt8] = []
    /// The start of the unread bytes; after an unsuccessful search, at most one incomplete frame remains.
    private var position = 0

    public init() {}

    public mutating func append(_ more: ArraySlice<UInt8>) {
        if position == bytes.count {
            bytes.removeAll(keepingCapacity: true)
        } else {
            bytes.removeFirst(position)
        }
        position = 0
        bytes += more
    }

    /// The next complete frame, or `nil` if more bytes are needed.
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
