import TapWire

extension PN532Frame {
    /// The frames in data received from a line: `ack`, `nack` and packets.
    public static func texts(_ bytes: [UInt8]) -> [String] {
        var reader = PN532FrameReader()
        reader.append(bytes[...])
        var texts: [String] = []
        while let frame = reader.next() {
            switch frame {
            case .acknowledgement: texts.append("ack")
            case .rejection: texts.append("nack")
            case .information(let packet): texts.append(Hex.text(packet))
            }
        }
        return texts
    }
}
