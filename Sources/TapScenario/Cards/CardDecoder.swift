import TapCards
import TapDocument
import TapWire

/// Makes a card of a checked map, and reports what its key table could not see.
struct CardDecoder {
    let map: MapReader
    /// The chance of this card; each purpose takes a generator of its own by a name.
    let random: SeededGenerator
    /// Where a dump is found.
    let files: (any ReferencedFiles)?
    private(set) var diagnostics: Diagnostics
    private(set) var isClean = true
    /// Blocks that services have written so far.
    var blockCount = 0

    init(
        _ map: MapReader, random: SeededGenerator, files: (any ReferencedFiles)?, _ diagnostics: Diagnostics
    ) {
        self.map = map
        self.files = files
        self.random = random
        self.diagnostics = diagnostics
    }

    mutating func decode() -> CardDefinition? {
        let template = map[CardLanguage.template]
        let image = readImage()
        guard isClean, let ic = chip(of: template, image) else { return nil }
        guard template?.families.contains(ic.family) ?? true else {
            let name = template?.rawValue ?? ""
            report(
                .contradiction, "`\(name)` is no card with the IC \(ic.name)", at: value(CardLanguage.ic.name),
                hint: "\(name) is \(CardFamily.phrase(of: template?.families ?? [])); "
                    + "leave `ic` out for \(template?.defaultIC(generation: nil) ?? "")")
            return nil
        }
        checkKeys(of: ic.family, template)
        checkGeneration(template)
        switch ic.product {
        case .felica(let chip): return felica(chip, template)
        case .lite(let chip): return lite(chip, template)
        case .ntag(let product): return ntag(product, template, image)
        }
    }

    private mutating func chip(of template: CardTemplate?, _ image: TagImage?) -> CatalogueIC? {
        if let ic = map[CardLanguage.ic] { return ic.read(ICRule.self) }
        if let product = image?.product { return ICCatalogue.named(product.rawValue) }
        if let template { return ICCatalogue.named(template.defaultIC(generation: map[CardLanguage.generation])) }
        report(
            .missingKey, "`ic` is missing", at: .map(map.node),
            hint: "a card needs `ic`, such as RC-S962 or NTAG215, or a `template` that brings one")
        return nil
    }

    /// Refuses a generation that the cards of the template do not have.
    private mutating func checkGeneration(_ template: CardTemplate?) {
        guard let template, !template.generations.isEmpty, let generation = map[CardLanguage.generation],
            generation > template.generations.count
        else { return }
        report(
            .outOfRange, "no generation \(generation) of `\(template.rawValue)` is known",
            at: value(CardLanguage.generation.name),
            hint: "\(IntegerRule.need(1...template.generations.count)) needed; "
                + "`tapsim explain \(template.rawValue)` lists them")
    }

    /// Refuses keys that a card of another family or another template has.
    private mutating func checkKeys(of family: CardFamily, _ template: CardTemplate?) {
        let own = template?.keys ?? []
        for entry in map.node.entries {
            let name = entry.key.text
            let owners = CardLanguage.familyKeys.first { $0.keys.contains { $0.name == name } }?.families
            if let owners, !owners.contains(family) {
                report(
                    .misplacedKey, "`\(name)` does not belong to \(family.phrase)", at: .scalar(entry.key),
                    hint: "only \(CardFamily.phrase(of: owners)) has it")
            } else if CardLanguage.templateKeys.contains(where: { $0.name == name }), !own.contains(name) {
                let owners = CardTemplate.allCases.filter { $0.keys.contains(name) }.map(\.rawValue)
                report(
                    .misplacedKey,
                    template.map { "`\(name)` does not belong to the template `\($0.rawValue)`" }
                        ?? "`\(name)` needs a template", at: .scalar(entry.key),
                    hint: "templates with it: \(owners.joined(separator: ", "))")
            }
        }
    }
}

extension CardDecoder {
    /// The node of a key of the card, or the card itself where the key is not written.
    func value(_ key: String) -> Node { map.node[key] ?? .map(map.node) }

    mutating func report(_ code: DiagnosticCode, _ message: String, at node: Node, hint: String = "") {
        report(Diagnostic(code, message, at: node, hint: hint))
    }

    /// Reports a diagnostic; beside a place in one file, where the card is from if that is another one.
    mutating func report(_ diagnostic: Diagnostic) {
        let kind = map.node.entry(CardLanguage.template.name) ?? map.node.entry(CardLanguage.ic.name)
        var diagnostic = diagnostic
        if let place = kind?.key.range, let file = diagnostic.place.file, place.file != file {
            diagnostic = diagnostic.adding(Diagnostic.Related("what the card is", at: place))
        }
        diagnostics.report(diagnostic)
        if diagnostic.severity == .error { isClean = false }
    }

    /// Reports what bytes cannot hold.
    mutating func report(_ error: WireError, at node: Node) {
        report(
            .impossibleCard, "the \(error.field) cannot hold this", at: node,
            hint: error.detail.isEmpty ? "\(error)" : error.detail)
    }
}

