import Foundation
import TapSystem
import TapTransports
import TapHost
import TapField
import TapReaders
import TestSupport
import Testing

/// Tests the transport with the installed pcscd and its vpcd driver.
@Suite struct `The vpcd transport` {
    /// Waits for a card, connects and requests its number.
    private static let identify = """
        == identify empty
        establish A
        change A 9000 R=empty
        connect A a shared T1
        transmit a T1 FFCA000000
        """
    /// The answer of the NTAG215.
    private static let ntag = "SCARD_S_SUCCESS 3:009000"
    /// The answer of the FeliCa card.
    private static let felica = "SCARD_S_SUCCESS 3:019000"

    private func identified(by field: VpcdField) throws -> String? {
        try field.calls(Self.identify, resultsOf: "transmit").last
    }

    @Test(arguments: [("ntag", "MIFARE Ultralight"), ("felica", "FeliCa")])
    func `pcsc_scan identifies the card by its ATR`(card: String, text: String) throws {
        let field = try VpcdField()
        field.tap(card)
        field.transport.settle(within: .seconds(10))
        let scan = try field.run(["pcsc_scan", "-t", "1"])
        #expect(scan.standardOutput.text.contains(text), "\(scan.standardOutput.text)\(scan.standardError.text)")
    }

    @Test func `pcscd finds the card without being root`() throws {
        // A user other than root runs all of these tests that way.
        let field = try VpcdField(user: geteuid() == 0 ? "nobody" : nil)
        field.tap("felica")
        #expect(try identified(by: field) == Self.felica)
        #expect(field.transport.wasUsed)
    }

    @Test func `a client that starts after the transport has settled finds the card without waiting`() throws {
        let field = try VpcdField()
        field.transport.settle(within: .seconds(10))
        field.tap("felica")
        field.transport.settle(within: .seconds(10))
        let table = "== at once empty\nestablish A\nconnect A a shared T1\ntransmit a T1 FFCA000000"
        #expect(try field.calls(table, resultsOf: "transmit") == [Self.felica])
    }

    @Test func `a tag forgets its authentication when it is reset and when it loses power`() throws {
        let field = try VpcdField(ACR122U(), tag: SampleTags.t1())
        let read = "transmit a T1 FF00000005D440013004\n"
        let authenticate = "transmit a T1 FF00000004D44A0100\ntransmit a T1 FF00000008D440011B12345678\n"
        let reads = try field.calls(
            "== forgetting ntag\nestablish A\nconnect A a shared T1\n" + read + authenticate + read
                + "reconnect a shared T1 reset\n" + read + authenticate + read
                + "disconnect a unpower\nconnect A a shared T1\n" + read,
            resultsOf: "transmit a T1 FF00000005")
        // The chip reports a NAK as a time-out.
        let refused = "SCARD_S_SUCCESS 5:D541019000"
        let readable = "SCARD_S_SUCCESS 21:D541000314D1011055046578616D706C652E639000"
        #expect(reads == [refused, readable, refused, readable, refused])
    }

    @Test func `the card is present again after pcscd restarts`() throws {
        let field = try VpcdField()
        field.tap("felica")
        #expect(try identified(by: field) == Self.felica)
        try field.pcscd.stop()
        try field.pcscd.start()
        #expect(try identified(by: field) == Self.felica)
    }

    @Test func `a transport can open before pcscd starts`() throws {
        let pcscd = try PrivatePCSCD(readers: [ScriptedReader().name])
        try pcscd.stop()
        let host = FieldHost(try World.withTwoCards())
        let transport = try VpcdTransport(ReaderSlot(ScriptedReader(), on: host), on: host, port: pcscd.readers[0].port)
        defer { transport.close() }
        host.perform { $0.tap("felica") }
        #expect(!transport.wasUsed)
        try pcscd.start()
        let log = try CallTable.run(
            Self.identify, reader: pcscd.readers[0].name, socket: pcscd.socket, host: host)
        #expect(log.last?.hasSuffix(Self.felica) == true, "\(log)")
    }

    @Test func `a second transport waits until the first one's card has gone`() throws {
        let field = try VpcdField()
        field.tap("ntag")
        #expect(try identified(by: field) == Self.ntag)
        let host = FieldHost(try World.withTwoCards())
        let transport = try VpcdTransport(
            ReaderSlot(ScriptedReader(), on: host), on: host, port: field.pcscd.readers[0].port)
        defer { transport.close() }
        host.perform { $0.tap("felica") }
        #expect(try identified(by: field) == Self.ntag)
        field.remove("ntag")
        _ = try field.calls("== gone empty\nestablish A\nchange A 9000 R=present\n", resultsOf: "change")
        #expect(try identified(by: field) == Self.felica)
    }

    @Test func `an empty command does not block the slot`() throws {
        let field = try VpcdField()
        let log = try field.calls(
            """
            == an empty command ntag
            establish A
            connect A a shared T1
            transmit a T1 -
            change A 9000 R=present
            change A 9000 R=empty
            reconnect a shared T1 leave
            transmit a T1 FFCA000000
            """, resultsOf: "transmit a T1 FFCA")
        #expect(log == [Self.ntag])
    }
}
