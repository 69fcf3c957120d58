import TapReaders
import TapWire
import TestSupport
import Testing

@testable import TapTransports

/// Requests of a program to a device, as sent by the preload library, and their answers.
@Suite struct `A USB device session` {
    private static let address: UInt = 0x7F00_0000_1000
    private static let buffer: UInt = 0x7F00_0000_2000
    private static let file = 1

    /// A device with one open file, controlled by requests.
    private struct Bench {
        var port: USBPort
        var session = UsbfsSession(file, address: 2)

        init(_ model: ReaderModel = .rcs380) throws {
            port = USBPort(try #require(model.makeUSBReader()).device)
            port.open(file)
        }

        mutating func send(_ bytes: [UInt8]) throws -> [UInt8] {
            try #require(session.receive(bytes[...], &port))
        }

        /// The answer to an `ioctl`, including the data read from the client.
        mutating func ioctl(
            _ request: UsbfsRequest, _ argument: UInt = address, reading parts: [UInt8]...
        ) throws -> [UInt8] {
            let number = UInt(UInt8(ascii: "U")) << 8 | UInt(request.rawValue)
            var answer = try send(PreloadWord.bytes(1, number, argument))
            for part in parts { answer = try send(part) }
            return answer
        }

        /// The answer to an `ioctl` of a copied client, which sends the memory with it.
        mutating func wholeIoctl(_ request: UInt, _ memory: [UInt8] = []) throws -> [UInt8] {
            try send(Self.whole(request, memory))
        }

        static func whole(_ request: UInt, _ memory: [UInt8]) -> [UInt8] {
            PreloadWord.bytes(16, UInt(UInt8(ascii: "U")) << 8 | request | UInt(memory.count) << 32, address) + memory
        }

        mutating func reapWaiting() -> [UInt8] { session.reapWaiting(&port) }

        mutating func submit(
            _ kind: URB.Kind, _ endpoint: UInt8, _ output: [UInt8] = [], count: Int = 0
        ) throws -> [UInt8] {
            let block = Self.block(kind, endpoint, count: max(count, output.count))
            return try output.isEmpty
                ? ioctl(.submit, reading: block) : ioctl(.submit, reading: block, output)
        }

        static func block(_ kind: URB.Kind, _ endpoint: UInt8, count: Int) -> [UInt8] {
            [kind.rawValue, endpoint, 0, 0] + [UInt8](repeating: 0, count: 12) + UInt64(buffer).littleEndianBytes
                + UInt32(count).littleEndianBytes + [UInt8](repeating: 0, count: 28)
        }
    }

    /// The bytes of orders.
    private static func text(_ orders: PreloadOrder...) -> [UInt8] {
        orders.reduce(into: []) { $1.append(to: &$0) }
    }

    @Test(arguments: [
        (UsbfsRequest.getCapabilities, text(.write(address: address, [0x15, 0, 0, 0]), .done(0))),
        (.getSpeed, text(.done(2))), (.connectInfo, text(.write(address: address, [2, 0, 0, 0, 0]), .done(0))),
        (.getDriver, text(.failed(61))), (.driver, text(.failed(61))), (.setConfiguration, text(.done(0))),
        (.setInterface, text(.done(0))), (.reset, text(.done(0))), (.clearHalt, text(.done(0))),
        (.reapAtOnce, text(.failed(11))), (.discard, text(.failed(22))),
    ])
    func `answers requests like the kernel`(request: UsbfsRequest, answer: [UInt8]) throws {
        var bench = try Bench()
        #expect(try bench.ioctl(request) == answer)
    }

    @Test func `rejects requests of other devices, and writes`() throws {
        var bench = try Bench()
        #expect(try bench.send(PreloadWord.bytes(1, 0x5413, Self.address)) == Self.text(.failed(25)))
        #expect(try bench.send(PreloadWord.bytes(1, 0x55FE, Self.address)) == Self.text(.failed(25)))
        #expect(try bench.send(PreloadWord.bytes(8, Self.buffer, 3)) == Self.text(.failed(22)))
        let hangsUp = bench.session.receive(PreloadWord.bytes(9, 0, 0)[...], &bench.port)
        #expect(hangsUp == nil)
    }

