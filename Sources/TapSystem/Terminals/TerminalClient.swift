#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The client that has a pseudo-terminal open.
///
/// The client ends when nobody has the file open any more, as after a kill. macOS does not report that, so there it stays until
/// the transport is closed. The next client may have opened the file before the end is noticed.
package final class TerminalClient {
    /// Packet mode status: a client has stopped the line.
    private static let stoppedStatus: UInt8 = 0x04
    /// The maximum number of reads: more than the system buffers bytes for.
    private static let mostReads = 64
    /// More bytes than a host writes before it waits for an answer: the longest frame, and the bytes that wake up the chip.
    private static let longestRequest = 300
    /// The bytes with which hosts wake the chip up when they open the line.
    ///
    /// Source: NXP, PN532 user manual, section 7.2.11.
    private static let wakeUp: [UInt8] = [0x55, 0x55, 0x00]

    private let terminal: PseudoTerminal
    private let stopped: Descriptor
    #if os(Linux)
        private let watch: LineWatch?
        /// The number of programs that have the file open, or fewer: equal events are reported once.
        private var openCount = 1
        /// A Boolean value that indicates whether the next client has already come.
        private var isReplaced = false
    #endif
    /// The bytes that the client wrote before its turn.
    private var early: ArraySlice<UInt8>
    /// A Boolean value that indicates whether the client writes without waiting for the chip's answers.
    private var isFlooding = false
    private var isOver = false

    init(_ terminal: PseudoTerminal, after early: [UInt8], until stopped: Descriptor) {
        self.terminal = terminal
        self.early = early[...]
        self.stopped = stopped
        #if os(Linux)
            watch = LineWatch(terminal.path)
        #endif
    }

    package var signals: [Descriptor] {
        #if os(Linux)
            [terminal.descriptor, stopped] + (watch.map { [$0.descriptor] } ?? [])
        #else
            [terminal.descriptor, stopped]
        #endif
    }

    package func awaitBytes(into buffer: inout [UInt8]) -> Range<Int>? {
        if !early.isEmpty {
            let bytes = early.prefix(buffer.count)
            early = early.dropFirst(bytes.count)
            buffer.replaceSubrange(..<bytes.count, with: bytes)
            return 0..<bytes.count
        }
        while !isOver {
            let ready = Readiness.wait(for: signals.map { ($0, .reading) }, timeout: nil)
            if ready[1] { return nil }
            if ready.dropFirst(2).contains(true), hasEnded { return finalOutput(into: &buffer) }
            if ready[0], let place = readOnce(into: &buffer) { return place }
        }
        return nil
    }

    /// Reads the available bytes; `nil` if there are none, or nobody has the file open any more.
    private func readOnce(into buffer: inout [UInt8]) -> Range<Int>? {
        let count = unsafe read(terminal.descriptor.number, &buffer, buffer.count)
        guard count > 0 else {
            isOver = count == 0 || ![EINTR, EAGAIN].contains(SystemError.currentErrno())
            return nil
        }
        if buffer[0] & Self.stoppedStatus != 0 { terminal.restart() }
        isFlooding = count > Self.longestRequest
        return 1..<count
    }

    /// Returns the bytes that a client wrote before it closed the file, unless it did not wait for answers.
    private func finalOutput(into buffer: inout [UInt8]) -> Range<Int>? {
        #if os(Linux)
            if isReplaced { return nil }
        #endif
        return isFlooding ? nil : readOnce(into: &buffer)
    }

    /// Sends bytes, and waits while the client has left too many unread; without a client the bytes are lost, as on a line.
    ///
    /// - Returns: `true` if the transport is still open.
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty, !isOver {
            guard let count = terminal.descriptor.send(rest) else { return true }
            rest = rest.dropFirst(count)
            guard count == 0 else { continue }
            let others: [(Descriptor?, Readiness.Interest)] = signals.dropFirst().map { ($0, .reading) }
            let ready = Readiness.wait(for: [(terminal.descriptor, .writing)] + others, timeout: nil)
            if ready[1] { return false }
            if ready.dropFirst(2).contains(true) { _ = hasEnded }
        }
        return true
    }

    package var hasEnded: Bool {
        #if os(Linux)
            if !isOver { note(watch?.takeEvents() ?? []) }
        #endif
        return isOver
    }

    #if os(Linux)
        /// Detects whether nobody has the file open any more, or nobody had when the next client opened it.
        private func note(_ events: [LineWatch.Event]) {
            for event in events {
                if event == .opened, openCount == 0 { isReplaced = true }
                openCount = max(0, openCount + (event == .opened ? 1 : -1))
            }
            isOver = isReplaced || terminal.isHungUp
        }
    #endif

    /// Leaves the line to the next client, without any bytes of this one.
    ///
    /// - Returns: The bytes that the next client has already written; after a flood, those from the last wake-up of the chip
    ///   on.
    package func leave() -> [UInt8] {
        #if os(Linux)
            guard isReplaced || isFlooding else {
                // Until another client opens the file, all available bytes are from this client.
                _ = takeRest { terminal.isHungUp }
                terminal.renew()
                return []
            }
            // Answers are discarded first, since the next client may read at any moment.
            terminal.renew()
            guard isReplaced else {
                terminal.dropInput()
                return []
            }
            let rest = takeRest { true }
            guard isFlooding || rest.count > Self.longestRequest else { return rest }
            let start = rest.indices.last { rest[$0...].starts(with: Self.wakeUp) }
            return start.map { Array(rest[$0...]) } ?? []
        #else
            return []
        #endif
    }

    #if os(Linux)
        /// Reads the bytes in the line while a condition holds.
        private func takeRest(while condition: () -> Bool) -> [UInt8] {
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            for _ in 0..<Self.mostReads where condition() {
                guard let place = readOnce(into: &buffer) else { break }
                rest += buffer[place]
            }
            return rest
        }
    #endif
}
