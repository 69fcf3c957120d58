import TapWire

/// What befalls a card from elsewhere than a reader's commands: another reader wrote, or the card forgot.
extension FeliCaCard {
    /// The code of the system an IDm belongs to, or nothing if it is not of this card.
    public func systemCode(of idm: IDm) -> SystemCode? {
        template.systems.first { $0.idm == idm }?.code
    }

    /// The services of all systems, in the order in which the definition names them.
    public var services: [(system: SystemCode, service: NodeCode)] {
        template.definition.systems.flatMap { system in system.services.map { (system.code, $0.code) } }
    }

    /// Puts other blocks into a service, whatever its attribute lets a reader do.
    ///
    /// More blocks than it has are left out, fewer leave the rest; without such a service nothing happens.
    public mutating func replaceBlocks(of service: NodeCode, in systemCode: SystemCode, with content: [BlockData]) {
        guard let system = template.systems.first(where: { $0.code == systemCode }),
            let node = template.node(service, in: system), !node.isArea
        else { return }
        for (block, data) in zip(node.blocks, content) { blocks[block] = data }
    }

    /// Makes system 0 in Mode0 current, as after power-on.
    ///
    /// - Parameter untilPolled: Whether the card hears nothing but a Polling from then on.
    public mutating func forgetSession(untilPolled: Bool) {
        session = FeliCaSession()
        session.awaitsPolling = untilPolled
    }
}
