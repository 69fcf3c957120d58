import TapWire

/// What cards that speak FeliCa have in common, whatever the chip: systems, services and their blocks, a session.
public protocol FeliCaEngine: CardEngine {
    /// IDm of system 0.
    var idm: IDm { get }
    var pmm: PMm { get }
    /// The systems that answer Polling, system 0 first.
    var systemCodes: [SystemCode] { get }
    func systemCode(of idm: IDm) -> SystemCode?

    /// The services that show what the card holds, in the order of its definition; all blocks can be reached by them.
    var services: [(system: SystemCode, service: NodeCode)] { get }
    /// The numbers of the blocks of a service that the card keeps, in ascending order; empty without such a service.
    func blockNumbers(of service: NodeCode, in systemCode: SystemCode) -> [Int]
    /// A block of a service now, whatever a reader may see of it; `nil` without such a block.
    func block(_ number: Int, of service: NodeCode, in systemCode: SystemCode) -> BlockData?
    /// Replaces blocks of a service from block 0 on, whatever its attribute allows readers; extra blocks are left out,
    /// missing ones stay; without such a service nothing happens.
    mutating func replaceBlocks(of service: NodeCode, in systemCode: SystemCode, with content: [BlockData])

    /// Makes the card as after power-on; optionally it then hears only Polling.
    mutating func forgetSession(untilPolled: Bool)
}

extension FeliCaEngine {
    /// The blocks of a service now, from block 0 to the last that has no gap before it; `nil` if the card has no such
    /// system or service.
    public func blocks(of service: NodeCode, in systemCode: SystemCode) -> [BlockData]? {
        let numbers = blockNumbers(of: service, in: systemCode)
        guard !numbers.isEmpty else { return nil }
        return zip(numbers, 0...).prefix { $0 == $1 }.compactMap { block($0.0, of: service, in: systemCode) }
    }

    /// A block of a service, in the first system that has it.
    public func block(_ number: Int, of service: NodeCode) -> BlockData? {
        systemCodes.lazy.compactMap { block(number, of: service, in: $0) }.first
    }

    /// The numbers of the blocks of a service, in the first system that has it.
    public func blockNumbers(of service: NodeCode) -> [Int] {
        systemCodes.lazy.map { blockNumbers(of: service, in: $0) }.first { !$0.isEmpty } ?? []
    }
}
