import Foundation
import TapHost
import TapClient
import TapSystem
import TapField
import TapPCSC
import TapReaders
import TapWire
import Testing

@Suite struct `A reader link` {
    private static let read = RFFrame(.typeA106, ReadPages.Request(page: 0).bytes)
    private static let hangLimit = ServedField.hangLimit

    @Test(arguments: ServedField.Service.allCases)
    func `waits for a card that is tapped later`(service: ServedField.Service) async throws {
        let field = try ServedField.make(.ndef, over: service)
        field.host.perform { $0.remove("card") }
        var link = try field.link()
        #expect(try await !link.awaitCard(timeout: .zero))
        let host = field.host
        let helper = try BlockingThread {
            BlockingThread.sleep(until: .now + .milliseconds(20))
            host.perform { $0.tap("card") }
        }
        #expect(try await link.awaitCard(timeout: Self.hangLimit))
        helper.join()
    }

    @Test(arguments: ServedField.Service.allCases)
    func `is silent after the card was removed, and finds it when it is back`(
        service: ServedField.Service
    ) async throws {
        let field = try ServedField.make(.ndef, over: service)
        var link = try field.link()
        #expect(try await link.activate(.typeA(), timeout: Self.hangLimit) != nil)
        #expect(try await link.transceive(Self.read, timeout: .milliseconds(20))?.bytes.count == 16)
        field.host.perform { $0.remove("card") }
        #expect(try await link.transceive(Self.read, timeout: .milliseconds(20)) == nil)
        #expect(try await link.transceive(Self.read, timeout: .milliseconds(20)) == nil)
        #expect(try await link.activate(.typeA(), timeout: .zero) == nil)
        field.host.perform { $0.tap("card") }
        #expect(try await Self.activateAgain(&link))
        #expect(try await link.transceive(Self.read, timeout: .milliseconds(20))?.bytes.count == 16)
    }

    /// Looks until there is a card: for some time pcscd shows a card that has gone, and then a card that has not returned yet.
    private static func activateAgain(_ link: inout PCSCLink) async throws -> Bool {
        let end = ContinuousClock.now + hangLimit
        while ContinuousClock.now < end {
            if try await link.activate(.typeA(), timeout: hangLimit) != nil { return true }
        }
        return false
    }

    @Test(arguments: ServedField.Service.allCases)
    func `locks the card until the link is closed or released, and leaves the card reset`(
        service: ServedField.Service
    ) async throws {
        let field = try ServedField.make(.ndef, over: service)
        let other = try field.context().connect(field.readerName)
        let uid = CommandAPDU(ins: .getData, expected: 0).bytes
        for closes in [true, false] {
            try await useLink(of: field, closing: closes) {
                #expect(throws: PCSCError("SCardControl", .sharingViolation)) {
                    try other.control(ControlCode.features.rawValue)
                }
            }
            #expect(throws: PCSCError("SCardTransmit", .resetCard)) { try other.transmit(uid) }
            try other.reconnect(.leave)
            #expect(try ResponseAPDU(parsing: try other.transmit(uid)).status.isSuccess)
        }
    }

    private func useLink(of field: ServedField, closing: Bool, _ body: () throws -> Void) async throws {
        var link = try field.link()
        #expect(try await link.activate(.typeA(), timeout: Self.hangLimit) != nil)
        try body()
        if closing { link.close() }
    }

    @Test(arguments: ServedField.Service.allCases)
    func `reports that another program uses the card exclusively`(service: ServedField.Service) async throws {
        let field = try ServedField.make(.ndef, over: service)
        let other = try field.context().connect(field.readerName, .exclusive)
        var link = try field.link()
        let error = await #expect(throws: LinkError.self) {
            try await link.activate(.typeA(), timeout: Self.hangLimit)
        }
        #expect(error?.code == .closed)
        #expect(error?.description.contains("another program is using the card") == true)
        other.disconnect(.leave)
        #expect(try await link.activate(.typeA(), timeout: Self.hangLimit) != nil)
    }

    @Test func `fails if the reader is unplugged or the service ends`() async throws {
        for unplugs in [true, false] {
            let field = try ServedField.make(.ndef)
            var link = try field.link()
            #expect(try await link.activate(.typeA(), timeout: Self.hangLimit) != nil)
            if unplugs { field.unplug() } else { field.end() }
            await #expect(throws: LinkError.self) {
                // The first call may find the card gone, the next call the reader.
                for _ in 0..<3 { _ = try await link.activate(.typeA(), timeout: .zero) }
            }
        }
    }

    @Test func `can be opened by a unique part of the reader's name`() throws {
        let names = ["ACS ACR122U 00 00", "ACS ACR122U 01 00", "Sony RC-S380"]
        let field = try ServedField(
            World(seed: 1, trace: .off), readers: names.map { StorageCardReader(name: $0) })
        #expect(try PCSCLink.open("s380", field.library).readerName.hasPrefix("Sony RC-S380"))
        for (name, text) in [("acr122", "2 PC/SC readers have"), ("omnikey", "no PC/SC reader has"), ("", "3 PC/SC")] {
            let error = #expect(throws: LinkError.self) { try PCSCLink.open(name, field.library) }
            #expect(error?.description.contains(text) == true)
        }
        let empty = try ServedField(World(seed: 1, trace: .off), readers: [])
        let error = #expect(throws: LinkError.self) { try PCSCLink.open("acr122", empty.library) }
        #expect(error?.description.contains("there is no PC/SC reader") == true)
    }

    @Test func `lists readers with their dialects and cards`() throws {
        let field = try ServedField(
            try Procedure.ndef.world(),
            readers: [StorageCardReader(), StorageCardReader(name: "ACS ACR122U PICC Interface")])
        let readers = try PCSCReaders.list(field.library)
        #expect(readers.map(\.name) == [field.readerName, "ACS ACR122U PICC Interface 01 00"])
        #expect(readers.map(\.family) == [.standard, .acr122])
        let atr = try #require(readers.first?.atr)
        #expect(try ContactlessATR(parsing: atr).storageCard == .ultralight)
    }
}