    @Test func `carries out a request with its memory in one message`() throws {
        var bench = try Bench()
        let submit = UInt(UsbfsRequest.submit.rawValue)
        let block = Bench.block(.bulk, 0x02, count: 3)
        #expect(try bench.wholeIoctl(submit, block + [1, 2, 3]) == Self.text(.done(0)))
        #expect(bench.port.takeJob() == .transfer([1, 2, 3], endpoint: 0x02))
        let reap = try bench.send(
            PreloadWord.bytes(16, UInt(UInt8(ascii: "U")) << 8 | UInt(UsbfsRequest.reapAtOnce.rawValue), Self.buffer))
        #expect(reap == reaped([], status: 0, count: 3))
        let tooLong = Bench.block(.bulk, 0x02, count: URB.maximumOutput + 1)
        #expect(try bench.wholeIoctl(submit, tooLong) == Self.text(.failed(22)))
        #expect(try bench.wholeIoctl(0xFE, [1, 2]) == Self.text(.failed(25)))
        #expect(try bench.wholeIoctl(UInt(UsbfsRequest.claim.rawValue), [0, 0, 0, 0]) == Self.text(.done(0)))
        bench.port.unplug()
        #expect(try bench.wholeIoctl(submit, block + [1, 2, 3]) == Self.text(.failed(19)))
        #expect(try bench.wholeIoctl(UInt(UsbfsRequest.getSpeed.rawValue)) == Self.text(.failed(19)))
    }

    @Test(arguments: [
        Bench.whole(UInt(UsbfsRequest.submit.rawValue), Bench.block(.bulk, 0x02, count: 3) + [1, 2]),
        Bench.whole(UInt(UsbfsRequest.claim.rawValue), []), PreloadWord.bytes(16, 0x550A | 1 << 60, address),
    ])
    func `hangs up on a request with too little or too much memory`(message: [UInt8]) throws {
        var bench = try Bench()
        #expect(bench.session.receive(message[...], &bench.port) == nil)
    }

    /// Otherwise an unplugged device would block the interface for the next program.
    @Test func `does not claim a device that is unplugged while its argument is read`() throws {
        var bench = try Bench()
        let number = UInt(UInt8(ascii: "U")) << 8 | UInt(UsbfsRequest.claim.rawValue)
        let order = try bench.send(PreloadWord.bytes(1, number, Self.address))
        #expect(order == Self.text(.read(address: Self.address, count: 4)))
        bench.port.unplug()
        #expect(try bench.send([0, 0, 0, 0]) == Self.text(.failed(19)))
        bench.port.plug()
        bench.port.open(Self.file + 1)
        #expect(bench.port.claim(0, by: Self.file + 1) == true)
    }

    @Test func `reads descriptors in pieces`() throws {
        var bench = try Bench()
        var read: [UInt8] = []
        for count in [18, 8, 100, 100] {
            let answer = try bench.send(PreloadWord.bytes(7, Self.buffer, UInt(count)))
            let piece = bench.port.device.descriptors.dropFirst(read.count).prefix(count)
            #expect(answer == Self.text(.write(address: Self.buffer, Array(piece)), .done(piece.count)))
            read += piece
        }
        #expect(read == bench.port.device.descriptors)
    }

    @Test func `carries a command to the reader and returns its answer`() throws {
        var bench = try Bench()
        #expect(try bench.submit(.bulk, 0x02, [1, 2, 3]) == Self.text(.done(0)))
        #expect(bench.port.takeJob() == .transfer([1, 2, 3], endpoint: 0x02))
        #expect(bench.port.hasFinished)
        let sent = try bench.ioctl(.reapAtOnce, Self.buffer)
        #expect(sent == reaped([], status: 0, count: 3))
        #expect(try bench.submit(.bulk, 0x81, count: 64) == Self.text(.done(0)))
        #expect(try bench.ioctl(.reapAtOnce, Self.buffer) == Self.text(.failed(11)))
        bench.port.send([7, 8], on: 0x81)
        #expect(try bench.ioctl(.reapAtOnce, Self.buffer) == reaped([7, 8], status: 0, count: 2))
        #expect(!bench.port.hasFinished)
    }

