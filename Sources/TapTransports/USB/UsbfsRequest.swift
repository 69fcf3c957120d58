import TapWire

/// A request that a program makes to a device with `ioctl`, as libusb and browsers do.
///
/// Source: Linux, `include/uapi/linux/usbdevice_fs.h`; numbers are in the machine's byte order, here low byte first.
enum UsbfsRequest: UInt8, Hashable, Sendable {
    case control = 0
    case resetEndpoint = 3
    case setInterface = 4
    case setConfiguration = 5
    case getDriver = 8
    case submit = 10
    case discard = 11
    case reap = 12
    case reapAtOnce = 13
    case signalDisconnect = 14
    case claim = 15
    case release = 16
    case connectInfo = 17
    case driver = 18
    case reset = 20
    case clearHalt = 21
    case getCapabilities = 26
    case disconnectAndClaim = 27
    case dropPrivileges = 30
    case getSpeed = 31
    case forbidSuspend = 33
    case allowSuspend = 34
    case waitForResume = 35

    /// The type byte of all requests.
    private static let type = UInt8(ascii: "U")

    /// Returns `nil` for a request of another type or number.
    init?(number: UInt32) {
        guard UInt8(truncatingIfNeeded: number >> 8) == Self.type else { return nil }
        self.init(rawValue: UInt8(truncatingIfNeeded: number))
    }

    /// The number of argument bytes to read from the client before the request is carried out.
    var argumentLength: Int {
        switch self {
        case .claim, .release, .disconnectAndClaim: 4
        case .control: UsbfsControl.length
        case .submit: URB.length
        default: 0
        }
    }

    /// Zero packets are sent, transfers may be long, and finished blocks can be reaped after unplugging.
    static let capabilities: UInt32 = 0x15
    static let fullSpeed = 2
}

/// A control transfer that a program waits for: setup packet, timeout, address of the data.
struct UsbfsControl: Hashable, Sendable {
    static let length = 24

    let setup: USBSetup
    let buffer: UInt

    /// Returns `nil` for fewer bytes.
    init?(parsing bytes: [UInt8]) {
        guard bytes.count == Self.length, let setup = USBSetup(bytes) else { return nil }
        self.setup = setup
        buffer = UInt(bytes.number(8, at: 16))
    }
}

/// A USB request block: a transfer that a program submits, and reaps when it has finished.
///
/// Layout on 64-bit machines: type, endpoint, status at 4, address of the buffer at 16, its length at 24, actual length at 28.
struct URB: Hashable, Sendable {
    enum Kind: UInt8, Hashable, Sendable {
        case interrupt = 1
        case control = 2
        case bulk = 3
    }

    static let length = 56
    /// The maximum size of an input buffer: a reader sends less than a kilobyte, but the CCID driver has room for 64 of them.
    static let maximumInput = 1 << 20
    static let maximumOutput = 1 << 16

    /// The address in the client, which also identifies the block.
    let address: UInt
    let kind: Kind
    let endpoint: UInt8
    let buffer: UInt
    let bufferLength: Int
    var output: [UInt8] = []
    /// The received bytes; they go to ``inputOffset`` in the buffer.
    var input: [UInt8] = []
    var inputOffset = 0
    /// 0, or a negated error number.
    var status: Int32 = 0
    var actualLength = 0

    /// Returns `nil` for isochronous transfers, which no reader has, and for buffers that are too long.
    init?(parsing bytes: [UInt8], at address: UInt) {
        guard let kind = Kind(rawValue: bytes[0]) else { return nil }
        let length = Int(Int32(truncatingIfNeeded: bytes.number(4, at: 24)))
        guard 0...Self.maximumInput ~= length else { return nil }
        self.address = address
        self.kind = kind
        endpoint = bytes[1]
        buffer = UInt(bytes.number(8, at: 16))
        bufferLength = length
        if hasOutput, length > Self.maximumOutput { return nil }
    }

    /// A Boolean value that indicates whether the buffer contains bytes for the device, such as a setup packet.
    var hasOutput: Bool { kind == .control || endpoint & 0x80 == 0 }

    /// Returns the orders that write the finished block to the client's memory; the block's address goes to `argument`.
    func orders(reapedInto argument: UInt) -> [PreloadOrder] {
        [
            .write(address: buffer &+ UInt(inputOffset), input),
            .write(address: address &+ 4, UInt32(bitPattern: status).littleEndianBytes),
            .write(address: address &+ 28, UInt32(actualLength).littleEndianBytes),
            .write(address: argument, UInt64(address).littleEndianBytes),
            .done(0),
        ]
    }
}

extension [UInt8] {
    /// Returns a number of `count` bytes, low byte first.
    func number(_ count: Int, at place: Int) -> UInt64 {
        self[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
