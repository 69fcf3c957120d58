import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A reader on the bus as seen by programs that have it open, without input or output: request blocks, claims, and transfers
/// that the reader has sent but nobody has fetched.
struct USBPort: Sendable {
    /// The maximum number of blocks of an open file that have not been reaped.
    static let maximumBlocks = 256
    /// The maximum number of transfers that wait for the reader; further transfers make their program wait, as on a bus.
    static let maximumWaiting = 8
    /// The maximum number of transfers from the reader that wait to be fetched; beyond it the reader takes no more commands.
    static let maximumUnfetched = 64

    /// A task for the reader.
    enum Job: Hashable, Sendable {
        case transfer([UInt8], endpoint: UInt8)
        /// Start over: the last program that used the reader has closed it.
        case begin
        /// Look for cards: a program has claimed the interface that reports cards.
        case look

        var isTransfer: Bool { if case .transfer = self { true } else { false } }
    }

    private struct File {
        var pending: [URB] = []
        var finished: [URB] = []
        var claims: Set<UInt32> = []
        /// A Boolean value that indicates whether the device was unplugged since the file was opened.
        var isGone = false
    }

    let device: USBDevice
    private let interrupts: Set<UInt8>
    private var files: [Int: File] = [:]
    private var jobs: [Job] = []
    private var unfetched: [UInt8: [[UInt8]]] = [:]

    init(_ device: USBDevice) {
        self.device = device
        interrupts = Set(device.interfaces.flatMap(\.endpoints).filter { $0.kind == .interrupt }.map(\.address))
    }

    /// A Boolean value that indicates whether a program can reap a block, which makes the node writable.
    var hasFinished: Bool { files.values.contains { !$0.finished.isEmpty } }

    var hasJobs: Bool { !jobs.isEmpty }

    var isOpen: Bool { files.values.contains { !$0.isGone } }

    /// Returns `true` if the device of a file was unplugged.
    func isGone(_ file: Int) -> Bool { files[file]?.isGone ?? true }

    mutating func open(_ file: Int) { files[file] = File() }

    /// Discards everything that belongs to a file.
    ///
    /// After the last file, or the last one that has claimed an interface, the reader takes the transfers that have already
    /// finished for the program, and then starts over with nothing to fetch.
    mutating func close(_ file: Int) {
        guard let closed = files.removeValue(forKey: file), !closed.isGone else { return }
        let isLastUser = !closed.claims.isEmpty && files.values.allSatisfy(\.claims.isEmpty)
        guard isLastUser || !isOpen else { return }
        unfetched = [:]
        jobs.removeAll { $0 == .look }
        if jobs.last != .begin { jobs.append(.begin) }
    }

    /// Makes the node a new one: files that were open before the device was unplugged stay gone.
    mutating func plug() {
        for file in files.keys { files[file]?.finished = [] }
    }

    /// Ends the transfers in progress, which programs may still reap.
    mutating func unplug() {
        jobs = [.begin]
        unfetched = [:]
        for file in files.keys {
            for block in files[file]?.pending ?? [] { finish(block, of: file, status: ESHUTDOWN) }
            files[file]?.pending = []
            files[file]?.claims = []
            files[file]?.isGone = true
        }
    }
}

/// Requests of programs.
extension USBPort {
    /// - Returns: `true` if no other file has claimed the interface.
    mutating func claim(_ interface: UInt32, by file: Int) -> Bool {
        guard !isClaimed(interface, exceptBy: file) else { return false }
        let isNew = files[file]?.claims.insert(interface).inserted ?? false
        if isNew, reportsCards(interface), !jobs.contains(.look) { jobs.append(.look) }
        return true
    }

    private func reportsCards(_ interface: UInt32) -> Bool {
        guard device.interfaces.indices.contains(Int(interface)) else { return false }
        return device.interfaces[Int(interface)].endpoints.contains { interrupts.contains($0.address) }
    }

    mutating func release(_ interface: UInt32, by file: Int) { files[file]?.claims.remove(interface) }

    private func isClaimed(_ interface: UInt32, exceptBy file: Int) -> Bool {
        files.contains { $0.key != file && $0.value.claims.contains(interface) }
    }

