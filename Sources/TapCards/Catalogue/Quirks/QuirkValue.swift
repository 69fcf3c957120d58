/// A type a switch can have: it reads and prints as text, each the inverse of the other.
protocol QuirkValue: Hashable, Sendable {
    init?(quirkText: String)
    var quirkText: String { get }
}

extension QuirkValue where Self: RawRepresentable, RawValue == String {
    init?(quirkText: String) { self.init(rawValue: quirkText) }
    var quirkText: String { rawValue }
}

extension Int: QuirkValue {
    init?(quirkText: String) { self.init(quirkText) }
    var quirkText: String { description }
}

extension Bool: QuirkValue {
    init?(quirkText: String) {
        switch quirkText {
        case "true": self = true
        case "false": self = false
        default: return nil
        }
    }

    var quirkText: String { self ? "true" : "false" }
}
