import TapCards
import TapDocument
import TapWire

/// The origins of the values of a case that is written out.
struct CaseOrigins {
    private let scenarioCase: ScenarioCase
    private let document: Node

    init(_ scenarioCase: ScenarioCase) {
        self.scenarioCase = scenarioCase
        document = scenarioCase.document
    }

    /// The origins of the case as written by ``ScenarioCase/resolved``.
    var origins: Origins {
        let own = document[.cases]?[0]
        let parts = [ScenarioKey.timeline, .faults, .recording, .expect, .client, .taps].map { key in
            (key, (own?[key] ?? document[key]).map { Origins(of: $0) } ?? .all(Origins.default))
        }
        let others = [ScenarioKey.title, .reader, .readers].map { key in
            (key, document[key].map { Origins(of: $0) } ?? .all(Origins.default))
        }
        let name = document[.scenario].map { Origins(of: $0) } ?? .all("the name of the file")
        let cards = scenarioCase.cards.map { card in
            (card.name, CardOrigins(card.definition, card.written, scenarioCase.seed).origins)
        }
        let first: [(ScenarioKey, Origins)] = [
            (.format, document[.format].map { Origins(of: $0) } ?? .all(Origins.default)), (.scenario, name),
            (.tags, tags(own)), (.settings, settings), (.phone, phone(own)),
            (.cards, .keys(Dictionary(cards) { first, _ in first }, others: Origins.default)),
            (.cases, .items([own.map { Origins(of: $0) } ?? .all(Origins.default)], others: Origins.default)),
        ]
        return .keys(
            Dictionary((first + parts + others).map { ($0.rawValue, $1) }) { first, _ in first },
            others: Origins.default)
    }

    /// The origins of the phone: the case, otherwise the file; declarations come from the Info.plist named there.
    private func phone(_ own: Node?) -> Origins {
        var keys: [String: Origins] = [:]
        for entry in (document[.phone]?.entries ?? []) + (own?[.phone]?.entries ?? []) {
            keys[entry.key.text] = Origins(of: entry.value)
            guard entry.key.text == "info_plist", let path = entry.value.text else { continue }
            for key in ["system_codes", "usage"] { keys[key] = .all("\(path), \(Origins.place(entry.value))") }
        }
        return .keys(keys, others: Origins.default)
    }

    private func tags(_ own: Node?) -> Origins {
        let written = (document[.tags]?.items ?? []) + (own?[.tags]?.items ?? [])
        let items = scenarioCase.tags.map { tag in
            written.first { $0.text == tag }.map { Origins(of: $0) } ?? .all(Origins.default)
        }
        return .items(items, others: Origins.default)
    }

    /// The settings; a seed that no file states comes from the command line.
    private var settings: Origins {
        let written = document[.settings].map { Origins(of: $0, others: Origins.default) } ?? .all(Origins.default)
        guard case .keys(var keys, let others) = written else {
            return .keys(["seed": .all(seed(nil))], others: Origins.default)
        }
        keys["seed"] = .all(seed(document[.settings]?["seed"]))
        return .keys(keys, others: others)
    }

    private func seed(_ written: Node?) -> String {
        if let written, written.text == "\(scenarioCase.seed)" { return Origins.place(written) }
        return written == nil && scenarioCase.seed == ScenarioLoader.defaultSeed ? Origins.default : "--seed"
    }
}

/// The origins of the values of a card that is written out.
struct CardOrigins {
    private let definition: CardDefinition
    private let written: NodeMap
    private let seed: UInt64

    init(_ definition: CardDefinition, _ written: NodeMap, _ seed: UInt64) {
        self.definition = definition
        self.written = written
        self.seed = seed
    }

    /// The origins of the card as written by ``CardDefinition/node``.
    var origins: Origins {
        var keys: [String: Origins] = [:]
        for entry in written.entries { keys[entry.key.text] = Origins(of: entry.value, others: ground) }
        keys["ic"] = keys["ic"] ?? .all(ground)
        let identifier = definition.family.isFeliCa ? "idm" : "uid"
        keys[identifier] = keys[identifier] ?? .all(place("image") ?? "seed \(seed)")
        keys["pmm"] = keys["pmm"] ?? .all("ic \(definition.icName)")
        keys["quirks"] = keys["quirks"] ?? .all(Origins.default)
        keys["config"] = keys["config"] ?? .all(ground)
        switch definition {
        case .felica(let template, _): keys["systems"] = systems(keys["systems"], template.definition)
        case .lite:
            let others = place("ndef") ?? ground
            keys["blocks"] = written["blocks"].map { Origins(of: $0, others: others) } ?? .all(others)
        case .ntag(let template): keys["pages"] = pages(of: template.definition)
        }
        return .keys(keys, others: ground)
    }

