import TapCards
import TapDocument
import TapImages
import TapWire

/// Builds a card from a checked map, and reports what the key table cannot check.
struct CardDecoder {
    let map: MapReader
    /// The random generator of this card; each purpose forks its own generator by name.
    let random: SeededGenerator
    /// Resolves the path of a dump.
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
                .contradiction, "a `\(name)` card cannot have the IC \(ic.name)", at: value(CardLanguage.ic.name),
                hint: "\(name) is \(CardFamily.phrase(of: template?.families ?? [])); "
                    + "remove `ic` to use \(template?.defaultIC(generation: nil) ?? "")")
            return nil
        }
        checkKeys(of: ic.family, template)
        checkGeneration(template)
        if let image, !fits(image, ic) { return nil }
        switch ic.product {
        case .felica(let chip): return felica(chip, template, image)
        case .lite(let chip): return lite(chip, template, image)
        case .ntag(let product): return ntag(product, template, image)
        }
    }

    private mutating func chip(of template: CardTemplate?, _ image: CardImage?) -> CatalogueIC? {
        if let ic = map[CardLanguage.ic] { return ic.read(ICRule.self) }
        if let ic = image?.ic { return ic }
        if let template { return ICCatalogue.named(template.defaultIC(generation: map[CardLanguage.generation])) }
        if let image, case .tag(let tag) = image.content {
            report(
                .missingKey,
                "the dump ends at offset \(tag.pages.count * PageData.byteCount), after page \(tag.pages.count - 1), "
                    + "which is not the end of any NTAG21x",
                at: value(CardLanguage.image.name),
                hint:
                    "read the tag again; if the rest cannot be read, add the IC, such as `ic: NTAG215`, next to `image`"
            )
            return nil
        }
        report(
            .missingKey, "`ic` is missing", at: .map(map.node),
            hint: "add `ic`, such as RC-S962 or NTAG215, or a `template`")
        return nil
    }

    /// Reports a generation that the cards of the template do not have.
    private mutating func checkGeneration(_ template: CardTemplate?) {
        guard let template, !template.generations.isEmpty, let generation = map[CardLanguage.generation],
            generation > template.generations.count
        else { return }
        report(
            .outOfRange, "`\(template.rawValue)` has no generation \(generation)",
            at: value(CardLanguage.generation.name),
            hint: "expected \(IntegerRule.need(1...template.generations.count)); "
                + "`tapsim explain \(template.rawValue)` lists them")
    }

    /// Reports keys that belong to another family or another template.
    private mutating func checkKeys(of family: CardFamily, _ template: CardTemplate?) {
        let own = template?.keys ?? []
        for entry in map.node.entries {
            let name = entry.key.text
            let owners = CardLanguage.familyKeys.first { $0.keys.contains { $0.name == name } }?.families
            if let owners, !owners.contains(family) {
                report(
                    .misplacedKey, "`\(name)` does not belong to \(family.phrase)", at: .scalar(entry.key),
                    hint: "only \(CardFamily.phrase(of: owners)) has this key")
            } else if CardLanguage.templateKeys.contains(where: { $0.name == name }), !own.contains(name) {
                let owners = CardTemplate.allCases.filter { $0.keys.contains(name) }.map(\.rawValue)
                report(
                    .misplacedKey,
                    template.map { "`\(name)` does not belong to the template `\($0.rawValue)`" }
                        ?? "`\(name)` needs a template", at: .scalar(entry.key),
                    hint: "templates with this key: \(owners.joined(separator: ", "))")
            }
        }
    }
}

extension CardDecoder {
    /// The node of a key of the card, or the card itself if the key is omitted.
    func value(_ key: String) -> Node { map.node[key] ?? .map(map.node) }

    mutating func report(_ code: DiagnosticCode, _ message: String, at node: Node, hint: String = "") {
        report(Diagnostic(code, message, at: node, hint: hint))
    }

    /// Reports a diagnostic; if its location is in another file than the card, also points to the card.
    mutating func report(_ diagnostic: Diagnostic) {
        let kind = map.node.entry(CardLanguage.template.name) ?? map.node.entry(CardLanguage.ic.name)
        var diagnostic = diagnostic
        if let place = kind?.key.range, let file = diagnostic.place.file, place.file != file {
            diagnostic = diagnostic.adding(Diagnostic.Related("the card is here", at: place))
        }
        diagnostics.report(diagnostic)
        if diagnostic.severity == .error { isClean = false }
    }

    /// Reports a value that does not fit into the bytes of a card.
    mutating func report(_ error: WireError, at node: Node) {
        report(
            .impossibleCard, "the value does not fit the \(error.field)", at: node,
            hint: error.detail.isEmpty ? "\(error)" : error.detail)
    }
}