extension CardFamily {
    var phrase: String {
        switch self {
        case .felica: "a FeliCa Standard card"
        case .lite: "a FeliCa Lite"
        case .ntag: "an NTAG"
        }
    }

    /// Cards of several families in words.
    static func phrase(of families: [CardFamily]) -> String {
        if Set(families) == [.felica, .lite] { return "a FeliCa card" }
        return ListText.choice(families.map(\.phrase))
    }
}

extension CardDecoder {
    /// The dump under `image`, or nothing if there is none or it cannot be read, which is reported.
    mutating func readImage() -> TagImage? {
        guard case .scalar(let path)? = map[CardLanguage.image]?.node else { return nil }
        guard let files, let base = path.written?.file.name else {
            report(
                Diagnostic(
                    .noFiles, "`\(path.text)` cannot be read here, where a scenario is one document", at: path,
                    hint: "`tapsim check --resolved --json` writes a scenario out with all that it names"))
            return nil
        }
        do {
            let file = try files.open(path.text, namedIn: base, maximumBytes: TagImage.maximumBytes)
            return image(of: file, path)
        } catch {
            report(error.diagnostic(path))
            return nil
        }
    }

    private mutating func image(of file: ReferencedFile, _ path: Scalar) -> TagImage? {
        do {
            return try TagImage(reading: SourceFile(name: file.name, bytes: file.bytes))
        } catch {
            report(Diagnostic(.noDump, "\(file.name): \(error.message)", at: path, hint: error.hint))
            return nil
        }
    }

    /// The tag of a dump, which has to be one of the IC.
    mutating func tag(_ product: NTAGProduct, of image: TagImage) -> NTAGDefinition? {
        if let other = image.product, other != product {
            report(
                .contradiction, "the dump is of an \(other.rawValue), the card is an \(product.rawValue)",
                at: value(CardLanguage.image.name), hint: "leave `ic` and `template` out, or name another dump")
            return nil
        }
        do {
            let tag = try image.tag(product)
            let count = image.memory.count / PageData.byteCount
            if count < product.layout.pageCount {
                report(
                    .partialDump,
                    "the dump has \(CountText.of(count, "page")) of the \(product.layout.pageCount) of an "
                        + "\(product.rawValue)", at: value(CardLanguage.image.name),
                    hint: "the others are as at delivery; read the tag once more, with its password if it has one")
            }
            return tag
        } catch {
            report(.noDump, "the dump does not fit the card: \(error)", at: value(CardLanguage.image.name))
            return nil
        }
    }

    /// Tells that the password of a dumped tag is not known, unless the file says so itself.
    mutating func checkPassword(of tag: NTAGDefinition, from image: TagImage) {
        guard !tag.isPasswordKnown, map[CardLanguage.config]?.map[NTAGTables.isPasswordKnown] == nil else { return }
        let reason =
            image.hasPassword(tag.product) ? "PWD reads as zeros, as it does on every tag" : "it ends before PWD"
        report(
            .partialDump, "the dump does not hold the password: \(reason)", at: value(CardLanguage.image.name),
            hint: "write `config: {pwd: …}` beside `image`; until then PWD_AUTH is refused, whatever it sends")
    }
}

extension CardDecoder {
    /// Sets the switches under `quirks`, which are assumptions no longer; reports one that another family has, or a value
    /// that a switch does not have.
    mutating func set(
        _ quirks: inout some QuirkSet, _ assumptions: inout CardAssumptions, of family: CardFamily
    ) {
        for (name, value) in map[CardLanguage.quirks]?.named ?? [] {
            do {
                try quirks.set(name.text, to: value.text)
                assumptions.decide(name.text)
            } catch {
                report(error, name, value, of: family)
            }
        }
    }

    private mutating func report(
        _ error: QuirkError, _ name: ValueReader, _ value: ValueReader, of family: CardFamily
    ) {
        let known = SwitchCatalogue.all.first { $0.name == name.text }
        switch error.code {
        case .unknownValue:
            report(
                .unknownWord, "`\(name.text)` cannot be `\(value.text)`", at: value.node,
                hint: "\(known?.allowedValues ?? "another value") needed")
        case .unknownSwitch:
            report(
                .misplacedKey, "`\(name.text)` is no switch of \(family.phrase)", at: name.node,
                hint: "only \(known?.family.phrase ?? "another card") has it")
        }
    }
}

extension Node {
    /// The switches of a card that are not as on its IC, or that the IC leaves open and the card does not.
    static func quirks<Quirks: QuirkSet>(
        _ quirks: Quirks, _ assumptions: CardAssumptions, unlike standard: (Quirks, CardAssumptions)
    ) -> (key: String, value: Node)? {
        let rows = Quirks.switches.filter { row in
            let fact = CardFact(named: row.name)
            let isDecided = fact.map { standard.1.confidence(in: $0) != assumptions.confidence(in: $0) } ?? false
            return isDecided || row.value(in: quirks) != row.value(in: standard.0)
        }
        let entries = rows.map { (key: $0.name, value: Node.text($0.value(in: quirks))) }
        return entries.isEmpty ? nil : (CardLanguage.quirks.name, .map(entries))
    }
}
