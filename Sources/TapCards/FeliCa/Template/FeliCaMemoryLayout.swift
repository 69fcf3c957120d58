import TapWire

/// Builds the nodes and blocks of a template, system by system.
struct FeliCaMemoryLayout {
    private(set) var nodes: [FeliCaNode] = []
    private(set) var firstNodes: [UInt32] = []
    private(set) var blocks: [BlockData] = []

    /// Blocks that all services of one number and kind share.
    private struct Store {
        let firstBlock: UInt16
        let blockCount: UInt16
        let firstService: NodeCode
    }

    /// Checks a system and adds its nodes and blocks.
    mutating func add(
        _ system: FeliCaSystemDefinition, number: Int, idm: IDm
    ) throws(FeliCaTemplateError) -> FeliCaSystem {
        let place = FeliCaSystemPlace(number: number, code: system.code)
        try FeliCaSystemCheck.check(system, place)
        let stores = try addBlocks(of: system, place)
        let first = nodes.count
        let areas = system.areas.map { area in
            var node = FeliCaNode(area.code, end: area.end, keys: area.keys)
            node.information = area.information
            return node
        }
        let services = system.services.map { service in
            var node = FeliCaNode(service.code, end: service.code, keys: service.keys)
            if let store = stores[service.code.store] {
                node.firstBlock = store.firstBlock
                node.blockCount = store.blockCount
                node.assignedBlocks = Int(store.blockCount)
            }
            node.purseLimits = service.purseLimits ?? .disabled
            node.hasMACCommunication = service.hasMACCommunication
            return node
        }
        nodes += (areas + services).sorted { $0.code.rawValue < $1.code.rawValue }
        let parents = try FeliCaSystemCheck.parents(of: nodes[first...], place)
        try countAreaBlocks(of: system, stores: stores, parents: parents, first: first, place)
        let range = first..<nodes.count
        nodes.append(FeliCaNode(.system, end: .system, keys: system.keys))
        addFirstNodes(of: range)
        return FeliCaSystem(
            code: system.code, idm: idm, firstNumber: UInt16(number * NodeCode.numberCount),
            encryption: system.encryption, nodes: range)
    }

    /// Notes where among the nodes of a system those with each number begin, or would lie.
    private mutating func addFirstNodes(of system: Range<Int>) {
        var first = system.lowerBound
        for number in 0..<NodeCode.numberCount {
            while first < system.upperBound, nodes[first].code.number < number { first += 1 }
            firstNodes.append(UInt32(first))
        }
    }

    /// Adds the blocks of a system, once for each number and kind: the service that comes first gives them.
    private mutating func addBlocks(
        of system: FeliCaSystemDefinition, _ place: FeliCaSystemPlace
    ) throws(FeliCaTemplateError) -> [NodeCode.Store: Store] {
        var stores: [NodeCode.Store: Store] = [:]
        for service in system.services {
            guard stores[service.code.store] == nil else { continue }
            guard !service.blocks.isEmpty else {
                throw place.error(
                    .noBlocks, at: service.code, "service \(service.code) has no block; give it one.")
            }
            stores[service.code.store] = Store(
                firstBlock: UInt16(truncatingIfNeeded: blocks.count),
                blockCount: UInt16(truncatingIfNeeded: service.blocks.count), firstService: service.code)
            blocks += service.blocks
        }
        // Within the limit nothing was truncated.
        guard blocks.count <= FeliCaTemplate.maximumBlocks else {
            throw FeliCaTemplateError(
                .tooManyBlocks,
                "With \(place) the card has \(blocks.count) blocks; it has room for \(FeliCaTemplate.maximumBlocks).",
                system: place.number)
        }
        return stores
    }

    /// Adds up the blocks of each area from the innermost outward; nodes come in order, parents before children.
    private mutating func countAreaBlocks(
        of system: FeliCaSystemDefinition, stores: [NodeCode.Store: Store], parents: [Int?], first: Int,
        _ place: FeliCaSystemPlace
    ) throws(FeliCaTemplateError) {
        for (index, parent) in zip(nodes.indices[first...], parents).reversed() {
            let node = nodes[index]
            if node.isArea {
                let taken = node.assignedBlocks
                let definition = system.areas.first { $0.code == node.code }
                let assigned = definition?.assignedBlocks.map(Int.init) ?? taken
                guard assigned >= taken else {
                    throw place.error(
                        .areaTooSmall, at: node.code,
                        "area \(node.code) is assigned \(assigned) blocks and its services and areas take "
                            + "\(taken); assign more or leave the number out.")
                }
                nodes[index].assignedBlocks = assigned
                nodes[index].freeBlocks = assigned - taken
            }
            // A store counts once, where its first service lies.
            guard let parent, node.isArea || stores[node.code.store]?.firstService == node.code else { continue }
            nodes[first + parent].blockCount += node.blockCount
            nodes[first + parent].assignedBlocks += nodes[index].assignedBlocks
        }
    }
}
