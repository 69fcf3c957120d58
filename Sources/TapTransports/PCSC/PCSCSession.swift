import TapHost
import TapSystem

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The connection of one client to the service, on its own thread.
struct PCSCSession {
    /// The time a client that waits for a change may take to ask for the states; the library asks at once.
    private static let statesPatience = Duration.seconds(1)
    /// The time a client that does not want to wait may take to cancel; the library cancels at once.
    private static let stopPatience = Duration.milliseconds(100)

    private let client: ClientID
    private let stream: SocketStream
    private let service: PCSCService
    private var requests: RequestReader

    init(_ client: ClientID, _ stream: SocketStream, of service: PCSCService) {
        self.client = client
        self.stream = stream
        self.service = service
        requests = RequestReader(stream)
    }

    /// Answers the client until it disconnects or sends an invalid request, and dismisses it.
    mutating func serve() {
        while let request = requests.next(), carryOut(request) {}
        stream.shutDown()
        service.dismiss(client)
    }

    /// - Returns: `true` if the connection stays open.
    private func carryOut(_ request: ServiceRequest) -> Bool {
        let place = service.place(of: request)
        let answer =
            service.host.isDisturbed
            ? service.disturbedAnswer(to: request, from: client, stream)
            : service.answer(to: request, from: client, stream)
        if let answer { service.record(request, answeredWith: answer, at: place) }
        guard let answer, answer.isEmpty || stream.send(answer) else { return false }
        if request == .waitForChange { awaitQuestionForStates() }
        if service.host.isDisturbed { refuseWaiting() }
        return true
    }

    /// Ends a wait that a fault rejects, once the client really waits.
    ///
    /// A client does not wait if its timeout is 0 or a card is present. It cancels the wait instead, and would mistake an
    /// earlier notice for the answer to the cancellation.
    private func refuseWaiting() {
        guard service.withManager({ $0.isToRefuseWaiting(of: client) }), !requests.isReady(within: Self.stopPatience)
        else { return }
        service.withManager { $0.refuseWaiting(of: client) }
    }

    /// Waits for the client to request the states, and holds back notices of changes until then; a client that does not ask
    /// gets them anyway.
    private func awaitQuestionForStates() {
        let isBeforeQuery = service.withManager { $0.clients[client]?.waiting.isBeforeQuery == true }
        guard isBeforeQuery, !requests.isReady(within: Self.statesPatience) else { return }
        _ = service.withManager { $0.advance(client, .goOn) }
    }
}

/// Reads the requests of one client.
///
/// It reads as much as is available, since the library sends header, structure and data separately.
struct RequestReader {
    /// The initial size of the buffer, which grows for longer requests.
    private static let initialRoom = 1_024

    private let stream: SocketStream
    private var bytes = [UInt8](repeating: 0, count: initialRoom)
    /// The number of bytes received but not yet taken as requests.
    private var count = 0

    init(_ stream: SocketStream) {
        self.stream = stream
    }

    /// Waits for the next request; returns `nil` once the client has disconnected or sent an invalid request.
    mutating func next() -> ServiceRequest? {
        var hasGivenWay = false
        while true {
            let found: (request: ServiceRequest, length: Int)?
            // The slice is released before the bytes move, so that they are not copied.
            do { found = try ServiceRequest.first(in: bytes[..<count]) } catch { return nil }
            if let found {
                removeFirst(found.length)
                return found.request
            }
            if count > 0, !hasGivenWay {
                hasGivenWay = true
                Self.letClientGoOn()
            }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: count) }
            let received = stream.receive(into: &bytes, from: count)
            guard received > 0 else { return nil }
            count += received
        }
    }

    /// Yields the processor once, before waiting for the rest of a request.
    ///
    /// A client on the same processor can then send the rest at once, without waking this thread for each piece. On other
    /// systems, yielding may cost a whole time slice.
    private static func letClientGoOn() {
        #if os(Linux)
            sched_yield()
        #endif
    }

    /// - Returns: `true` if more bytes have arrived, or the client has disconnected.
    func isReady(within time: Duration) -> Bool {
        count > 0 || Readiness.wait(for: [(stream.descriptor, .reading)], timeout: time)[0]
    }

    /// Moves the bytes after the first `length` to the front.
    private mutating func removeFirst(_ length: Int) {
        for index in length..<count { bytes[index - length] = bytes[index] }
        count -= length
    }
}

extension Descriptor {
    /// The process at the other end of a Unix socket; `nil` if the system does not report it, as across containers.
    var peerProcess: Int32? {
        #if canImport(Darwin)
            var process: pid_t = 0
            var length = socklen_t(MemoryLayout<pid_t>.size)
            guard unsafe getsockopt(number, SOL_LOCAL, LOCAL_PEERPID, &process, &length) == 0 else { return nil }
            return process > 0 ? process : nil
        #else
            // `struct ucred`, which the system header does not expose.
            var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
            var length = socklen_t(MemoryLayout.size(ofValue: credentials))
            guard unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
            return credentials.process > 0 ? credentials.process : nil
        #endif
    }
}
