import TapField
import TapWire
import Testing

/// A fault in the notation of vector files: `felica.status sf1=FF sf2=A2 fix=len,crc`.
func fault(_ text: String) throws -> Fault {
    let words = text.split(separator: " ").map(String.init)
    let kind = try #require(FaultCatalogue.named(words.first ?? ""), "no fault is called \(text)")
    var arguments: [String: FaultValue] = [:]
    var fixes: Set<Fault.Fix> = []
    for word in words.dropFirst() {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts[0] == "fix" {
            fixes = Set(try parts[1].split(separator: ",").map { try #require(Fault.Fix(rawValue: String($0))) })
        } else {
            let parameter = try #require(kind.parameters.first { $0.name == parts[0] }, "\(text): no \(parts[0])")
            arguments[parts[0]] = try value(parts[1], of: parameter)
        }
    }
    return Fault(kind, arguments, fix: fixes)
}

private func value(_ text: String, of parameter: FaultParameter) throws -> FaultValue {
    switch parameter.kind {
    case .integer: .integer(try #require(Int(text)))
    case .bytes: .bytes(try Hex.bytes(text))
    case .flag: .flag(text == "true")
    case .keyword, .card: .keyword(text)
    case .duration: .time(.duration(.milliseconds(try number(text, before: "ms"))))
    case .share: .time(.percent(try number(text, before: "%")))
    case .timeAmount where text.hasSuffix("%"): .time(.percent(try number(text, before: "%")))
    case .timeAmount: .time(.duration(.milliseconds(try number(text, before: "ms"))))
    }
}

/// The integer before a unit.
private func number(_ text: String, before unit: String) throws -> Int {
    guard text.hasSuffix(unit), let number = Int(text.dropLast(unit.count)) else { throw UnreadableFault(text: text) }
    return number
}

/// A value that does not follow the notation of vector files.
struct UnreadableFault: Error {
    let text: String
}
