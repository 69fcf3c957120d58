/// One line of a table that explains codes: a name for lists, a sentence for people, and what to know beyond it.
public struct CodeEntry<Code: Hashable & Sendable>: Hashable, Sendable {
    public let code: Code
    /// Its name, as the manuals write it.
    public let name: String
    /// What it means, one sentence.
    public let explanation: String
    /// What refuses a command, or what to do about an error; sentences.
    public let notes: [String]
    /// Where it is documented; empty where the table as a whole says so.
    public let source: String

    init(_ code: Code, _ name: String, _ explanation: String, notes: [String] = [], source: String = "") {
        self.code = code
        self.name = name
        self.explanation = explanation
        self.notes = notes
        self.source = source
    }
}
