import TapWire
import Testing

@Suite struct `Polling packets` {
    @Test func `reads and writes the command of vector S02`() throws {
        let bytes = try Hex.bytes("06 00 FFFF 01 00")
        let request = try Polling.Request(parsing: bytes)
        #expect(request == Polling.Request(systemCode: .any, requestCode: .systemCode))
        #expect(request.bytes == bytes)
    }
}
