import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// One open file of a program, from its first request to its end, without input or output: bytes of the preload library in,
/// orders for it out.
///
/// Every request is answered at once, except from a program that asks to wait for a block.
struct UsbfsSession: Sendable {
    /// The meaning of the next bytes.
    private enum Step {
        case request
        case argument(UsbfsRequest, at: UInt)
        case output(URB)
        /// The memory that a request reads.
        case memory(request: UInt32, at: UInt)
        /// None: the program waits for a block, whose address goes to this location.
        case reaping(into: UInt)
    }

    /// The maximum number of descriptor bytes that one `read` returns.
    private static let maximumRead = 1 << 16
    /// The maximum number of bytes that a request reads: the largest argument of an `ioctl` and the longest output.
    private static let maximumMemory = 1 << 14 + URB.maximumOutput

    private let file: Int
    /// The number of the device on the bus.
    private let address: UInt8
    private var input: [UInt8] = []
    private var position = 0
    private var needed = PreloadWord.messageLength
    private var step = Step.request
    /// The offset at which `read` continues.
    private var offset = 0

    init(_ file: Int, address: UInt8) {
        self.file = file
        self.address = address
    }

    /// A Boolean value that indicates whether the program waits for a block.
    var isReaping: Bool { if case .reaping = step { true } else { false } }

    /// Takes bytes from the library and carries out its requests.
    ///
    /// - Returns: The bytes to send; `nil` to close the connection, since the peer is not the library.
    mutating func receive(_ bytes: ArraySlice<UInt8>, _ port: inout USBPort) -> [UInt8]? {
        input.removeFirst(position)
        position = 0
        input += bytes
        var output: [UInt8] = []
        while input.count - position >= needed, !isReaping {
            let bytes = Array(input[position..<position + needed])
            position += needed
            guard let orders = take(bytes, &port) else { return nil }
            for order in orders { order.append(to: &output) }
        }
        return output
    }

    /// Answers a program that waits for a block, if a block has finished or never will.
    mutating func reapWaiting(_ port: inout USBPort) -> [UInt8] {
        guard case .reaping(let argument) = step else { return [] }
        var output: [UInt8] = []
        for order in reap(into: argument, isWaiting: true, &port) { order.append(to: &output) }
        return output
    }

    private mutating func take(_ bytes: [UInt8], _ port: inout USBPort) -> [PreloadOrder]? {
        switch step {
        case .request:
            guard let request = PreloadRequest(parsing: bytes) else { return nil }
            return begin(request, &port)
        case .argument(let request, let place):
            expectRequest()
            return carryOut(request, with: bytes, at: place, on: &port)
        case .output(var block):
            expectRequest()
            block.output = bytes
            return submit(block, &port)
        case .memory(let request, let place):
            expectRequest()
            return carryOut(request, with: bytes[...], at: place, on: &port)
        case .reaping: return []
        }
    }

    /// Carries out a request whose memory was sent with it.
    private mutating func carryOut(
        _ request: UInt32, with memory: ArraySlice<UInt8>, at place: UInt, on port: inout USBPort
    ) -> [PreloadOrder]? {
        var orders = begin(.ioctl(request: request, argument: place), &port)
        var rest = memory
        while case .read(_, let count)? = orders?.last {
            guard rest.count >= count else { return nil }
            orders = take(Array(rest.prefix(count)), &port)
            rest = rest.dropFirst(count)
        }
        return orders
    }

    private mutating func expectRequest() {
        step = .request
        needed = PreloadWord.messageLength
    }

    private mutating func begin(_ request: PreloadRequest, _ port: inout USBPort) -> [PreloadOrder]? {
        switch request {
        case .wholeIoctl(let request, let argument, let count):
            guard count <= Self.maximumMemory else { return nil }
            step = .memory(request: request, at: argument)
            needed = count
            return []
        case .write: return [.failed(EINVAL)]
        case .read(let address, let count):
            let part = port.device.descriptors.dropFirst(offset).prefix(min(max(0, count), Self.maximumRead))
            offset += part.count
            return [.write(address: address, Array(part)), .done(part.count)]
        case .ioctl(let number, let argument):
            guard let request = UsbfsRequest(number: number) else { return [.failed(ENOTTY)] }
            guard isPossible(request, port) else { return [.failed(ENODEV)] }
            guard request.argumentLength > 0 else { return carryOut(request, with: [], at: argument, on: &port) }
            step = .argument(request, at: argument)
            needed = request.argumentLength
            return [.read(address: argument, count: needed)]
        }
    }

    /// Returns `true` if the device is still present, or the request ends something.
    private func isPossible(_ request: UsbfsRequest, _ port: USBPort) -> Bool {
        !port.isGone(file) || [.discard, .reap, .reapAtOnce, .release].contains(request)
    }

    private mutating func carryOut(
        _ request: UsbfsRequest, with bytes: [UInt8], at place: UInt, on port: inout USBPort
    ) -> [PreloadOrder] {
        // The device may have been unplugged while the program sent the argument.
        guard isPossible(request, port) else { return [.failed(ENODEV)] }
        switch request {
        case .claim, .disconnectAndClaim:
            return [port.claim(UInt32(bytes.number(4, at: 0)), by: file) ? .done(0) : .failed(EBUSY)]
        case .release:
            port.release(UInt32(bytes.number(4, at: 0)), by: file)
            return [.done(0)]
        // No system driver has claimed it.
        case .getDriver, .driver: return [.failed(ENODATA)]
        case .submit:
            guard let block = URB(parsing: bytes, at: place) else { return [.failed(EINVAL)] }
            guard block.hasOutput, block.bufferLength > 0 else { return submit(block, &port) }
            step = .output(block)
            needed = block.bufferLength
            return [.read(address: block.buffer, count: needed)]
        case .discard: return [port.discard(place, of: file) ? .done(0) : .failed(EINVAL)]
        case .reap, .reapAtOnce: return reap(into: place, isWaiting: request == .reap, &port)
        case .control: return control(bytes, port.device)
        case .getCapabilities: return [.write(address: place, UsbfsRequest.capabilities.littleEndianBytes), .done(0)]
        case .getSpeed: return [.done(UsbfsRequest.fullSpeed)]
        case .connectInfo: return [.write(address: place, [address, 0, 0, 0, 0]), .done(0)]
        case .resetEndpoint, .setInterface, .setConfiguration, .signalDisconnect, .reset, .clearHalt, .dropPrivileges,
            .forbidSuspend, .allowSuspend, .waitForResume:
            return [.done(0)]
        }
    }

    private func submit(_ block: URB, _ port: inout USBPort) -> [PreloadOrder] {
        guard isPossible(.submit, port) else { return [.failed(ENODEV)] }
        let errno = port.submit(block, by: file)
        return [errno == 0 ? .done(0) : .failed(errno)]
    }

    private mutating func reap(into place: UInt, isWaiting: Bool, _ port: inout USBPort) -> [PreloadOrder] {
        if let block = port.reap(file) {
            expectRequest()
            return block.orders(reapedInto: place)
        }
        guard !port.isGone(file) else {
            expectRequest()
            return [.failed(ENODEV)]
        }
        guard isWaiting else { return [.failed(EAGAIN)] }
        step = .reaping(into: place)
        return []
    }

    private func control(_ bytes: [UInt8], _ device: USBDevice) -> [PreloadOrder] {
        guard let control = UsbfsControl(parsing: bytes), let answer = device.answer(to: control.setup) else {
            return [.failed(EPIPE)]
        }
        return [.write(address: control.buffer, answer), .done(answer.count)]
    }
}