    /// Takes a request block.
    ///
    /// - Returns: An error number, or 0.
    mutating func submit(_ block: URB, by file: Int) -> Int32 {
        guard let owner = files[file], owner.pending.count + owner.finished.count < Self.maximumBlocks else {
            return ENOMEM
        }
        if block.kind == .control {
            control(block, of: file)
            return 0
        }
        let interface = device.interfaces.firstIndex { $0.endpoints.contains { $0.address == block.endpoint } }
        guard let interface else { return ENOENT }
        guard !isClaimed(UInt32(interface), exceptBy: file) else { return EBUSY }
        files[file]?.pending.append(block)
        settle()
        return 0
    }

    /// Ends a block that has not finished.
    ///
    /// - Returns: `true` if there was a block at the address.
    mutating func discard(_ address: UInt, of file: Int) -> Bool {
        guard let place = files[file]?.pending.firstIndex(where: { $0.address == address }),
            let block = files[file]?.pending.remove(at: place)
        else { return false }
        finish(block, of: file, status: ENOENT)
        return true
    }

    mutating func reap(_ file: Int) -> URB? {
        guard files[file]?.finished.isEmpty == false else { return nil }
        return files[file]?.finished.removeFirst()
    }

    private mutating func control(_ block: URB, of file: Int) {
        var block = block
        guard let setup = USBSetup(block.output), let answer = device.answer(to: setup) else {
            return finish(block, of: file, status: EPIPE)
        }
        block.input = Array(answer.prefix(max(0, block.bufferLength - USBSetup.byteCount)))
        block.inputOffset = USBSetup.byteCount
        block.actualLength = block.input.count
        finish(block, of: file, status: 0)
    }

    private mutating func finish(_ block: URB, of file: Int, status: Int32) {
        var block = block
        block.status = -status
        files[file]?.finished.append(block)
    }
}

/// The reader's side.
extension USBPort {
    /// Returns the next job of the reader; `nil` if it has nothing to do, or has sent more than programs have fetched.
    mutating func takeJob() -> Job? {
        let count = unfetched.values.reduce(0) { $0 + $1.count }
        guard let first = jobs.first, first == .begin || count < Self.maximumUnfetched else { return nil }
        jobs.removeFirst()
        settle()
        return first
    }

    /// Sends a transfer to the first program that fetches it.
    ///
    /// The transfer is lost if nobody has the reader open, or if it answers a program that has closed the reader meanwhile. Of
    /// interrupt transfers that nobody fetches, such as those about cards, only the last is kept.
    mutating func send(_ bytes: [UInt8], on endpoint: UInt8) {
        guard isOpen, !jobs.contains(.begin) else { return }
        if interrupts.contains(endpoint) { drop(endpoint) }
        unfetched[endpoint, default: []].append(bytes)
        settle()
    }

    mutating func drop(_ endpoint: UInt8) { unfetched[endpoint] = nil }

    /// Finishes all blocks that can finish, the oldest file first.
    private mutating func settle() {
        for file in files.keys.sorted() {
            guard let pending = files[file]?.pending, !pending.isEmpty else { continue }
            files[file]?.pending = []
            for block in pending {
                if let finished = settled(block) {
                    files[file]?.finished.append(finished)
                } else {
                    files[file]?.pending.append(block)
                }
            }
        }
    }

    private mutating func settled(_ block: URB) -> URB? {
        guard USBEndpoint.isIn(block.endpoint) else {
            guard jobs.count(where: \.isTransfer) < Self.maximumWaiting else { return nil }
            jobs.append(.transfer(block.output, endpoint: block.endpoint))
            var block = block
            block.actualLength = block.output.count
            return block
        }
        guard var queue = unfetched[block.endpoint], !queue.isEmpty else { return nil }
        var block = block
        let message = queue.removeFirst()
        block.input = Array(message.prefix(block.bufferLength))
        block.actualLength = block.input.count
        if message.count > block.bufferLength {
            // A buffer of whole packets takes the beginning; otherwise the last packet does not fit: babble.
            if block.bufferLength % USBDevice.packetSize == 0 {
                queue.insert(Array(message[block.bufferLength...]), at: 0)
            } else {
                block.status = -EOVERFLOW
            }
        }
        unfetched[block.endpoint] = queue
        return block
    }
}
