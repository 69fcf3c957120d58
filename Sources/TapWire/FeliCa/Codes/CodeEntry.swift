/// One line of a table that explains codes: a name for lists and a sentence for people.
public struct CodeEntry<Code: Hashable & Sendable>: Hashable, Sendable {
    /// The code.
    public let code: Code
    /// Its name, as the manuals write it.
    public let name: String
    /// What it means, one sentence.
    public let explanation: String

    init(_ code: Code, _ name: String, _ explanation: String) {
        self.code = code
        self.name = name
        self.explanation = explanation
    }
}