    /// The data that a client finds after reaping into the location of its buffer.
    private func reaped(_ input: [UInt8], status: Int32, count: UInt32, offset: UInt = 0) -> [UInt8] {
        Self.text(
            .write(address: Self.buffer + offset, input),
            .write(address: Self.address + 4, UInt32(bitPattern: status).littleEndianBytes),
            .write(address: Self.address + 28, count.littleEndianBytes),
            .write(address: Self.buffer, UInt64(Self.address).littleEndianBytes), .done(0))
    }

    /// A message of ten or more bytes into buffers of several lengths.
    @Test(arguments: [
        (buffer: 10, message: 10, status: Int32(0), count: 10, rest: 0), (64, 10, 0, 10, 0), (4, 10, -75, 4, 0),
        (64, 100, 0, 64, 36), (128, 100, 0, 100, 0), (0, 10, 0, 0, 10), (100, 128, -75, 100, 0),
    ])
    func `delivers a long message in whole packets, or reports babble`(
        buffer: Int, message: Int, status: Int32, count: Int, rest: Int
    ) throws {
        var bench = try Bench()
        let bytes = (0..<message).map { UInt8($0) }
        bench.port.send(bytes, on: 0x81)
        _ = try bench.submit(.bulk, 0x81, count: buffer)
        let first = reaped(Array(bytes.prefix(count)), status: status, count: UInt32(count))
        #expect(try bench.ioctl(.reapAtOnce, Self.buffer) == first)
        _ = try bench.submit(.bulk, 0x81, count: 512)
        let second =
            rest == 0 ? Self.text(.failed(11)) : reaped(Array(bytes.suffix(rest)), status: 0, count: UInt32(rest))
        #expect(try bench.ioctl(.reapAtOnce, Self.buffer) == second)
    }

    @Test func `answers standard requests on endpoint 0 and stalls others`() throws {
        var bench = try Bench()
        let getDevice: [UInt8] = [0x80, 6, 0, 1, 0, 0, 18, 0]
        _ = try bench.submit(.control, 0, getDevice, count: 26)
        // The whole buffer is read: a setup packet and space for the answer.
        _ = try bench.send([UInt8](repeating: 0, count: 18))
        let answer = reaped(bench.port.device.deviceDescriptor, status: 0, count: 18, offset: 8)
        #expect(try bench.ioctl(.reapAtOnce, Self.buffer) == answer)
        _ = try bench.submit(.control, 0, [0xC0, 0x55, 0, 0, 0, 0, 0, 0])
        #expect(try bench.ioctl(.reapAtOnce, Self.buffer) == reaped([], status: -32, count: 0))
        let place = [UInt8](repeating: 0, count: 8) + UInt64(Self.buffer).littleEndianBytes
        let synchronous = [0x80, 6, 2, 3, 0, 0, 255, 0] + place
        let name = [UInt8(2 + 2 * 9), 3] + "RC-S380/P".utf16.flatMap(\.littleEndianBytes)
        #expect(
            try bench.ioctl(.control, reading: synchronous)
                == Self.text(.write(address: Self.buffer, name), .done(name.count)))
        let unknown = [0x80, 6, 9, 3, 0, 0, 255, 0] + [UInt8](repeating: 0, count: 16)
        #expect(try bench.ioctl(.control, reading: unknown) == Self.text(.failed(32)))
    }

