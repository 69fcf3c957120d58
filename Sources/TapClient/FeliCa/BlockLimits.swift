import TapWire

/// How many blocks and services a card takes in one command, as far as it has been found out.
struct BlockLimits: Hashable, Sendable {
    /// The numbers of blocks to try, one after the other as the card refuses them.
    ///
    /// Cards of the DES generation read up to 12; FeliCa Lite reads 4 and writes 1.
    static let steps = [12, 10, 8, 4, 1]

    /// Blocks of a read.
    var read: Int
    /// Blocks of a write.
    var write = steps[0]
    /// Services of a command; FeliCa Lite takes one.
    var services = FeliCaPacket.maximumServices

    /// Limits of a card nothing is known of.
    ///
    /// - Parameter read: Blocks of the first read.
    init(read: Int = steps[0]) {
        self.read = read
    }

    /// Lowers a limit after the card refused a command for its size.
    ///
    /// - Parameters:
    ///   - limit: The limit of the kind of command.
    ///   - status: What the card answered.
    ///   - sent: What the command held.
    /// - Returns: Whether the command can be sent again in smaller parts.
    mutating func lower(
        _ limit: WritableKeyPath<BlockLimits, Int>, after status: StatusFlags, sent: [BlockAddress]
    ) -> Bool {
        switch status.reason {
        case .blockCount:
            guard let step = Self.steps.first(where: { $0 < sent.count }) else { return false }
            self[keyPath: limit] = step
        case .serviceCount where BlockList(sent).services.count > 1: services = 1
        default: return false
        }
        return true
    }

    /// The longest beginning of some addresses that one command can hold.
    ///
    /// - Parameters:
    ///   - addresses: What is still to be read or written.
    ///   - limit: The limit of the kind of command.
    ///   - dataPerBlock: Bytes of data the command carries for each block.
    func part(
        of addresses: ArraySlice<BlockAddress>, _ limit: KeyPath<BlockLimits, Int>, dataPerBlock: Int = 0
    ) -> [BlockAddress] {
        var part = Array(addresses.prefix(self[keyPath: limit]))
        while part.count > 1 {
            let list = BlockList(part)
            let length = list.commandLength(dataPerBlock: dataPerBlock)
            if list.services.count <= services, length <= FeliCaPacket.maximumLength { break }
            part.removeLast()
        }
        return part
    }
}
