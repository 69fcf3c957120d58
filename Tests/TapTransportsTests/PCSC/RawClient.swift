import TapWire

@testable import TapTransports

@testable import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A client that implements the protocol itself, byte for byte, with a timeout.
final class RawClient {
    /// The time after which a missing answer counts as a hang.
    private static let patience = Duration.seconds(20)

    let descriptor: Descriptor
    /// The context, if there is one.
    private(set) var context: UInt32 = 0

    /// Connects to a transport, and if requested sends its version and establishes a context.
    init(_ transport: PCSCTransport, minor: Int32? = 4) throws {
        descriptor = try UnixSocket.connect(to: transport.environment.first?.value ?? "")
        guard let minor else { return }
        _ = try ask(.version(ProtocolVersion(minor: minor)), ProtocolVersion.self)
        context = try ask(.establish(EstablishMessage(scope: 2)), EstablishMessage.self).context
    }

    /// The reason for a missing answer.
    enum Failure: Error {
        case ended
        case silence
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, let count = descriptor.sendToSocket(rest) { rest = rest.dropFirst(count) }
    }

    /// Reads a number of bytes.
    func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard Readiness.wait(for: [(descriptor, .reading)], timeout: Self.patience)[0] else {
                throw Failure.silence
            }
            guard case .bytes(let more) = descriptor.receive(upTo: count - bytes.count) else { throw Failure.ended }
            bytes += more
        }
        return bytes
    }

    /// Returns whether the service closes the connection.
    func isBroken() -> Bool {
        do {
            while true { _ = try receive(1) }
        } catch Failure.ended {
            return true
        } catch {
            return false
        }
    }

    /// Returns whether nothing arrives for a moment.
    func isQuiet() -> Bool { !Readiness.wait(for: [(descriptor, .reading)], timeout: .milliseconds(100))[0] }

    /// A Boolean value that indicates whether unread data has arrived or the service has closed the connection.
    var hasAnswer: Bool { Readiness.wait(for: [(descriptor, .reading)], timeout: .zero)[0] }

    /// Sends a request and reads the structure of its answer.
    func ask<Message: ServiceMessage>(_ request: ServiceRequest, _: Message.Type) throws -> Message {
        send(request.bytes)
        return Message(parsing: try receive(Message.size)[...])
    }

    func connect(
        _ mode: PCSCShareMode = .shared, _ protocols: PCSCProtocols = [.t0, .t1],
        reader: String = "TapSim Test Reader 00 00"
    ) throws -> ConnectMessage {
        try ask(
            .connect(ConnectMessage(context: context, reader: reader, shareMode: mode, protocols: protocols)),
            ConnectMessage.self)
    }

    /// Sends a command to the card; the answer is empty unless the call succeeds.
    func transmit(_ card: Int32, _ command: [UInt8]) throws -> (code: PCSCReturnCode, answer: [UInt8]) {
        let message = TransmitMessage(card: card, sendLength: UInt32(command.count), receiveLength: 65_548)
        let answer = try ask(.transmit(message, command), TransmitMessage.self)
        return (answer.result, answer.result == .success ? try receive(Int(answer.receiveLength)) : [])
    }

    func begin(_ card: Int32) throws -> PCSCReturnCode {
        try ask(.beginTransaction(CardMessage(card: card)), CardMessage.self).result
    }

    func end(_ card: Int32, _ disposition: PCSCDisposition = .leave) throws -> PCSCReturnCode {
        try ask(.endTransaction(DispositionMessage(card: card, disposition: disposition)), DispositionMessage.self)
            .result
    }

    func status(_ card: Int32) throws -> PCSCReturnCode {
        try ask(.status(CardMessage(card: card)), CardMessage.self).result
    }

    func disconnect(_ card: Int32, _ disposition: PCSCDisposition = .leave) throws -> PCSCReturnCode {
        try ask(.disconnect(DispositionMessage(card: card, disposition: disposition)), DispositionMessage.self).result
    }

    /// The states of the slots that have a reader.
    func states(_ request: ServiceRequest = .readerStates) throws -> [ReaderState] {
        send(request.bytes)
        return try receiveStates()
    }

    func receiveStates() throws -> [ReaderState] {
        let bytes = try receive(ReaderState.places * ReaderState.size)
        return (0..<ReaderState.places).map { ReaderState(parsing: bytes[($0 * ReaderState.size)...]) }
            .filter { !$0.name.isEmpty }
    }

    /// Closes the sending direction, but continues to read.
    func sendNothingMore() {
        _ = shutdown(descriptor.number, Int32(SHUT_WR))
    }

    /// Closes its end.
    func close() {
        descriptor.shut()
    }
}

/// Sleeps while a condition holds; the time limit of the test ends an endless wait.
func rest(while isSo: @autoclosure () -> Bool) {
    while isSo() { BlockingThread.sleep(until: .now + .milliseconds(1)) }
}
