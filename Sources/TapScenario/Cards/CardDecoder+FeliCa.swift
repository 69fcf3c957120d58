import TapCards
import TapDocument
import TapImages
import TapWire

extension CardDecoder {
    /// Builds a FeliCa card from a dump or a template, then applies the written keys.
    mutating func felica(_ ic: FeliCaIC, _ template: CardTemplate?, _ image: CardImage?) -> CardDefinition? {
        guard var card = ground(ic, template, image) else { return nil }
        if let idm = map[CardLanguage.idm] { card.idm = idm }
        if let pmm = map[CardLanguage.pmm] { card.pmm = pmm }
        card.time = map[CardLanguage.time] ?? .typical
        addSystems(to: &card)
        addNDEF(to: &card, template)
        FeliCaTables.reports.read(map, into: &card)
        set(&card.profile, &card.assumptions, of: .felica)
        guard isClean else { return nil }
        do {
            return .felica(try FeliCaTemplate(card), ic: ic.name)
        } catch {
            reportAll(error, in: card)
            return nil
        }
    }

    /// The card of a dump, or the template's card with a random IDm.
    private mutating func ground(
        _ ic: FeliCaIC, _ template: CardTemplate?, _ image: CardImage?
    ) -> FeliCaCardDefinition? {
        if let image, case .felica(let dump) = image.content {
            reportUnread(of: image, CatalogueIC(product: .felica(ic)))
            return made { () throws(ImageProblem) in try dump.card(ic) }
        }
        let pmm = ic.pmm.value ?? PMm(0xFFFF_FFFF_FFFF_FFFF)
        var card = FeliCaCardDefinition(idm: drawnIDm, pmm: pmm, profile: ic.profile, systems: [])
        card.assumptions = ic.assumptions
        card.chip = ic.reports
        card.systems = systems(of: template, on: ic)
        return card
    }

    /// An IDm that starts with `01 12`, as on common cards, followed by six random bytes.
    private var drawnIDm: IDm {
        var random = random.fork("idm")
        return IDm(0x0112 << 48 | random.next() >> 16)
    }
}

extension CardDecoder {
    /// Adds the written systems to the template's systems; a written system with an existing code changes that system.
    mutating func addSystems(to card: inout FeliCaCardDefinition) {
        for (name, value) in codes(map[CardLanguage.systems]) {
            let code = SystemCode(name.code)
            let index = card.systems.firstIndex { $0.code == code }
            var system = index.map { card.systems[$0] } ?? FeliCaSystemDefinition(code: code, areas: [], services: [])
            fill(&system, from: value.map)
            if let index { card.systems[index] = system } else { card.systems.append(system) }
        }
    }

    /// The entries of a map of codes; reports a code that appears twice, such as `0003` and `00 03`.
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
        FeliCaTables.system.read(map, into: &system)
        for (name, value) in codes(map[FeliCaTables.areas]) { addArea(name, value, to: &system) }
        if !system.areas.contains(where: { $0.code == .root }) { system.areas.insert(.root(), at: 0) }
        var filled: [NodeCode.Store: ValueReader] = [:]
        for (name, value) in codes(map[FeliCaTables.services]) { addService(name, value, to: &system, &filled) }
    }

    private mutating func addArea(_ name: ValueReader, _ value: ValueReader, to system: inout FeliCaSystemDefinition) {
        let code = NodeCode(name.code)
        let known = system.areas.firstIndex { $0.code == code }
        let root: NodeCode? = code == .root ? .lastService : nil
        let isShort = value.kind == .scalar
        let stated = isShort ? NodeCode(value.code) : value.map[FeliCaTables.end]
        guard let end = stated ?? known.map({ system.areas[$0].end }) ?? root else {
            report(.missingKey, "`end` is missing", at: value.node, hint: "add the last code of the area")
            return
        }
        var area = known.map { system.areas[$0] } ?? FeliCaAreaDefinition(code, end: end)
        area.end = end
        if !isShort { FeliCaTables.area.read(value.map, into: &area) }
        if let known { system.areas[known] = area } else { system.areas.append(area) }
    }

    /// Adds or changes a service.
    ///
    /// - Parameter filled: For each store, the service whose map gave the blocks.
    private mutating func addService(
        _ name: ValueReader, _ value: ValueReader, to system: inout FeliCaSystemDefinition,
        _ filled: inout [NodeCode.Store: ValueReader]
    ) {
        let code = NodeCode(name.code)
        let index = system.services.firstIndex { $0.code == code } ?? system.services.count
        if index == system.services.count { system.services.append(FeliCaServiceDefinition(code, blocks: [])) }
        if value.kind == .map {
            checkAttribute(code.attribute, value.map)
            FeliCaTables.service.read(value.map, into: &system.services[index])
        }
        guard let blocks = blocks(value) else { return }
        blockCount += blocks.count
        if let first = filled[code.store] {
            report(
                .contradiction, "`\(name.text)` and `\(first.text)` define the same blocks", at: name.node,
                hint: "services with the same number and kind share their blocks; define them once")
            return
        }
        filled[code.store] = name
        let owner = system.services.firstIndex { $0.code.store == code.store } ?? index
        system.services[owner].blocks = blocks
    }

    /// The blocks that a service writes, or `nil` if it leaves them to another service.
    private mutating func blocks(_ value: ValueReader) -> [BlockData]? {
        // Skip blocks beyond the largest card's, however many services a file has.
        guard blockCount + Self.statedBlocks(value) <= FeliCaTemplate.maximumBlocks else {
            report(
                .impossibleCard, "the card has more than \(FeliCaTemplate.maximumBlocks) blocks", at: value.node,
                hint: "remove some; no card has room for more")
            return nil
        }
        switch value.kind {
        case .scalar: return Array(repeating: .zero, count: value.integer)
        case .list: return value.items.map { BlockData($0.bytes) }
        case .map:
            let data = value.map[FeliCaTables.data]?.items.map { BlockData($0.bytes) } ?? []
            guard let blocks = value.map[FeliCaTables.blocks] else { return data.isEmpty ? nil : data }
            let count = blocks.integer
            guard count >= data.count else {
                report(
                    .contradiction, "`data` has \(data.count) blocks, but `blocks` is \(count)",
                    at: blocks.node, hint: "write a larger number, or remove `blocks`")
                return nil
            }
            return data + Array(repeating: .zero, count: count - data.count)
        }
    }

    static func statedBlocks(_ value: ValueReader) -> Int {
        switch value.kind {
        case .scalar: value.integer
        case .list: value.items.count
        case .map: max(value.map[FeliCaTables.blocks]?.integer ?? 0, value.map[FeliCaTables.data]?.items.count ?? 0)
        }
    }
}

