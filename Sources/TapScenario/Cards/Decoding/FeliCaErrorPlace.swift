import TapCards
import TapWire

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
