#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads the requests of one client, on the thread that serves it.
///
/// It reads whatever is there at once, since the library sends header, structure and data one by one.
struct RequestReader {
    /// Bytes there is room for at first; a longer request makes more.
    private static let usualRoom = 1_024

    private let stream: SocketStream
    private var bytes = [UInt8](repeating: 0, count: usualRoom)
    /// How many of the bytes have come and belong to no request taken.
    private var count = 0

    init(_ stream: SocketStream) {
        self.stream = stream
    }

    /// Waits for the next request; nothing when the client is gone or what it sends is none.
    mutating func next() -> ServiceRequest? {
        while true {
            let found: (request: ServiceRequest, length: Int)?
            // The slice is gone again when the bytes are moved, so that they are not copied.
            do { found = try ServiceRequest.first(in: bytes[..<count]) } catch { return nil }
            if let found {
                removeFirst(found.length)
                return found.request
            }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: count) }
            if count > 0 { Self.letClientGoOn() }
            let received = stream.receive(into: &bytes, from: count)
            guard received > 0 else { return nil }
            count += received
        }
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
