#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The connection of one client to the service; one thread at a time goes on with it.
final class PCSCSession {
    /// Requests in a row a client may have answered before another one's turn comes.
    private static let requestsInTurn = 16
    /// How long a client that waits for a change may take to ask for the states; the library does so at once.
    private static let statesPatience = Duration.seconds(1)

    /// The number of the client.
    let client: ClientID
    private let stream: SocketStream
    private let service: PCSCService
    private var requests: RequestReader

    init(_ client: ClientID, _ stream: SocketStream, of service: PCSCService) {
        self.client = client
        self.stream = stream
        self.service = service
        requests = RequestReader(stream)
    }

    /// Answers all that the client has asked so far.
    ///
    /// - Parameter hasEnded: Whether the client sends nothing more.
    /// - Returns: Whether it may go on; otherwise it is to be ended.
    func goOn(hasEnded: Bool) -> Bool {
        var count = 0
        while true {
            switch requests.next(hasEnded: hasEnded) {
            case .nothingYet: return true
            case .end: return false
            case .request(let request):
                count += 1
                if count > Self.requestsInTurn { stepAside() }
                guard carryOut(request) else { return false }
            }
        }
    }

    /// Breaks the connection and lets the client go.
    func end() {
        // What it sends from now on is nobody's.
        stream.shutDown()
        if !service.host.isPrompt { stepAside() }
        service.dismiss(client)
    }

    /// Answers a request.
    ///
    /// - Returns: Whether the client may go on.
    private func carryOut(_ request: ServiceRequest) -> Bool {
        let isDisturbed = service.host.isDisturbed
        if !service.host.isPrompt { stepAside() }
        let answer =
            isDisturbed
            ? service.disturbedAnswer(to: request, from: client, stream)
            : service.answer(to: request, from: client, stream)
        guard let answer, answer.isEmpty || stream.send(answer, beforeWaiting: stepAside) else { return false }
        if request == .waitForChange { awaitQuestionForStates() }
        return true
    }

    /// Waits for the question for the states, behind which word of a change is held back; who does not ask has it
    /// without.
    private func awaitQuestionForStates() {
        guard service.withManager({ $0.holdsBack(from: client) }), !requests.isReady(within: .zero) else { return }
        stepAside()
        guard !requests.isReady(within: Self.statesPatience) else { return }
        service.withManager { $0.stopHolding(client) }
    }

    /// Lets another thread see to the other clients, before what may take its time.
    private func stepAside() { service.threads.stepAside(from: client) }
}

/// Reads the requests of one client, without waiting for them.
///
/// It reads whatever is there at once, since the library sends header, structure and data one by one.
struct RequestReader {
    /// Bytes there is room for at first; a longer request makes more.
    private static let usualRoom = 1_024

    /// What there is.
    enum Next {
        /// A request.
        case request(ServiceRequest)
        /// Nothing whole; the client is to be asked again once it has sent more.
        case nothingYet
        /// Nothing, and nothing will come: the client is gone or what it sends is no request.
        case end
    }

    private let stream: SocketStream
    private var bytes = [UInt8](repeating: 0, count: usualRoom)
    /// How many of the bytes have come and belong to no request taken.
    private var count = 0
    /// Whether all that had come was read; what comes later is told by the system.
    private var isDrained = false

    init(_ stream: SocketStream) {
        self.stream = stream
    }

    /// The next request.
    ///
    /// - Parameter hasEnded: Whether the client has ended the connection, of which the system tells no second time: then
    ///   it is read to its end.
    mutating func next(hasEnded: Bool) -> Next {
        var hasGivenWay = false
        while true {
            let found: (request: ServiceRequest, length: Int)?
            // The slice is gone again when the bytes are moved, so that they are not copied.
            do { found = try ServiceRequest.first(in: bytes[..<count]) } catch { return .end }
            if let found {
                removeFirst(found.length)
                return .request(found.request)
            }
            if count > 0, !hasGivenWay {
                hasGivenWay = true
                Self.letClientGoOn()
            } else if isDrained {
                isDrained = false
                return .nothingYet
            }
            if receive(toTheEnd: hasEnded) == 0 { return .end }
        }
    }

    /// Reads what has come.
    ///
    /// - Parameter toTheEnd: Whether there is an end to be read, so that there is always more until then.
    /// - Returns: How many bytes, 0 at the end; nothing if none have come yet.
    private mutating func receive(toTheEnd: Bool) -> Int? {
        if count == bytes.count { bytes += [UInt8](repeating: 0, count: count) }
        let room = bytes.count - count
        let received = stream.receiveAtOnce(into: &bytes, from: count)
        isDrained = received.map { $0 < room && !toTheEnd } ?? true
        count += received ?? 0
        return received
    }

    /// Gives the processor away once, before waiting for the rest of a request.
    ///
    /// A client on the same processor then sends the rest in one go and need not wake this thread for each piece. On
    /// other systems giving way may cost a whole turn of the scheduler.
    private static func letClientGoOn() {
        #if os(Linux)
            sched_yield()
        #endif
    }

    /// Waits for more from the client.
    ///
    /// - Returns: Whether it came, or the client is gone.
    func isReady(within time: Duration) -> Bool {
        count > 0 || Readiness.wait(for: [(stream.descriptor, .reading)], timeout: time)[0]
    }

    /// Moves what follows the first bytes to the front; there is room for as many as before.
    private mutating func removeFirst(_ length: Int) {
        for index in length..<count { bytes[index - length] = bytes[index] }
        count -= length
    }
}

extension Descriptor {
    /// The process at the other end of a Unix socket, or nothing where the system does not tell, as across containers.
    var peerProcess: Int32? {
        #if canImport(Darwin)
            var process: pid_t = 0
            var length = socklen_t(MemoryLayout<pid_t>.size)
            guard unsafe getsockopt(number, SOL_LOCAL, LOCAL_PEERPID, &process, &length) == 0 else { return nil }
            return process > 0 ? process : nil
        #else
            // struct ucred, which the system's own header keeps to itself.
            var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
            var length = socklen_t(MemoryLayout.size(ofValue: credentials))
            guard unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
            return credentials.process > 0 ? credentials.process : nil
        #endif
    }
}
