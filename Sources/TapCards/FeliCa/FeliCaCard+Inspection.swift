import TapWire

/// What the memory holds, for keeping a card.
extension FeliCaCard {
    /// The card as it would be after power-off, as a definition from which it can be made again.
    public var definition: FeliCaCardDefinition {
        var definition = template.definition
        for (number, system) in template.systems.enumerated() {
            for index in definition.systems[number].services.indices {
                let code = definition.systems[number].services[index].code
                // A service whose blocks are another's names none of its own.
                guard !definition.systems[number].services[index].blocks.isEmpty,
                    let node = template.node(code, in: system)
                else { continue }
                definition.systems[number].services[index].blocks = Array(blocks[node.blocks])
            }
        }
        definition.rewriteLimit = definition.rewriteLimit.map { $0 - min($0, writeCount) }
        return definition
    }
}
