import TapWire
import TestSupport
import Testing

@testable import TapTransports

@Suite struct `Requests to the PC/SC service` {
    @Test(arguments: ServiceRequest.samples)
    func `are only parsed as a whole`(request: ServiceRequest) throws {
        let bytes = request.bytes
        for count in 0..<bytes.count { #expect(try ServiceRequest.first(in: bytes[..<count]) == nil) }
        let (read, length) = try #require(try ServiceRequest.first(in: bytes[...]))
        #expect(read == request)
        #expect(length == bytes.count)
        let (first, rest) = try #require(try ServiceRequest.first(in: (bytes + bytes)[...]))
        #expect(first == request)
        #expect(rest == bytes.count)
    }

    @Test(
        arguments: [
            ("00000000 00000000", .unknownCommand), ("0C000000 03000000", .unknownCommand),
            ("00000000 18000000", .unknownCommand), ("FFFFFFFF FFFFFFFF", .unknownCommand),
            ("00000000 01000000", .wrongLength), ("0D000000 01000000", .wrongLength),
            ("FFFFFFFF 09000000", .wrongLength), ("01000000 12000000", .wrongLength),
        ] as [(String, ServiceRequest.Fault)])
    func `are rejected by their header`(hex: String, fault: ServiceRequest.Fault) throws {
        let bytes = try Hex.bytes(hex)
        #expect(throws: fault) { try ServiceRequest.first(in: bytes[...]) }
    }

    @Test(arguments: [0, 4, 262, ServiceRequest.maximumData])
    func `accept data up to the limit`(count: Int) throws {
        let data = [UInt8](repeating: 0xA5, count: count)
        let request = ServiceRequest.transmit(
            TransmitMessage(card: 1, sendLength: UInt32(count), receiveLength: 258), data)
        #expect(try ServiceRequest.first(in: request.bytes[...])?.request == request)
    }

    @Test(arguments: [ServiceRequest.maximumData + 1, Int(Int32.max), Int(UInt32.max)])
    func `reject more data than the limit`(count: Int) {
        let transmit = ServiceRequest.transmit(
            TransmitMessage(card: 1, sendLength: UInt32(count), receiveLength: 2), [])
        let control = ServiceRequest.control(
            ControlMessage(card: 1, code: 0, sendLength: UInt32(count), receiveLength: 2), [])
        #expect(throws: ServiceRequest.Fault.tooLong) { try ServiceRequest.first(in: transmit.bytes[...]) }
        #expect(throws: ServiceRequest.Fault.tooLong) { try ServiceRequest.first(in: control.bytes[...]) }
    }

    @Test func `reject an attribute value that is longer than its field`() {
        let request = ServiceRequest.getAttribute(AttributeMessage(card: 1, attribute: .atr, length: 265))
        #expect(throws: ServiceRequest.Fault.tooLong) { try ServiceRequest.first(in: request.bytes[...]) }
    }

    @Test func `never trap on any bytes`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(20_000) {
            var bytes =
                random.oneIn(2) ? random.bytes(random.number(0...400)) : random.pick(ServiceRequest.samples).bytes
            if !bytes.isEmpty, random.oneIn(2) { bytes[random.number(below: bytes.count)] = random.byte() }
            _ = try? ServiceRequest.first(in: bytes[...])
        }
    }
}
