import TapWire
import TestSupport
import Testing

/// Checks the rules for every FeliCa packet: LEN is right, parsing reverses writing, and missing or additional bytes are
/// errors.
func expectPacketLaws<Packet: FrameValue>(_ packet: Packet) throws {
    let bytes = packet.bytes
    let comment: Comment = "\(packet), \(Hex.text(bytes)), seed \(TestSeed.value)"
    try #require(bytes.count <= FeliCaPacket.maximumLength, comment)
    #expect(bytes.count == Int(bytes[0]), comment)
    #expect(try Packet(parsing: bytes) == packet, comment)
    for count in bytes.indices {
        #expect(parseError(Packet.self, Array(bytes[..<count]))?.code == .truncated, comment)
        expectInverse(Packet.self, Array(bytes[..<count]), comment)
    }
    #expect(parseError(Packet.self, bytes + [0])?.code == .trailingBytes, comment)
    expectInverse(Packet.self, bytes + [0], comment)
    var other = bytes
    other[1] ^= 0x40
    #expect(parseError(Packet.self, other)?.code == .wrongCode, comment)
}

/// Checks that cut or extended bytes with a corrected LEN either fail to parse or parse to a packet with the same bytes.
private func expectInverse<Packet: FrameValue>(_: Packet.Type, _ bytes: [UInt8], _ comment: Comment) {
    guard !bytes.isEmpty else { return }
    var bytes = bytes
    bytes[0] = UInt8(truncatingIfNeeded: bytes.count)
    if let packet = try? Packet(parsing: bytes) { #expect(packet.bytes == bytes, comment) }
}

/// The error from parsing bytes as a packet, or `nil` if they are valid.
func parseError<Packet: FrameValue>(_: Packet.Type, _ bytes: [UInt8]) -> WireError? {
    do throws(WireError) {
        _ = try Packet(parsing: bytes)
        return nil
    } catch {
        return error
    }
}
