import TapCards
import TapDocument
import TapWire

extension CardDecoder {
    /// Makes a FeliCa card.
    mutating func felica(_ ic: FeliCaIC, _ template: CardTemplate?) -> CardDefinition? {
        let idm = map["idm"].map { IDm(UInt64(octets: $0.bytes)) } ?? drawnIDm
        let pmm = map["pmm"].map { PMm(UInt64(octets: $0.bytes)) } ?? ic.pmm.value ?? PMm(0xFFFF_FFFF_FFFF_FFFF)
        var card = FeliCaCardDefinition(idm: idm, pmm: pmm, profile: ic.profile, systems: [])
        card.systems = systems(of: template)
        addSystems(to: &card)
        addReports(to: &card)
        set(&card.profile, of: .felica)
        guard isClean else { return nil }
        do {
            return .felica(try FeliCaTemplate(card), ic: ic.name)
        } catch {
            reportAll(error, in: card)
            return nil
        }
    }

    /// `01 12` as on cards of a common kind, and six bytes of chance.
    private var drawnIDm: IDm {
        var random = random.fork("idm")
        return IDm(0x0112 << 48 | random.next() >> 16)
    }

    private mutating func addReports(to card: inout FeliCaCardDefinition) {
        if let container = map["container"]?.map {
            var made = FeliCaContainer(idm: IDm(UInt64(octets: container.required("idm").bytes)))
            if let bytes = container["issue_information"]?.bytes { made.issueInformation = BlockData(bytes) }
            if let properties = container["properties"]?.items { made.properties = properties.map(\.bytes) }
            card.container = made
        }
        if let data = map["product_information"]?.bytes { card.productInformation.data = data }
        if let versions = map["specification_version"]?.map {
            if let format = versions["format"]?.bytes.first { card.specificationVersion.format = format }
            if let basic = versions["basic"]?.code { card.specificationVersion.basic = .init(basic) }
            if let options = versions["options"]?.items {
                card.specificationVersion.options = options.map { .init($0.code) }
            }
        }
        if let status = map["system_status"]?.map {
            if let flag = status["flag"]?.bytes.first { card.systemStatus.flag = flag }
            if let data = status["data"]?.bytes { card.systemStatus.data = data }
        }
        card.rewriteLimit = map["rewrite_limit"].map { UInt32(clamping: $0.integer) }
    }
}

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

extension CardDecoder {
    /// Refuses what a service says about itself and its code does not.
    mutating func checkAttribute(_ attribute: NodeAttribute, _ map: MapReader) {
        let isFree = attribute.isAuthenticationFree
        let facts: [(key: String, isTrue: Bool?, word: String)] = [
            (
                "kind", map["kind"].map { $0.word(as: FeliCaTables.Kind.self).kind == attribute.kind },
                attribute.kind.word
            ),
            (
                "access", map["access"].map { $0.word(as: FeliCaTables.Access.self).access == attribute.access },
                attribute.access.word
            ),
            ("authentication", map["authentication"].map { $0.boolean != isFree }, "\(!isFree)"),
        ]
        for (key, isTrue, word) in facts where isTrue == false {
            report(
                .contradiction, "`\(key)` is not what the service code says", at: map.node[key] ?? .map(map.node),
                hint: "attribute \(attribute) of the code says \(word); change one of them")
        }
    }
}

extension FeliCaTables.Kind {
    /// The kind as an attribute has it.
    fileprivate var kind: NodeAttribute.Kind {
        switch self {
        case .random: .random
        case .cyclic: .cyclic
        case .purse: .purse
        }
    }
}

extension FeliCaTables.Access {
    /// The access as an attribute has it.
    fileprivate var access: NodeAttribute.Access {
        switch self {
        case .readWrite: .readWrite
        case .readOnly: .readOnly
        case .cashbackDecrement: .cashbackDecrement
        case .decrement: .decrement
        }
    }
}

