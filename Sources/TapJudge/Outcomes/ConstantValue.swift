import TapScenario

/// A printed value that equals a property of the scenario's card and stays the same on cards where that property differs.
struct ConstantValue: Hashable, Sendable {
    /// The minimum number of digits; shorter numbers match by chance.
    private static let leastDigits = 2
    /// The number of digits that hardly ever match by chance.
    private static let certainDigits = 4

    let place: String
    let value: String
    let property: String
    /// A Boolean value that indicates whether the client is certainly wrong rather than only suspect.
    let isCertain: Bool

    /// Returns the values that stay the same although the cards differ.
    ///
    /// - Parameters:
    ///   - others: Readings of cards that the client has to read correctly.
    ///   - named: The values that the case names, as JSON pointers.
    static func all(in base: ControlReading, _ others: [ControlReading], named: Set<String>) -> [ConstantValue] {
        let printed = others.map { (reading: $0, values: $0.printed.values) }
        return base.printed.values.sorted { $0.key < $1.key }.compactMap { place, value in
            let isNamed = named.contains(place) || named.contains { place == "/stdout\($0)" }
            guard isNamed || value.utf8.count >= leastDigits, value.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                return nil
            }
            let properties = base.properties.filter { $0.value == value }.map(\.key).sorted()
            let differing = properties.flatMap { property in
                printed.compactMap { reading, values -> (property: String, isConstant: Bool)? in
                    guard let right = reading.properties[property], right != value, let got = values[place] else {
                        return nil
                    }
                    return (property, got == value)
                }
            }
            guard let first = differing.first, differing.allSatisfy(\.isConstant) else { return nil }
            return ConstantValue(
                place: base.printed.isLines ? "" : place, value: value, property: first.property,
                isCertain: isNamed || value.utf8.count >= certainDigits)
        }
    }

    /// Text such as `` as `/trips` ``; empty for lines.
    fileprivate var subject: String { place.isEmpty ? "" : " as `\(place)`" }
}

extension ReferenceJudge {
    /// Returns the misreading of a value that the client gives for every card.
    func constant(in reading: ControlReading) -> Misreading? {
        guard reading.demand == .reading else { return nil }
        for constant in constants where constant.isCertain {
            guard let right = reading.properties[constant.property], right != constant.value else { continue }
            return Misreading(
                reading, .wrongResult,
                "it \(verb)s \(constant.value)\(constant.subject), the \(constant.property) of its own card, "
                    + "where the \(constant.property) is \(right)",
                sign: "it \(verb)s the same \(constant.property) for every card")
        }
        return nil
    }

    /// Returns a warning about a value that the client gives for every card but that may have another meaning.
    func warning(_ constant: ConstantValue) -> Warning {
        Warning(
            "\(verb)s \(constant.value)\(constant.subject) for every card",
            hint: "That is the \(constant.property) of its own card, and other cards differ. "
                + "State the value under `expect.result` to have it checked.")
    }
}

extension ReferenceJudge {
    /// A Boolean value that indicates whether the client printed something different for another card.
    var hasVariedOutput: Bool { valid.contains { $0.printed.pieces != base.printed.pieces } }
}
