/// A response APDU: data, then the status word.
///
/// ```
/// data (0…65536) | SW1 | SW2
/// ```
/// Source: ISO/IEC 7816-4, "command-response pairs".
public struct ResponseAPDU: WireValue, CustomStringConvertible {
    public var data: [UInt8]
    /// The status word.
    public var status: StatusWord

    public init(_ data: [UInt8] = [], _ status: StatusWord = .success) {
        self.data = data
        self.status = status
    }

    /// Reads a response.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        guard bytes.count >= 2 else { throw WireError(.truncated, at: bytes.count, in: "status word") }
        let end = bytes.count - 2
        self.init(bytes.array(0..<end), StatusWord(bytes.bigEndian16(at: end)))
    }

    /// The response as it is sent.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 2)
        bytes.append(contentsOf: data)
        bytes.append(status.sw1)
        bytes.append(status.sw2)
        return bytes
    }

    /// Hexadecimal digits, bytes apart.
    public var description: String { Hex.text(bytes, separator: " ") }
}
