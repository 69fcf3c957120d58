#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
@testable import TapSystem
import TapWire
import TestSupport
import Testing

/// The client's end of a serial port.
struct SerialPort {
    private static let patience = Duration.seconds(10)
    private let descriptor: Descriptor

    init(_ path: String) throws {
        let number = unsafe open(path, O_RDWR | O_NOCTTY)
        try #require(number >= 0)
        descriptor = Descriptor(owning: number)
        descriptor.setNonBlocking()
    }

    /// Sends the frame of a packet.
    func send(_ packet: String) throws {
        write(PN532Frame.information(try Hex.bytes(packet)).bytes)
    }

    /// Sends bytes and returns the number that the line accepted.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Int {
        descriptor.send(bytes[...]) ?? 0
    }

    /// Stops output on the line, as `tcflow` does, or a terminal at an XOFF.
    func stopOutput() {
        _ = tcflow(descriptor.number, TCOOFF)
    }

    /// Waits for a number of frames, each `ack` or a packet.
    func frames(_ count: Int) -> [String] {
        var bytes: [UInt8] = []
        while PN532Frame.texts(bytes).count < count {
            guard Readiness.wait(for: [(descriptor, .reading)], timeout: Self.patience)[0],
                case .bytes(let more) = descriptor.receive(upTo: 4096)
            else { break }
            bytes += more
        }
        return PN532Frame.texts(bytes)
    }

    /// Sends the frame of a packet and waits for the answer.
    func ask(_ packet: String) throws -> [String] {
        try send(packet)
        return frames(2)
    }

    /// A Boolean value that indicates whether the other side has disconnected.
    var hasHungUp: Bool {
        guard Readiness.wait(for: [(descriptor, .reading)], timeout: Self.patience)[0] else { return false }
        if case .end = descriptor.receive(upTo: 1) { return true }
        return false
    }

    /// A Boolean value that indicates whether the line accepts more data within a short time.
    var hasRoom: Bool {
        Readiness.wait(for: [(descriptor, .writing)], timeout: .milliseconds(200))[0]
    }
}