/// Runs of blocks or pages in a map, each keyed by the number of its first item.
struct NumberedRuns {
    let noun: String
    /// The boundary after which the card has no more blocks or pages, for messages.
    let end: String
    /// The hint for a number beyond the boundary.
    let hint: String
    /// The run that contains each number.
    fileprivate var written: [Int: String] = [:]

    init(noun: String, end: String, hint: String) {
        (self.noun, self.end, self.hint) = (noun, end, hint)
    }
}

extension CardDecoder {
    /// The bytes of a run with their numbers; reports numbers beyond the end and numbers that another run contains as well.
    mutating func place(
        _ values: [ValueReader], _ name: ValueReader, from first: Int, to last: Int, in runs: inout NumberedRuns
    ) -> [(number: Int, bytes: [UInt8])] {
        var placed: [(Int, [UInt8])] = []
        for (number, value) in zip(first..., values) {
            guard number <= last else {
                report(.outOfRange, "\(runs.noun) \(number) is after \(runs.end)", at: value.node, hint: runs.hint)
                break
            }
            if let other = runs.written[number] {
                report(
                    .contradiction, "\(runs.noun) \(number) is defined twice", at: value.node,
                    hint: "it is also in the list that starts at \(runs.noun) \(other)")
            }
            runs.written[number] = name.text
            placed.append((number, value.bytes))
        }
        return placed
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

    /// A phrase for cards of several families.
    static func phrase(of families: [CardFamily]) -> String {
        if Set(families) == [.felica, .lite] { return "a FeliCa card" }
        return ListText.choice(families.map(\.phrase))
    }
}

extension CardDecoder {
    /// Reads the dump under `image`.
    ///
    /// Returns `nil` without a dump; reports a dump that cannot be read.
    mutating func readImage() -> CardImage? {
        guard case .scalar(let path)? = map[CardLanguage.image]?.node else { return nil }
        guard let files, let base = path.written?.file.name else {
            report(
                Diagnostic(
                    .noFiles, "cannot read `\(path.text)`: this scenario has no access to other files", at: path,
                    hint: "use `tapsim check --resolved --json` to write a self-contained scenario"))
            return nil
        }
        do {
            let file = try files.open(path.text, namedIn: base, maximumBytes: CardImage.maximumBytes)
            return image(of: file, path)
        } catch {
            report(error.diagnostic(path))
            return nil
        }
    }

    private mutating func image(of file: ReferencedFile, _ path: Scalar) -> CardImage? {
        let source = SourceFile(name: file.name, bytes: file.bytes)
        do {
            return try CardImage(reading: source)
        } catch {
            let line = CardImage.isKnown(source) ? error.line.map { source.offsets(ofLine: $0) } : nil
            let place = line.map { SourceRange(source, offset: $0.lowerBound, end: $0.upperBound) }
            let related = path.written.map { [Diagnostic.Related("the dump is used here", at: $0)] } ?? []
            report(
                Diagnostic(
                    .noDump, line == nil ? "\(error)" : error.message, at: place.map { .range($0) } ?? .file(source),
                    hint: error.hint,
                    related: related))
            return nil
        }
    }

    /// Returns whether a dump can be from a card with the IC.
    private mutating func fits(_ image: CardImage, _ ic: CatalogueIC) -> Bool {
        let dumped = image.ic?.name ?? (image.family == ic.family ? ic.name : image.family.rawValue)
        guard image.family == ic.family, ic.family != .ntag || dumped == ic.name else {
            report(
                .contradiction, "the dump is from \(dumped), but the card is \(ic.name)",
                at: value(CardLanguage.image.name), hint: "remove `ic` and `template`, or use another dump")
            return false
        }
        return true
    }

    /// The result of building from a dump; reports the problem and returns `nil` if that fails.
    mutating func made<Definition>(_ make: () throws(ImageProblem) -> Definition) -> Definition? {
        do {
            return try make()
        } catch {
            report(.noDump, error.message, at: value(CardLanguage.image.name), hint: error.hint)
            return nil
        }
    }

    /// Reports the parts of a card that were not read, except for a password or key that the file itself states.
    mutating func reportUnread(of image: CardImage, _ ic: CatalogueIC, isSecretTold: Bool = false) {
        for note in image.notes(ic) where note.kind == .unread || !isSecretTold && note.kind == .secret {
            report(.partialDump, note.message, at: value(CardLanguage.image.name), hint: note.hint)
        }
    }
}

extension CardDecoder {
    /// Sets the switches under `quirks`, which makes them decisions instead of assumptions.
    ///
    /// Reports switches of another family and unknown values.
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
                hint: "expected \(known?.allowedValues ?? "another value")")
        case .unknownSwitch:
            report(
                .misplacedKey, "\(family.phrase) has no switch `\(name.text)`", at: name.node,
                hint: "only \(known?.family.phrase ?? "another card") has this switch")
        }
    }
}

extension Node {
    /// The switches of a card that differ from its IC, or that the card decides and the IC leaves open.
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
