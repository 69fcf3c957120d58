/// Where the values of a case come from that is written out.
struct CaseOrigins {
    private let scenarioCase: ScenarioCase
    private let document: Node

    init(_ scenarioCase: ScenarioCase) {
        self.scenarioCase = scenarioCase
        document = scenarioCase.document
    }

    /// The origins of the case as ``ScenarioCase/resolved`` writes it.
    var origins: Origins {
        let own = document["cases"]?[0]
        let parts = ["timeline", "faults", "expect", "client", "taps"].map { key in
            (key, (own?[key] ?? document[key]).map { Origins(of: $0) } ?? .all(Origins.usual))
        }
        let others = ["title", "reader", "readers"].map { key in
            (key, document[key].map { Origins(of: $0) } ?? .all(Origins.usual))
        }
        let name = document["scenario"].map { Origins(of: $0) } ?? .all("the name of the file")
        let cards = scenarioCase.cards.map { card in
            (card.name, CardOrigins(card.definition, scenarioCase.cardNodes[card.name], scenarioCase.seed).origins)
        }
        let first: [(String, Origins)] = [
            ("format", document["format"].map { Origins(of: $0) } ?? .all(Origins.usual)), ("scenario", name),
            ("tags", tags(own)), ("settings", settings), ("phone", phone(own)),
            ("cards", .keys(Dictionary(cards) { first, _ in first }, others: Origins.usual)),
            ("cases", .items([own.map { Origins(of: $0) } ?? .all(Origins.usual)], others: Origins.usual)),
        ]
        return .keys(Dictionary(first + parts + others) { first, _ in first }, others: Origins.usual)
    }

    /// The phone: what the case says of it, else what the file says; declarations come from the Info.plist one names.
    private func phone(_ own: Node?) -> Origins {
        var keys: [String: Origins] = [:]
        for entry in (document["phone"]?.entries ?? []) + (own?["phone"]?.entries ?? []) {
            keys[entry.key.text] = Origins(of: entry.value)
            guard entry.key.text == "info_plist", let path = entry.value.text else { continue }
            for key in ["system_codes", "usage"] { keys[key] = .all("\(path), \(Origins.place(entry.value))") }
        }
        return .keys(keys, others: Origins.usual)
    }

    private func tags(_ own: Node?) -> Origins {
        let written = (document["tags"]?.items ?? []) + (own?["tags"]?.items ?? [])
        let items = scenarioCase.tags.map { tag in
            written.first { $0.text == tag }.map { Origins(of: $0) } ?? .all(Origins.usual)
        }
        return .items(items, others: Origins.usual)
    }

    /// The settings; a seed that no file has came with the command.
    private var settings: Origins {
        let written = document["settings"].map { Origins(of: $0, others: Origins.usual) } ?? .all(Origins.usual)
        guard case .keys(var keys, let others) = written else {
            return .keys(["seed": .all(seed(nil))], others: Origins.usual)
        }
        keys["seed"] = .all(seed(document["settings"]?["seed"]))
        return .keys(keys, others: others)
    }

    private func seed(_ written: Node?) -> String {
        if let written, written.text == "\(scenarioCase.seed)" { return Origins.place(written) }
        return written == nil && scenarioCase.seed == ScenarioLoader.defaultSeed ? Origins.usual : "--seed"
    }
}
