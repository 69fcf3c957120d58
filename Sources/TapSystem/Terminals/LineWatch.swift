#if os(Linux)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// A watch for programs that open and close a file.
    ///
    /// Source: inotify(7). The system merges equal events that nobody has read yet, so they cannot be counted.
    struct LineWatch: Sendable {
        private static let (closed, opened): (UInt32, UInt32) = (0x08 | 0x10, 0x20)
        /// The length of an event: watch, mask, cookie, and the length of its name; a watched file has no name.
        private static let eventLength = 16

        /// Readable when something has happened.
        let descriptor: Descriptor

        /// Returns `nil` if the system provides no watch.
        init?(_ path: String) {
            let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard number >= 0 else { return nil }
            descriptor = Descriptor(owning: number)
            guard unsafe inotify_add_watch(number, path, Self.closed | Self.opened) >= 0 else { return nil }
        }

        enum Event {
            case opened
            case closed
        }

        /// Returns the events since the last call, in order.
        func takeEvents() -> [Event] {
            var events: [Event] = []
            while case .bytes(let bytes) = descriptor.receive(upTo: 4096) {
                for start in stride(from: 0, to: bytes.count - Self.eventLength + 1, by: Self.eventLength) {
                    let mask = unsafe bytes.withUnsafeBytes {
                        unsafe $0.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
                    }
                    if mask & Self.closed != 0 { events.append(.closed) }
                    if mask & Self.opened != 0 { events.append(.opened) }
                }
            }
            return events
        }
    }
#endif
