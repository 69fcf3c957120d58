import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

/// A USB reader as several programs see it.
@Suite struct `A USB reader` {
    private func port(_ model: ReaderModel = .rcs380, files: Int = 1) throws -> USBPort {
        var port = USBPort(try #require(model.makeUSBReader()).device)
        for file in 0..<files { port.open(file) }
        return port
    }

    private func block(_ endpoint: UInt8, _ output: [UInt8] = [], at address: UInt = 0x1000) throws -> URB {
        let length = UInt32(output.isEmpty ? 64 : output.count).littleEndianBytes
        let bytes = [3, endpoint] + [UInt8](repeating: 0, count: 22) + length + [UInt8](repeating: 0, count: 28)
        var block = try #require(URB(parsing: bytes, at: address))
        block.output = output
        return block
    }

    private func submit(
        _ port: inout USBPort, _ endpoint: UInt8, _ output: [UInt8] = [], by file: Int
    ) throws -> Int32 {
        port.submit(try block(endpoint, output), by: file)
    }

    @Test func `can be claimed by one program at a time`() throws {
        var port = try port(.rcs300, files: 2)
        #expect(port.claim(1, by: 0) == true)
        #expect(port.claim(1, by: 0) == true)
        #expect(port.claim(1, by: 1) == false)
        #expect(port.claim(0, by: 1) == true)
        // An interface claimed by another program cannot be used either: EBUSY.
        #expect(try submit(&port, 0x02, [1], by: 1) == 16)
        port.release(1, by: 0)
        #expect(port.claim(1, by: 1) == true)
        port.close(1)
        #expect(port.claim(0, by: 0) == true)
    }

    @Test func `passes nothing from a program that ended on to the next`() throws {
        var port = try port()
        #expect(try submit(&port, 0x02, [1], by: 0) == 0)
        #expect(try submit(&port, 0x81, by: 0) == 0)
        port.send([1, 2, 3], on: 0x81)
        port.send([4, 5, 6], on: 0x81)
        port.close(0)
        // The transfer has finished, so the reader takes it.
        #expect(port.takeJob() == .transfer([1], endpoint: 0x02))
        port.open(1)
        port.send([1, 2, 3], on: 0x81)
        #expect(port.takeJob() == .begin)
        #expect(port.takeJob() == nil)
        #expect(try submit(&port, 0x81, by: 1) == 0)
        #expect(port.reap(1) == nil)
        port.close(1)
        port.send([7], on: 0x81)
        port.open(2)
        #expect(try submit(&port, 0x81, by: 2) == 0)
        #expect(port.reap(2) == nil)
    }

    @Test func `restarts after the program that had claimed it ends, even while others have it open`() throws {
        var port = try port(files: 2)
        #expect(port.claim(0, by: 0) == true)
        #expect(try submit(&port, 0x02, [1], by: 0) == 0)
        #expect(port.takeJob() == .transfer([1], endpoint: 0x02))
        port.send([1, 2, 3], on: 0x81)
        port.close(0)
        port.send([4, 5, 6], on: 0x81)
        #expect(port.claim(0, by: 1) == true)
        #expect(try submit(&port, 0x81, by: 1) == 0)
        #expect(port.reap(1) == nil)
        #expect(port.takeJob() == .begin)
    }

    @Test func `looks for cards once a program has claimed the interface that reports them`() throws {
        var port = try port(.rcs300, files: 2)
        #expect(port.claim(1, by: 0) == true)
        #expect(port.takeJob() == nil)
        #expect(port.claim(0, by: 1) == true)
        #expect(port.claim(0, by: 1) == true)
        #expect(port.takeJob() == .look)
        #expect(port.takeJob() == nil)
        for _ in 0..<100 {
            port.release(0, by: 1)
            #expect(port.claim(0, by: 1) == true)
        }
        #expect(port.takeJob() == .look)
        #expect(port.takeJob() == nil)
    }

    @Test func `does not give the next program an answer for a program that ended while the reader worked`() throws {
        var port = try port()
        #expect(try submit(&port, 0x02, [1], by: 0) == 0)
        #expect(port.takeJob() == .transfer([1], endpoint: 0x02))
        port.close(0)
        port.open(1)
        #expect(try submit(&port, 0x81, by: 1) == 0)
        port.send([1, 2, 3], on: 0x81)
        #expect(port.reap(1) == nil)
        #expect(port.takeJob() == .begin)
        port.send([4], on: 0x81)
        #expect(port.reap(1)?.input == [4])
    }

    @Test func `continues for the other programs when one ends`() throws {
        var port = try port(files: 2)
        #expect(try submit(&port, 0x81, by: 1) == 0)
        port.close(0)
        port.send([9], on: 0x81)
        #expect(port.reap(1)?.input == [9])
    }

    @Test func `ends pending operations when it is unplugged, and is gone for programs that had it open`() throws {
        var port = try port()
        #expect(port.claim(0, by: 0) == true)
        #expect(try submit(&port, 0x81, by: 0) == 0)
        port.unplug()
        #expect(port.hasFinished)
        // ESHUTDOWN.
        #expect(port.reap(0)?.status == -108)
        #expect(!port.hasFinished)
        #expect(port.isGone(0))
        port.plug()
        port.open(1)
        #expect(!port.isGone(1))
        #expect(port.isGone(0))
        #expect(port.claim(0, by: 1) == true)
    }

    @Test func `makes programs wait that send too much, and accepts only as much as is fetched`() throws {
        var port = try port()
        for number in 0..<USBPort.maximumWaiting + 2 {
            #expect(try submit(&port, 0x02, [UInt8(number)], by: 0) == 0)
        }
        for _ in 0..<USBPort.maximumWaiting { #expect(port.reap(0)?.status == 0) }
        #expect(port.reap(0) == nil)
        #expect(port.takeJob() == .transfer([0], endpoint: 0x02))
        #expect(port.reap(0)?.output == [UInt8(USBPort.maximumWaiting)])
        for _ in 0..<USBPort.maximumUnfetched { port.send([1], on: 0x81) }
        #expect(port.takeJob() == nil)
        port.drop(0x81)
        #expect(port.takeJob() == .transfer([1], endpoint: 0x02))
    }

    /// The reader would otherwise stop for a program that does not fetch news of cards.
    @Test func `keeps only the newest news of cards, and continues to work`() throws {
        var port = try port(.rcs300)
        for number in 0...USBPort.maximumUnfetched { port.send([0x50, UInt8(number)], on: 0x81) }
        #expect(try submit(&port, 0x01, [1], by: 0) == 0)
        #expect(port.takeJob() == .transfer([1], endpoint: 0x01))
        #expect(port.reap(0)?.output == [1])
        #expect(try submit(&port, 0x81, by: 0) == 0)
        #expect(port.reap(0)?.input == [0x50, UInt8(USBPort.maximumUnfetched)])
    }

    @Test func `cancels a block once when its program discards it`() throws {
        var port = try port()
        #expect(try submit(&port, 0x81, by: 0) == 0)
        #expect(port.discard(0x2000, of: 0) == false)
        #expect(port.discard(0x1000, of: 0) == true)
        #expect(port.discard(0x1000, of: 0) == false)
        // ENOENT.
        #expect(port.reap(0)?.status == -2)
        port.send([1], on: 0x81)
        #expect(port.reap(0) == nil)
    }

    /// The values that libudev computes for filters.
    @Test(arguments: [("usb", 0x0577_C5E5), ("usb_device", 0x27F8_F50C), ("usb_interface", 0xB102_4765)])
    func `is announced with the hashes that programs filter by`(text: String, hash: UInt32) {
        #expect(USBEvent.murmur2(text) == hash)
    }
}