extension CardDecoder {
    /// Reports attributes of a service that contradict its code.
    mutating func checkAttribute(_ attribute: NodeAttribute, _ map: MapReader) {
        let isFree = attribute.isAuthenticationFree
        let kind = (map[FeliCaTables.kind], { FeliCaTables.kinds.read($0) == attribute.kind }, attribute.kind.word)
        let access = (
            map[FeliCaTables.access], { FeliCaTables.accesses.read($0) == attribute.access },
            FeliCaTables.accesses.node(attribute.access).text ?? ""
        )
        let facts: [(key: String, (value: ValueReader?, isTrue: (ValueReader) -> Bool, word: String))] = [
            (FeliCaTables.kind.name, kind), (FeliCaTables.access.name, access),
            (
                FeliCaTables.authentication.name,
                (map[FeliCaTables.authentication], { $0.boolean != isFree }, "\(!isFree)")
            ),
        ]
        for (key, (value, isTrue, word)) in facts {
            guard let value, !isTrue(value) else { continue }
            report(
                .contradiction, "`\(key)` contradicts the service code", at: value.node,
                hint: "attribute \(attribute) of the code means \(word); change one of them")
        }
    }
}

extension NodeAttribute.Kind {
    /// The name of the kind in files.
    fileprivate var word: String {
        switch self {
        case .area: "area"
        case .undefined: "something unknown"
        case .random, .cyclic, .purse: FeliCaTables.kinds.node(self).text ?? ""
        }
    }
}

extension CardDecoder {
    /// Reports an error in the definition, removes the services it concerns, and continues with the errors that remain.
    mutating func reportAll(_ error: FeliCaTemplateError, in card: FeliCaCardDefinition) {
        var rest = card
        var next: FeliCaTemplateError? = error
        while let error = next {
            report(error, in: rest)
            guard let number = error.system, rest.systems.indices.contains(number), let node = error.node,
                rest.systems[number].services.contains(where: { $0.code == node })
            else { return }
            // Services that share blocks fail together.
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

    /// Reports an error in the definition, at the part of the file that causes it.
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

    /// The key of the area or service, else of the system, else of what the error names.
    private func place(of error: FeliCaTemplateError, in card: FeliCaCardDefinition) -> Node {
        guard let number = error.system, card.systems.indices.contains(number) else {
            return value(error.code == .reportTooLong ? Self.reportKey(error) : CardLanguage.systems.name)
        }
        let written = map[CardLanguage.systems]?.named.last { SystemCode($0.name.code) == card.systems[number].code }
        guard let (name, system) = written else { return value(CardLanguage.template.name) }
        guard let node = error.node else { return name.node }
        for key in [FeliCaTables.services, FeliCaTables.areas] {
            let entries = system.map[key]?.named ?? []
            if let entry = entries.last(where: { NodeCode($0.name.code) == node }) { return entry.name.node }
        }
        return name.node
    }

    private static func reportKey(_ error: FeliCaTemplateError) -> String {
        FeliCaTables.reports.keys.keys.map(\.name).first {
            error.description.contains($0.split(separator: "_").joined(separator: " "))
        } ?? ""
    }
}

// Converts a FeliCa card to a map of the card language that omits defaults.

extension Node {
    static func of(_ card: FeliCaCardDefinition, ic: String) -> Node {
        let row = FeliCaIC.named(ic)
        let standard = (row?.profile ?? FeliCaProfile(), row?.assumptions ?? CardAssumptions())
        let systems = card.systems.map { (key: $0.code.description, value: FeliCaTables.system.node($0)) }
        let time = card.time == .typical ? [] : [CardLanguage.time.entry(card.time)]
        return .map(
            [(CardLanguage.ic.name, .text(ic)), CardLanguage.idm.entry(card.idm), CardLanguage.pmm.entry(card.pmm)]
                + time + [(CardLanguage.systems.name, .map(systems))] + FeliCaTables.reports.entries(card)
                + [quirks(card.profile, card.assumptions, unlike: standard)].compactMap(\.self))
    }
}
