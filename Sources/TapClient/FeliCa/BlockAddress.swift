import TapWire

/// A block of a service.
public struct BlockAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let service: NodeCode
    /// The number of the block in its service.
    public let number: UInt16

    public init(_ service: NodeCode, _ number: UInt16) {
        self.service = service
        self.number = number
    }

    /// Whether an address comes first, by service code and block number.
    public static func < (left: BlockAddress, right: BlockAddress) -> Bool {
        (left.service.rawValue, left.number) < (right.service.rawValue, right.number)
    }

    /// The address in words.
    public var description: String { "block \(number) of service \(service)" }
}

/// A block list with the service code list it refers to, as one command carries them.
struct BlockList {
    /// The services in ascending order: some cards refuse others.
    let services: [NodeCode]
    /// The elements in the order of the addresses.
    let elements: [BlockListElement]

    /// Makes the lists of at most sixteen services.
    init(_ addresses: [BlockAddress]) {
        let services = Set(addresses.map(\.service)).sorted { $0.rawValue < $1.rawValue }
        self.services = services
        elements = addresses.map { address in
            let order = services.firstIndex(of: address.service) ?? 0
            return BlockListElement(serviceOrder: UInt8(truncatingIfNeeded: order), blockNumber: address.number)
        }
    }

    /// Bytes of a command with these lists and some data for each block.
    func commandLength(dataPerBlock: Int) -> Int {
        elements.reduce(12 + 2 * services.count) { $0 + $1.byteCount + dataPerBlock }
    }

    /// The addresses in words, for messages: one block, or how many of which services.
    static func words(_ addresses: [BlockAddress]) -> String {
        if addresses.count == 1 { return "\(addresses[0])" }
        let services = BlockList(addresses).services.map(\.description)
        return "\(addresses.count) blocks of service \(services.joined(separator: ", "))"
    }
}
