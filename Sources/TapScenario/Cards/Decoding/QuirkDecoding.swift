import TapCards

extension CardDecoder {
    /// Sets the switches under `quirks`; reports one that another family has, or a value that a switch does not have.
    mutating func set(_ quirks: inout some QuirkSet, of family: CardFamily) {
        for (name, value) in map["quirks"]?.named ?? [] {
            do {
                try quirks.set(name.text, to: value.text)
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
