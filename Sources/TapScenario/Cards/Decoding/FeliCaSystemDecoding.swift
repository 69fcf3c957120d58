import TapCards
import TapWire

extension CardDecoder {
    /// Adds the systems that are written to those of the template, or changes these where the codes are the same.
    mutating func addSystems(to card: inout FeliCaCardDefinition) {
        for (name, value) in codes(map["systems"]) {
            let code = SystemCode(name.code)
            let index = card.systems.firstIndex { $0.code == code }
            var system = index.map { card.systems[$0] } ?? FeliCaSystemDefinition(code: code, areas: [], services: [])
            fill(&system, from: value.map)
            if let index { card.systems[index] = system } else { card.systems.append(system) }
        }
    }

    /// The entries of a map of codes; a code that is written twice, as `0003` and `00 03`, is reported.
    private mutating func codes(_ map: ValueReader?) -> [(name: ValueReader, value: ValueReader)] {
        var first: [UInt16: String] = [:]
        for (name, _) in map?.named ?? [] {
            if let other = first[name.code] {
                report(
                    .duplicateKey, "`\(name.text)` is the same code as `\(other)`", at: name.node,
                    hint: "remove one of the two")
            }
            first[name.code] = first[name.code] ?? name.text
        }
        return map?.named ?? []
    }

    private mutating func fill(_ system: inout FeliCaSystemDefinition, from map: MapReader) {
        if let idm = map["idm"]?.bytes { system.idm = IDm(UInt64(octets: idm)) }
        system.keys = keys(map, over: system.keys)
        if let issue = map["issue"]?.map {
            if let id = issue["id"]?.bytes { system.issue.id = UInt64(octets: id) }
            if let parameter = issue["parameter"]?.bytes { system.issue.parameter = UInt64(octets: parameter) }
        }
        for (name, value) in codes(map["areas"]) { addArea(name, value, to: &system) }
        if !system.areas.contains(where: { $0.code == .root }) { system.areas.insert(.root(), at: 0) }
        var filled: [NodeCode.Store: ValueReader] = [:]
        for (name, value) in codes(map["services"]) { addService(name, value, to: &system, &filled) }
    }

    private mutating func addArea(_ name: ValueReader, _ value: ValueReader, to system: inout FeliCaSystemDefinition) {
        let code = NodeCode(name.code)
        let known = system.areas.firstIndex { $0.code == code }
        let root: NodeCode? = code == .root ? .lastService : nil
        let isShort = value.kind == .scalar
        let stated = isShort ? NodeCode(value.code) : value.map["end"].map { NodeCode($0.code) }
        guard let end = stated ?? known.map({ system.areas[$0].end }) ?? root else {
            report(.missingKey, "`end` is missing", at: value.node, hint: "an area needs the last code it holds")
            return
        }
        var area = known.map { system.areas[$0] } ?? FeliCaAreaDefinition(code, end: end)
        area.end = end
        if !isShort {
            area.keys = keys(value.map, over: area.keys)
            if let blocks = value.map["blocks"]?.integer { area.assignedBlocks = UInt16(clamping: blocks) }
            if let information = value.map["information"]?.code { area.information = information }
        }
        if let known { system.areas[known] = area } else { system.areas.append(area) }
    }

    /// Adds or changes a service.
    ///
    /// - Parameter filled: By store the service whose map gave the blocks.
    private mutating func addService(
        _ name: ValueReader, _ value: ValueReader, to system: inout FeliCaSystemDefinition,
        _ filled: inout [NodeCode.Store: ValueReader]
    ) {
        let code = NodeCode(name.code)
        let index = system.services.firstIndex { $0.code == code } ?? system.services.count
        if index == system.services.count { system.services.append(FeliCaServiceDefinition(code, blocks: [])) }
        if value.kind == .map {
            let map = value.map
            checkAttribute(code.attribute, map)
            system.services[index].keys = keys(map, over: system.services[index].keys)
            if let limits = map["limits"]?.map { system.services[index].purseLimits = self.limits(limits) }
            if let mac = map["mac"]?.boolean { system.services[index].hasMACCommunication = mac }
        }
        guard let blocks = blocks(value) else { return }
        blockCount += blocks.count
        if let first = filled[code.store] {
            report(
                .contradiction, "`\(name.text)` gives blocks that `\(first.text)` gives as well", at: name.node,
                hint: "services of the same number and kind share their blocks; write them once")
            return
        }
        filled[code.store] = name
        let owner = system.services.firstIndex { $0.code.store == code.store } ?? index
        system.services[owner].blocks = blocks
    }

    /// The blocks that a service writes, or nothing if it leaves them to another service.
    private mutating func blocks(_ value: ValueReader) -> [BlockData]? {
        // What is beyond the largest card is not even filled in, however many services a file has.
        guard blockCount + Self.statedBlocks(value) <= FeliCaTemplate.maximumBlocks else {
            report(
                .impossibleCard, "the card has more than \(FeliCaTemplate.maximumBlocks) blocks", at: value.node,
                hint: "no card has room for more")
            return nil
        }
        switch value.kind {
        case .scalar: return Array(repeating: .zero, count: value.integer)
        case .list: return value.items.map { BlockData($0.bytes) }
        case .map:
            let data = value.map["data"]?.items.map { BlockData($0.bytes) } ?? []
            guard let count = value.map["blocks"]?.integer else { return data.isEmpty ? nil : data }
            guard count >= data.count else {
                report(
                    .contradiction, "`data` has \(data.count) blocks and `blocks` says \(count)",
                    at: value.map.node["blocks"] ?? value.node, hint: "write the larger number, or leave `blocks` out")
                return nil
            }
            return data + Array(repeating: .zero, count: count - data.count)
        }
    }

    /// How many blocks a service writes.
    static func statedBlocks(_ value: ValueReader) -> Int {
        switch value.kind {
        case .scalar: value.integer
        case .list: value.items.count
        case .map: max(value.map["blocks"]?.integer ?? 0, value.map["data"]?.items.count ?? 0)
        }
    }

    private func limits(_ map: MapReader) -> PurseLimits {
        PurseLimits(
            lower: Int32(clamping: map["lower"]?.integer ?? 0),
            upper: Int32(clamping: map["upper"]?.integer ?? Int(Int32.max)),
            generation: UInt8(clamping: map["generation"]?.integer ?? 0))
    }

    /// The keys that a map writes over others.
    private func keys(_ map: MapReader, over base: FeliCaKeys) -> FeliCaKeys {
        var keys = base
        if let key = map["key"]?.bytes { keys.desKey = key }
        if let version = map["key_version"] { keys.desVersion = version.read(KeyVersionRule.self) }
        if let key = map["aes_key"]?.bytes {
            keys.aesKey = key
            keys.aesVersion = keys.aesVersion ?? 0
        }
        if let version = map["aes_key_version"] { keys.aesVersion = version.read(KeyVersionRule.self) }
        return keys
    }
}
