import TapWire

/// The common interface of FeliCa cards of any chip: systems, services and their blocks, and a session.
public protocol FeliCaEngine: CardEngine {
    /// IDm of system 0.
    var idm: IDm { get }
    var pmm: PMm { get }
    /// The systems that answer Polling, system 0 first.
    var systemCodes: [SystemCode] { get }
    func systemCode(of idm: IDm) -> SystemCode?

    /// The services that represent the card's content, in definition order; together they reach every block.
    var services: [(system: SystemCode, service: NodeCode)] { get }
    /// The block numbers the card stores for a service, in ascending order; empty if there is no such service.
    func blockNumbers(of service: NodeCode, in systemCode: SystemCode) -> [Int]
    /// The current content of a block of a service, regardless of access rights; `nil` if there is no such block.
    func block(_ number: Int, of service: NodeCode, in systemCode: SystemCode) -> BlockData?
    /// Replaces blocks of a service from block 0 on, regardless of access rights. Extra blocks are ignored and missing ones
    /// stay unchanged; does nothing if there is no such service.
    mutating func replaceBlocks(of service: NodeCode, in systemCode: SystemCode, with content: [BlockData])

    /// Resets the card to its state after power-on. With `untilPolled`, it then answers only Polling.
    mutating func forgetSession(untilPolled: Bool)
}

extension FeliCaEngine {
    /// The current blocks of a service, from block 0 to the last one before a gap; `nil` if the card has no such system or
    /// service.
    public func blocks(of service: NodeCode, in systemCode: SystemCode) -> [BlockData]? {
        let numbers = blockNumbers(of: service, in: systemCode)
        guard !numbers.isEmpty else { return nil }
        return zip(numbers, 0...).prefix { $0 == $1 }.compactMap { block($0.0, of: service, in: systemCode) }
    }

    /// Returns a block of a service, in the first system that has it.
    public func block(_ number: Int, of service: NodeCode) -> BlockData? {
        systemCodes.lazy.compactMap { block(number, of: service, in: $0) }.first
    }

    /// The block numbers of a service, in the first system that has the service.
    public func blockNumbers(of service: NodeCode) -> [Int] {
        systemCodes.lazy.map { blockNumbers(of: service, in: $0) }.first { !$0.isEmpty } ?? []
    }
}
