import Foundation
import TapSystem
import TapField
import TapPCSC
import TapReaders
import TapWire
import TestSupport
import Testing

@Suite struct `A PC/SC context` {
    @Test func `distinguishes a missing library from a different library`() {
        var error = #expect(throws: PCSCLibraryError.self) { try PCSCLibrary(path: "/nonexistent/libpcsclite.so.1") }
        #expect(error?.code == .missing)
        #expect(error?.description.contains("install it") == true)
        error = #expect(throws: PCSCLibraryError.self) { try PCSCLibrary(path: "libc.so.6") }
        #expect(error?.code == .functionMissing("SCardEstablishContext"))
    }

    @Test func `explains how to start the service if it is not running`() {
        let error = #expect(throws: PCSCError.self) {
            try PrivatePCSCLibrary.open(socket: "/nonexistent/pcscd.comm")
        }
        #expect(error?.code == .noService)
        #expect(
            error?.description
                == "SCardEstablishContext failed with SCARD_E_NO_SERVICE (0x8010001D): the PC/SC service is not running; "
                + "start pcscd, or check PCSCLITE_CSOCK_NAME")
    }

    @Test(arguments: ServedField.Service.allCases)
    func `reports unknown states immediately, then changes, and can be cancelled`(
        service: ServedField.Service
    ) throws {
        let field = try ServedField.make(.noCard, over: service)
        let context = try PCSCContext(field.library)
        var readers = [ReaderStatus(name: field.readerName)]
        #expect(try context.awaitChange(of: &readers, timeout: nil))
        #expect(readers[0].flags.contains(.empty) && !readers[0].hasCard)
        #expect(try !context.awaitChange(of: &readers, timeout: .milliseconds(1)))
        // A call is lost if nobody is waiting, so it is repeated.
        let isOver = Lock(false)
        let helper = try BlockingThread {
            while !isOver.withLock({ $0 }) {
                BlockingThread.sleep(until: .now + .milliseconds(10))
                try? context.cancel()
            }
        }
        #expect(throws: PCSCError("SCardGetStatusChange", .cancelled)) {
            try context.awaitChange(of: &readers, timeout: ServedField.hangLimit)
        }
        isOver.withLock { $0 = true }
        helper.join()
        context.close()
        #expect(throws: PCSCError("SCardListReaders", .invalidHandle)) { try context.readers() }
    }

    @Test(arguments: ServedField.Service.allCases)
    func `lets a card be shared, reset, reconnected and queried`(service: ServedField.Service) throws {
        let field = try ServedField.make(.ndef, over: service)
        let context = try field.context()
        let (card, other) = (try context.connect(field.readerName), try context.connect(field.readerName))
        #expect(card.activeProtocol == .t1)
        #expect(try ContactlessATR(parsing: try card.atr()).storageCard == .ultralight)
        let uid = CommandAPDU(ins: .getData, expected: 0).bytes
        #expect(try ResponseAPDU(parsing: try card.transmit(uid)).data.count == 7)
        try other.reconnect(.reset)
        #expect(throws: PCSCError("SCardTransmit", .resetCard)) { try card.transmit(uid) }
        try card.reconnect(.leave)
        try card.beginTransaction()
        #expect(try ResponseAPDU(parsing: try card.transmit(uid)).status.isSuccess)
        try card.endTransaction(.leave)
        // The driver of vpcd does not accept commands to the reader and has no attributes.
        if service == .own {
            #expect(try card.attribute(0x0009_0303) == card.atr())
            #expect(try ReaderFeature.list(card.control(ControlCode.features.rawValue)).map(\.tag) == [.escape])
        }
        #expect(throws: PCSCError.self) { try card.control(0x4200_0FFF) }
        card.disconnect(.leave)
        #expect(throws: PCSCError("SCardTransmit", .invalidHandle)) { try card.transmit(uid) }
    }

    @Test func `names every return code of the service`() {
        #expect(PCSCReturnCode.removedCard.entry?.name == "SCARD_W_REMOVED_CARD")
        #expect(PCSCError("SCardConnect", PCSCReturnCode(0x8010_0099)).description.contains("0x80100099"))
        #expect(Set(PCSCReturnCode.known.map(\.code)).count == PCSCReturnCode.known.count)
    }
}
