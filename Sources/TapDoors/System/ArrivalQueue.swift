#if canImport(Darwin)
    import Darwin
#else
    import CEpoll
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif
#endif

/// Tells on which of many descriptors something has come; each news is told once, to one thread.
///
/// Nothing has to be passed to the system for each wait, however many descriptors there are. A descriptor that is
/// closed leaves the queue by itself.
final class ArrivalQueue: Sendable {
    /// Something that has come.
    struct Arrival {
        /// The number under which the descriptor was added.
        let number: Int
        /// Whether nothing comes after it: the other side has ended the connection, or this side has.
        let isLast: Bool
    }

    private let queue: Descriptor

    /// Creates a queue of no descriptors.
    ///
    /// - Throws: ``SystemError`` if the system gives none.
    init() throws(SystemError) {
        #if canImport(Darwin)
            let number = kqueue()
        #else
            let number = epoll_create1(0)
        #endif
        guard number >= 0 else { throw SystemError("make a queue of what arrives") }
        queue = Descriptor(owning: number)
    }

    /// Adds a descriptor; what has come by now is told too.
    ///
    /// - Parameters:
    ///   - descriptor: What is read from.
    ///   - number: What it is called when something has come.
    /// - Throws: ``SystemError`` if the system takes no more.
    func add(_ descriptor: Descriptor, number: Int) throws(SystemError) {
        #if canImport(Darwin)
            let place = unsafe UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: number))
            var change = unsafe Darwin.kevent(
                ident: UInt(bitPattern: Int(descriptor.number)), filter: Int16(EVFILT_READ),
                flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0, data: 0, udata: place)
            let status = unsafe kevent(queue.number, &change, 1, nil, 0, nil)
        #else
            var event = unsafe epoll_event(
                events: arrivals_told_once, data: epoll_data_t(u64: UInt64(bitPattern: Int64(number))))
            let status = unsafe epoll_ctl(queue.number, EPOLL_CTL_ADD, descriptor.number, &event)
        #endif
        guard status == 0 else { throw SystemError("wait for what arrives") }
    }

    /// Waits until something has come.
    ///
    /// - Returns: What has come and was not told yet, in its order, as far as there is room; at least one.
    func next() -> [Arrival] {
        unsafe withUnsafeTemporaryAllocation(of: Event.self, capacity: Self.room) { events in
            while true {
                let count = unsafe Self.wait(queue.number, for: events)
                if count > 0 { return unsafe events[..<count].map(Arrival.init) }
                precondition(SystemError.currentErrno() == EINTR, "a queue can be waited for")
            }
        }
    }
}

#if canImport(Darwin)
    private typealias Event = Darwin.kevent
#else
    private typealias Event = epoll_event
#endif

extension ArrivalQueue {
    /// How much is told at once at most.
    private static let room = 64

    /// How many events the system has given, -1 for none.
    private static func wait(_ queue: Int32, for events: UnsafeMutableBufferPointer<Event>) -> Int {
        #if canImport(Darwin)
            unsafe Int(kevent(queue, nil, 0, events.baseAddress, Int32(events.count), nil))
        #else
            unsafe Int(epoll_wait(queue, events.baseAddress, Int32(events.count), -1))
        #endif
    }
}

extension ArrivalQueue.Arrival {
    fileprivate init(_ event: Event) {
        #if canImport(Darwin)
            number = unsafe Int(bitPattern: UInt(bitPattern: event.udata))
            isLast = unsafe event.flags & UInt16(EV_EOF) != 0
        #else
            number = unsafe Int(Int64(bitPattern: event.data.u64))
            isLast = unsafe event.events & arrivals_at_the_end != 0
        #endif
    }
}
