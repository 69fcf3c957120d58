#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A stream socket that waits for clients.
protocol StreamListener: Sendable {
    /// The socket, which does not wait; ready for reading when a client does.
    var descriptor: Descriptor { get }

    /// Listens no more, and leaves nothing in the file system; a second call does nothing.
    func close()
}

extension StreamListener {
    /// How many clients the system lets wait to be accepted.
    static var backlog: Int32 { 128 }

    /// Takes the next client that waits; nothing if none does, or the system has no descriptor for it.
    func accept() -> Descriptor? {
        #if canImport(Darwin)
            let number = Darwin.accept(descriptor.number, nil, nil)
            // It is as its listener is, unlike on Linux.
            _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
        #elseif canImport(Musl)
            let number = Musl.accept(descriptor.number, nil, nil)
        #else
            let number = Glibc.accept(descriptor.number, nil, nil)
        #endif
        guard number >= 0 else { return nil }
        let client = Descriptor(owning: number)
        client.dropSignalOfBrokenPipe()
        return client
    }

    /// Takes clients one after another, until a descriptor becomes readable or its other end is closed.
    func takeClients(until stopped: Descriptor, _ take: (Descriptor) -> Void) {
        while true {
            let ready = Readiness.wait(for: [(descriptor, .reading), (stopped, .reading)], timeout: nil)
            if ready[1] { return }
            guard ready[0] else { continue }
            if let client = accept() {
                take(client)
            } else {
                // The system gives no descriptor, so that the client still waits.
                _ = Readiness.wait(for: [(stopped, .reading)], timeout: .milliseconds(50))
            }
        }
    }
}
