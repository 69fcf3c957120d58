#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The stream to one client: requests come in, answers and notices go out.
///
/// Its thread blocks in reading. It reads whatever is there at once, since the library sends header, structure and data
/// one by one, and writes an answer in one piece.
final class RequestChannel: Sendable {
    /// Bytes there is room for at first; a longer request makes more.
    private static let usualRoom = 1_024

    private let descriptor: Descriptor
    /// Only the thread of the channel uses it.
    private let received = Lock<(bytes: [UInt8], count: Int)>(([UInt8](repeating: 0, count: usualRoom), 0))

    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    /// Waits for the next request; nothing when the client is gone or what it sends is none.
    func next() -> ServiceRequest? {
        received.withLock { received in
            while true {
                let found: (request: ServiceRequest, length: Int)?
                // The slice is gone again when the bytes are moved, so that they are not copied.
                do { found = try ServiceRequest.first(in: received.bytes[..<received.count]) } catch { return nil }
                if let found {
                    received.bytes.removeFirst(found.length, keepingFirst: received.count)
                    received.count -= found.length
                    return found.request
                }
                if received.count == received.bytes.count {
                    received.bytes += [UInt8](repeating: 0, count: received.count)
                }
                let count = read(into: &received.bytes, from: received.count)
                guard count > 0 else { return nil }
                received.count += count
            }
        }
    }

    private func read(into bytes: inout [UInt8], from offset: Int) -> Int {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
                return unsafe recv(descriptor.number, room.baseAddress, room.count, 0)
            }
            if count >= 0 || SystemError.currentErrno() != EINTR { return count }
        }
    }

    /// Waits for more from the client.
    ///
    /// - Returns: Whether it came, or the client is gone.
    func isReady(within time: Duration) -> Bool {
        received.withLock { $0.count > 0 } || Readiness.wait(for: [(descriptor, .reading)], timeout: time)[0]
    }

    /// Sends an answer.
    ///
    /// - Returns: Whether the client is still there.
    func send(_ answer: [UInt8]) -> Bool {
        var rest = answer[...]
        while !rest.isEmpty {
            guard let count = descriptor.sendToSocket(rest) else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a few bytes at once; a client that has not read what it got before is left.
    func offer(_ notice: [UInt8]) {
        if descriptor.sendToSocket(notice[...], canWait: false) != notice.count { end() }
    }

    /// Whether the client has closed its end, as far as that can be seen without reading.
    var isAbandoned: Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor.number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Ends the stream for both sides; its thread wakes up.
    func end() {
        _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
    }
}

extension [UInt8] {
    /// Moves what follows the first bytes to the front; the length stays.
    fileprivate mutating func removeFirst(_ count: Int, keepingFirst used: Int) {
        for index in count..<Swift.max(count, used) { self[index - count] = self[index] }
    }
}