extension NodeAttribute.Kind {
    /// The word of files for the kind.
    fileprivate var word: String {
        switch self {
        case .area: "area"
        case .random: FeliCaTables.Kind.random.rawValue
        case .cyclic: FeliCaTables.Kind.cyclic.rawValue
        case .purse: FeliCaTables.Kind.purse.rawValue
        case .undefined: "nothing that is known"
        }
    }
}

extension NodeAttribute.Access {
    /// The word of files for the access.
    fileprivate var word: String {
        FeliCaTables.Access.allCases.first { $0.access == self }?.rawValue ?? ""
    }
}

extension CardDecoder {
    /// Reports why the definition is no card, and what else is wrong with it without the services of that error.
    mutating func reportAll(_ error: FeliCaTemplateError, in card: FeliCaCardDefinition) {
        var rest = card
        var next: FeliCaTemplateError? = error
        while let error = next {
            report(error, in: rest)
            guard let number = error.system, rest.systems.indices.contains(number), let node = error.node,
                rest.systems[number].services.contains(where: { $0.code == node })
            else { return }
            // Services that share blocks are wrong together.
            rest.systems[number].services.removeAll { $0.code.store == node.store }
            next = Self.problem(with: rest)
        }
    }

    private static func problem(with card: FeliCaCardDefinition) -> FeliCaTemplateError? {
        do {
            _ = try FeliCaTemplate(card)
            return nil
        } catch {
            return error
        }
    }

    /// Reports why the definition is no card, where the file says what is wrong.
    mutating func report(_ error: FeliCaTemplateError, in card: FeliCaCardDefinition) {
        var sentence = error.description
        if sentence.last == "." { sentence.removeLast() }
        let parts = sentence.split(separator: "; ", maxSplits: 1).map(String.init)
        report(
            .impossibleCard, parts.first.map(Self.uncapitalized) ?? sentence, at: place(of: error, in: card),
            hint: parts.count == 2 ? parts[1] : "")
    }

    private static func uncapitalized(_ text: String) -> String {
        let isAcronym = text.dropFirst().first?.isUppercase ?? false
        return isAcronym ? text : text.prefix(1).lowercased() + text.dropFirst()
    }

    /// The key of the area or service, else of the system, else what the error names.
    private func place(of error: FeliCaTemplateError, in card: FeliCaCardDefinition) -> Node {
        guard let number = error.system, card.systems.indices.contains(number) else {
            return value(error.code == .reportTooLong ? Self.reportKey(error) : "systems")
        }
        let written = map["systems"]?.named.last { SystemCode($0.name.code) == card.systems[number].code }
        guard let (name, system) = written else { return value("template") }
        guard let node = error.node else { return name.node }
        for key in ["services", "areas"] {
            let entries = system.map[key]?.named ?? []
            if let entry = entries.last(where: { NodeCode($0.name.code) == node }) { return entry.name.node }
        }
        return name.node
    }

    private static func reportKey(_ error: FeliCaTemplateError) -> String {
        let keys = ["product_information", "specification_version", "system_status", "container"]
        return keys.first { error.description.contains($0.split(separator: "_").joined(separator: " ")) } ?? ""
    }
}

// A FeliCa card as a map of the card language: everything that is not as without the key.

extension Node {
    /// The map of a card that was made for an IC.
    static func of(_ card: FeliCaCardDefinition, ic: String) -> Node {
        let specification = card.specificationVersion
        let isDefault = specification == .init(basic: .init(0x8500))
        return .map([
            "ic": .text(ic),
            "idm": .hex(card.idm.rawValue.octets),
            "pmm": .hex(card.pmm.rawValue.octets),
            "systems": .map(card.systems.map { (key: $0.code.description, value: .of($0)) }),
            "container": card.container.map { .of($0) },
            "product_information": card.productInformation.data.isEmpty ? nil : .hex(card.productInformation.data),
            "specification_version": isDefault
                ? nil
                : .map([
                    "format": .hex([specification.format]), "basic": .code(specification.basic.rawValue),
                    "options": .list(specification.options.map { .code($0.rawValue) }),
                ]),
            "system_status": card.systemStatus == .init()
                ? nil : ["flag": .hex([card.systemStatus.flag]), "data": .hex(card.systemStatus.data)],
            "rewrite_limit": card.rewriteLimit.map { .number($0) },
            "quirks": quirks(of: card.profile, unlike: FeliCaIC.named(ic)?.profile ?? FeliCaProfile()),
        ])
    }