    /// The origin of values that no key of the card sets.
    private var ground: String {
        place("image") ?? place("preset") ?? written["template"]?.text.map { "template \($0)" }
            ?? "ic \(definition.icName)"
    }

    private func place(_ key: String) -> String? { written[key].map(Origins.place) }

    // MARK: FeliCa

    private func systems(_ stated: Origins?, _ card: FeliCaCardDefinition) -> Origins {
        guard stated == nil else { return stated ?? .all(ground) }
        var systems: [String: Origins] = [:]
        for system in card.systems {
            var services: [String: Origins] = [:]
            for service in system.services where !service.blocks.isEmpty {
                guard let known = ApplicationService.known(sharing: service.code, in: system.code) else { continue }
                var keys = ["data": blocks(of: known.service)]
                if known.service.record?.role == .history {
                    keys["blocks"] = place("history_blocks").map(Origins.all)
                }
                services[service.code.description] = .keys(keys, others: ground)
            }
            systems[system.code.description] = .keys(["services": .keys(services, others: ground)], others: ground)
        }
        return .keys(systems, others: ground)
    }

    /// The blocks that a template fills from application keys.
    private func blocks(of service: ApplicationService) -> Origins {
        let each = service.record?.blockCount ?? 1
        switch service.record?.role {
        case .balance: return .items(single("balance"), others: ground)
        case .history: return records("history", blocksEach: each, others: place("trips"))
        case .gates: return records("gates", blocksEach: each, others: nil)
        case .number: return .items(single("number"), others: ground)
        case .points:
            let before = [Origins](repeating: .all(ground), count: Int(service.record?.onlyBlock ?? 0))
            return .items(before + single("points"), others: ground)
        case nil: return .all(ground)
        }
    }

    private func single(_ key: String) -> [Origins] { place(key).map { [.all($0)] } ?? [] }

    /// Stated records, followed by generated ones.
    private func records(_ key: String, blocksEach count: Int, others: String?) -> Origins {
        let stated = (written[key]?.items ?? []).flatMap { item in
            Array(repeating: Origins.all(Origins.place(item)), count: count)
        }
        return .items(stated, others: others ?? ground)
    }

    // MARK: NTAG21x

    /// The pages by the keys under which they are written: single pages, or lists that start at a number.
    private func pages(of tag: NTAGDefinition) -> Origins {
        var keys: [String: Origins] = [:]
        for entry in definition.node["pages"]?.entries ?? [] {
            let first = Int(entry.key.text) ?? 0
            let pages = (first..<first + max(1, entry.value.items.count)).map { Origins.all(origin(ofPage: $0, tag)) }
            keys[entry.key.text] = entry.value.kind == .list ? .items(pages, others: ground) : pages[0]
        }
        return .keys(keys, others: ground)
    }

    private func origin(ofPage page: Int, _ tag: NTAGDefinition) -> String {
        if let stated = statedPage(page) { return Origins.place(stated) }
        let layout = tag.product.layout
        var places: [String] = []
        switch page {
        case 0...1: places = [place("uid")].compactMap(\.self)
        case NTAGLayout.staticLockPage: places = [place("uid"), place("static_locks")].compactMap(\.self)
        case NTAGLayout.capabilityContainerPage: places = [place("capability_container")].compactMap(\.self)
        case layout.dynamicLockPage: places = [place("dynamic_locks")].compactMap(\.self)
        case layout.cfg0Page: places = config(["cfg0", "auth0", "strg_mod", "mirror"])
        case layout.cfg1Page: places = config(["cfg1", "prot", "authlim", "cfglck", "counter"])
        case layout.passwordPage: places = config(["pwd"])
        case layout.packPage: places = config(["pack"])
        default: places = [place("ndef")].compactMap(\.self)
        }
        return places.isEmpty ? ground : places.joined(separator: ", ")
    }

    /// The page under `pages`, alone or in a list that begins before it.
    private func statedPage(_ page: Int) -> Node? {
        for entry in written["pages"]?.entries ?? [] {
            guard let first = Int(entry.key.text), first <= page else { continue }
            if entry.value.kind == .scalar ? first == page : page - first < entry.value.items.count {
                return entry.value[page - first] ?? entry.value
            }
        }
        return nil
    }

    private func config(_ keys: [String]) -> [String] {
        var places: [String] = []
        for key in keys {
            guard let value = written["config"]?[key] else { continue }
            let place = Origins.place(value)
            if !places.contains(place) { places.append(place) }
        }
        return places
    }
}
