import TapWire

/// The rules a system definition has to keep, apart from those about blocks.
enum FeliCaSystemCheck {
    /// Checks each area and service by itself.
    static func check(_ system: FeliCaSystemDefinition, _ place: FeliCaSystemPlace) throws(FeliCaTemplateError) {
        for area in system.areas { try check(area, place) }
        for service in system.services { try check(service, place) }
        try check(system.keys, of: nil, place)
        for area in system.areas { try check(area.keys, of: area.code, place) }
        for service in system.services { try check(service.keys, of: service.code, place) }
    }

    private static func check(_ area: FeliCaAreaDefinition, _ place: FeliCaSystemPlace) throws(FeliCaTemplateError) {
        guard area.code.attribute.kind == .area, area.code != .system else {
            throw place.error(
                .wrongAttribute, at: area.code,
                "area \(area.code) has the attribute \(area.code.attribute); an area has 00 or 01.")
        }
        guard area.end.rawValue >= area.code.rawValue else {
            throw place.error(
                .areaEndBeforeStart, at: area.code, "area \(area.code) ends at \(area.end), before it starts.")
        }
        guard area.code != .root || area.end == .lastService else {
            throw place.error(
                .wrongRootArea, at: area.code, "area 0000 ends at \(area.end); the root area ends at FFFE.")
        }
        guard area.end != .system else {
            throw place.error(
                .wrongRootArea, at: area.code, "area \(area.code) ends at FFFF; the last code of a node is FFFE.")
        }
    }

    private static func check(_ service: FeliCaServiceDefinition, _ place: FeliCaSystemPlace)
        throws(FeliCaTemplateError)
    {
        let attribute = service.code.attribute
        guard attribute.isService else {
            throw place.error(
                .wrongAttribute, at: service.code,
                "service \(service.code) has the attribute \(attribute), which is that of no service; "
                    + "services have 08 to 17, or 28 to 37 with PIN.")
        }
        guard let limits = service.purseLimits else { return }
        guard attribute.kind == .purse, limits.lower <= limits.upper else {
            throw place.error(
                .wrongPurseLimits, at: service.code,
                "service \(service.code) has limits \(limits.lower) to \(limits.upper); "
                    + "only a purse has limits, the lower one first.")
        }
    }

    private static func check(
        _ keys: FeliCaKeys, of node: NodeCode?, _ place: FeliCaSystemPlace
    ) throws(FeliCaTemplateError) {
        let fits = [8, 16].contains(keys.desKey?.count ?? 8) && keys.aesKey?.count ?? 16 == 16
        guard fits else {
            throw place.error(
                .wrongKeyLength, at: node,
                "a key has a length its cipher cannot use; DES keys have 8 or 16 bytes, AES keys 16.")
        }
    }

    /// The index of the innermost area around each node, nothing for an area in no other.
    ///
    /// - Parameters:
    ///   - nodes: The nodes of a system in ascending order of codes.
    ///   - place: The system, for the sentence of an error.
    static func parents(of nodes: ArraySlice<FeliCaNode>, _ place: FeliCaSystemPlace) throws(FeliCaTemplateError)
        -> [Int?]
    {
        var parents: [Int?] = []
        var around: [Int] = []
        let nodes = Array(nodes)
        for (index, node) in nodes.enumerated() {
            guard index == 0 || nodes[index - 1].code != node.code else {
                throw place.error(
                    .duplicateNode, at: node.code, "the code \(node.code) stands twice; leave one of them out.")
            }
            while let last = around.last, nodes[last].end.rawValue < node.code.rawValue { around.removeLast() }
            if let last = around.last, node.end.rawValue > nodes[last].end.rawValue {
                throw place.error(
                    .areasOverlap, at: node.code,
                    "area \(node.code) to \(node.end) reaches beyond area \(nodes[last].code) to "
                        + "\(nodes[last].end), in which it starts; areas lie inside or beside each other.")
            }
            guard node.isArea || !around.isEmpty else {
                throw place.error(
                    .serviceOutsideAreas, at: node.code,
                    "service \(node.code) lies in no area; add the root area 0000 to FFFE or another.")
            }
            parents.append(around.last)
            if node.isArea { around.append(index) }
        }
        return parents
    }
}