    private static func quirks(of profile: FeliCaProfile, unlike standard: FeliCaProfile) -> Node? {
        let switches = FeliCaProfile.switches.filter { $0.value(in: profile) != $0.value(in: standard) }
        guard !switches.isEmpty else { return nil }
        return .map(switches.map { (key: $0.name, value: .text($0.value(in: profile))) })
    }

    private static func of(_ container: FeliCaContainer) -> Node {
        [
            "idm": .hex(container.idm.rawValue.octets), "issue_information": .hex(container.issueInformation.bytes),
            "properties": .list(container.properties.map { .hex($0) }),
        ]
    }

    private static func of(_ system: FeliCaSystemDefinition) -> Node {
        var entries: [(key: String, value: Node)] = []
        if let idm = system.idm { entries.append((key: "idm", value: .hex(idm.rawValue.octets))) }
        entries += self.entries(of: system.keys)
        if system.issue != FeliCaIssue() {
            let issue: Node = ["id": .hex(system.issue.id.octets), "parameter": .hex(system.issue.parameter.octets)]
            entries.append((key: "issue", value: issue))
        }
        entries.append((key: "areas", value: .map(system.areas.map { (key: $0.code.description, value: .of($0)) })))
        let services = system.services.map { (key: $0.code.description, value: Node.of($0)) }
        if !services.isEmpty { entries.append((key: "services", value: .map(services))) }
        return .map(entries)
    }

    private static func of(_ area: FeliCaAreaDefinition) -> Node {
        var entries = [(key: "end", value: Node.code(area.end.rawValue))] + entries(of: area.keys)
        if let blocks = area.assignedBlocks { entries.append((key: "blocks", value: .number(blocks))) }
        if area.information != 0 { entries.append((key: "information", value: .code(area.information))) }
        return entries.count == 1 ? entries[0].value : .map(entries)
    }

    private static func of(_ service: FeliCaServiceDefinition) -> Node {
        var entries = entries(of: service.keys)
        if let limits = service.purseLimits {
            let node: Node = [
                "lower": .number(limits.lower), "upper": .number(limits.upper),
                "generation": .number(limits.generation),
            ]
            entries.append((key: "limits", value: node))
        }
        if service.hasMACCommunication { entries.append((key: "mac", value: true)) }
        if !service.blocks.isEmpty {
            let used = service.blocks.lastIndex { $0 != .zero }.map { $0 + 1 } ?? 0
            if used < service.blocks.count { entries.append((key: "blocks", value: .number(service.blocks.count))) }
            let data = service.blocks.prefix(used).map { Node.hex($0.bytes) }
            if used > 0 { entries.append((key: "data", value: .list(data))) }
        }
        return .map(entries)
    }

    /// Keys and versions that are not those of ``FeliCaKeys/init(desVersion:desKey:aesVersion:aesKey:)``.
    private static func entries(of keys: FeliCaKeys) -> [(key: String, value: Node)] {
        var entries: [(key: String, value: Node)] = []
        if let key = keys.desKey { entries.append((key: "key", value: .hex(key))) }
        if keys.desVersion != 0 {
            entries.append((key: "key_version", value: keys.desVersion.map { .code($0) } ?? "none"))
        }
        if let key = keys.aesKey { entries.append((key: "aes_key", value: .hex(key))) }
        if keys.aesVersion != nil || keys.aesKey != nil {
            entries.append((key: "aes_key_version", value: keys.aesVersion.map { .code($0) } ?? "none"))
        }
        return entries
    }
}
