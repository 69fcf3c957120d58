/// An option of a verb, as it is written and explained.
struct Option: Sendable {
    /// The long name, with its dashes.
    let name: String
    /// A short name of one letter, with its dash.
    let short: String?
    /// What its value is called in help; nothing for an option without a value.
    let value: String?
    /// Whether it may be given several times.
    let isRepeatable: Bool
    /// What it does, a phrase.
    let summary: String

    /// An option without a value.
    static func flag(_ name: String, short: String? = nil, _ summary: String) -> Option {
        Option(name: name, short: short, value: nil, isRepeatable: false, summary: summary)
    }

    /// An option with a value, after a blank or `=`.
    static func value(
        _ name: String, _ value: String, isRepeatable: Bool = false, _ summary: String
    ) -> Option {
        Option(name: name, short: nil, value: value, isRepeatable: isRepeatable, summary: summary)
    }

    /// Whether `word` names the option.
    func isNamed(_ word: String) -> Bool { word == name || word == short }

    /// How help writes it: `--seed N`.
    var usage: String {
        let names = short.map { "\($0), \(name)" } ?? name
        return value.map { "\(names) \($0)" } ?? names
    }
}
