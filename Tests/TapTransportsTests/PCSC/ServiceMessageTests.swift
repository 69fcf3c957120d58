import TapWire
import Testing

@testable import TapTransports

/// The layouts of the protocol's structures, byte for byte.
///
/// Source: winscard_msg.h and eventhandler.h of pcsc-lite 1.9.9, 2.3.3 and 2.5.2.
@Suite struct `The structures of the PC/SC service` {
    private static let name = Hex.text(Array("R 00 00".utf8)) + String(repeating: "00", count: 121)

    private func check<Message: ServiceMessage>(_ message: Message, _ hex: String) throws {
        let bytes = try Hex.bytes(hex)
        #expect(bytes.count == Message.size)
        #expect(message.bytes == bytes)
        #expect(Message(parsing: bytes[...]) == message)
    }

    @Test func `header`() throws {
        try check(MessageHeader(length: 0x98, command: .connect), "98000000 04000000")
    }

    @Test func `version`() throws {
        try check(ProtocolVersion(minor: 4), "04000000 04000000 00000000")
        var refusal = ProtocolVersion(minor: 4)
        refusal.result = .serviceStopped
        try check(refusal, "04000000 04000000 1E001080")
    }

    @Test func `contexts`() throws {
        var establish = EstablishMessage(scope: 2)
        establish.context = 0x0102_0304
        try check(establish, "02000000 04030201 00000000")
        var release = ContextMessage(context: 0x0102_0304)
        release.result = .invalidHandle
        try check(release, "04030201 03001080")
        try check(CountMessage(result: .cancelled), "00000000 02001080")
        try check(CountMessage(count: 3), "03000000 00000000")
    }

    @Test func `connections`() throws {
        var connect = ConnectMessage(context: 1, reader: "R 00 00", shareMode: .shared, protocols: [.t0, .t1])
        connect.card = 0x0A0B_0C0D
        connect.activeProtocol = .t1
        connect.result = .removedCard
        try check(connect, "01000000 \(Self.name) 02000000 03000000 0D0C0B0A 02000000 69001080")
        var reconnect = ReconnectMessage(
            card: 0x0A0B_0C0D, shareMode: .exclusive, protocols: .raw, initialization: .unpower)
        reconnect.activeProtocol = .raw
        try check(reconnect, "0D0C0B0A 01000000 04000000 02000000 04000000 00000000")
        try check(DispositionMessage(card: 5, disposition: .eject), "05000000 03000000 00000000")
        try check(CardMessage(card: -1), "FFFFFFFF 00000000")
    }

    @Test func `exchanges`() throws {
        var transmit = TransmitMessage(card: 5, sendProtocol: .t1, sendLength: 4, receiveLength: 258)
        transmit.result = .insufficientBuffer
        try check(
            transmit, "05000000 02000000 10000000 04000000 03000000 10000000 02010000 08001080")
        #expect(transmit.bytes(followedBy: [0x90, 0x00]) == transmit.bytes + [0x90, 0x00])
        var control = ControlMessage(card: 5, code: 0x4200_0D48, sendLength: 1, receiveLength: 2)
        control.returnedLength = 7
        try check(control, "05000000 480D0042 01000000 02000000 07000000 00000000")
    }

    @Test func `attributes`() throws {
        let value: [UInt8] = [1, 2] + [UInt8](repeating: 0, count: 262)
        try check(
            AttributeMessage(card: 5, attribute: .atr, value: value, length: 2),
            "05000000 03030900 \(Hex.text(value)) 02000000 00000000")
    }

    @Test func `states of readers`() throws {
        var state = ReaderState()
        try check(state, String(repeating: "00", count: 184))
        state.name = "R 00 00"
        state.eventCounter = 0xFFFF
        state.flags = .ready
        state.sharing = -1
        state.atr = StorageCardATR.ntag
        state.activeProtocol = .t1
        let atr = Hex.text(StorageCardATR.ntag) + String(repeating: "00", count: 36 - 20)
        try check(state, "\(Self.name) FFFF0000 34000000 FFFFFFFF \(atr) 14000000 02000000")
    }

    @Test func `a name that fills its field has no zero, and is limited to its bytes`() {
        let message = ConnectMessage(
            context: 0, reader: String(repeating: "x", count: 200), shareMode: .shared, protocols: .t1)
        #expect(message.bytes.count == ConnectMessage.size)
        #expect(ConnectMessage(parsing: message.bytes[...]).reader == String(repeating: "x", count: 128))
    }

    @Test(
        arguments: [
            (4, 3, 4, true), (4, 4, 4, false), (4, 5, 5, false), (4, 6, 6, false), (4, 7, 6, true), (3, 4, 4, true),
            (5, 5, 5, true), (4, -1, 4, true), (4, .max, 6, true),
        ] as [(Int32, Int32, Int32, Bool)])
    func `a version is answered with the same or the closest supported version`(
        major: Int32, minor: Int32, answered: Int32, isRefused: Bool
    ) {
        let answer = ProtocolVersion(major: major, minor: minor).answer
        #expect(answer.major == 4)
        #expect(answer.minor == answered)
        #expect(answer.result == (isRefused ? .serviceStopped : .success))
    }
}