    @Test func `rejects blocks for unknown endpoints, types and sizes`() throws {
        var bench = try Bench()
        let isochronous = [0] + Bench.block(.bulk, 0x81, count: 64).dropFirst()
        #expect(try bench.ioctl(.submit, reading: isochronous) == Self.text(.failed(22)))
        #expect(try bench.ioctl(.submit, reading: Bench.block(.bulk, 0x83, count: 64)) == Self.text(.failed(2)))
        let tooLong = Bench.block(.bulk, 0x02, count: URB.maximumOutput + 1)
        #expect(try bench.ioctl(.submit, reading: tooLong) == Self.text(.failed(22)))
        for _ in 0..<USBPort.maximumBlocks { #expect(try bench.submit(.bulk, 0x81, count: 64) == Self.text(.done(0))) }
        #expect(try bench.submit(.bulk, 0x81, count: 64) == Self.text(.failed(12)))
    }

    @Test func `rejects further blocks of a program that never reaps`() throws {
        var bench = try Bench()
        let stalled: [UInt8] = [0xC0, 0x55, 0, 0, 0, 0, 0, 0]
        for _ in 0..<USBPort.maximumBlocks {
            #expect(try bench.submit(.control, 0, stalled) == Self.text(.done(0)))
        }
        #expect(try bench.submit(.control, 0, stalled) == Self.text(.failed(12)))
        _ = try bench.ioctl(.reapAtOnce, Self.buffer)
        #expect(try bench.submit(.control, 0, stalled) == Self.text(.done(0)))
    }

    @Test func `makes a program wait on request until a block has finished or the reader is gone`() throws {
        var bench = try Bench()
        _ = try bench.submit(.bulk, 0x81, count: 64)
        #expect(try bench.ioctl(.reap, Self.buffer) == [])
        #expect(bench.session.isReaping)
        #expect(bench.reapWaiting() == [])
        bench.port.send([5], on: 0x81)
        #expect(bench.reapWaiting() == reaped([5], status: 0, count: 1))
        #expect(!bench.session.isReaping)
        #expect(try bench.ioctl(.reap, Self.buffer) == [])
        bench.port.unplug()
        #expect(bench.reapWaiting() == Self.text(.failed(19)))
    }

    @Test func `gives the same answers however its bytes are split`() throws {
        var random = TestRandom()
        var script: [UInt8] = []
        for count in 1...12 {
            let number = UInt(UInt8(ascii: "U")) << 8 | UInt(UsbfsRequest.submit.rawValue)
            let output = random.bytes(count)
            script += PreloadWord.bytes(1, number, Self.address) + Bench.block(.bulk, 0x02, count: count) + output
            script += PreloadWord.bytes(7, Self.buffer, UInt(count))
            script += Bench.whole(number & 0xFF, Bench.block(.bulk, 0x02, count: count) + output)
            script += PreloadWord.bytes(1, number + 3, Self.buffer)
        }
        var whole = try Bench()
        let answers = try whole.send(script)
        #expect(answers.count > script.count)
        for _ in 0..<50 {
            var bench = try Bench()
            var rest = script[...]
            var got: [UInt8] = []
            while !rest.isEmpty {
                let piece = rest.prefix(1 + random.number(below: 40))
                rest = rest.dropFirst(piece.count)
                got += try bench.send(Array(piece))
            }
            #expect(got == answers, "\(TestSeed.value)")
        }
    }

    @Test func `never traps on random bytes`() throws {
        var random = TestRandom()
        for _ in 0..<2_000 {
            var bench = try Bench(random.pick([.rcs380, .rcs300, .acr122u]))
            for _ in 0..<random.number(below: 12) {
                let number = UInt(UInt8(ascii: "U")) << 8 | UInt(random.number(below: 36))
                let whole = PreloadWord.bytes(16, number | UInt(random.number(below: 90)) << 32, Self.address)
                let plain = random.oneIn(4) ? random.bytes(24) : PreloadWord.bytes(1, number, Self.address)
                let head = random.oneIn(3) ? whole : plain
                guard bench.session.receive((head + random.bytes(random.number(below: 80)))[...], &bench.port) != nil
                else {
                    break
                }
                if random.oneIn(3) { bench.port.send(random.bytes(random.number(below: 90)), on: 0x81) }
                if random.oneIn(9) { bench.port.unplug() }
                _ = bench.port.takeJob()
                _ = bench.reapWaiting()
            }
        }
    }
}
