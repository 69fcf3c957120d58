#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
