/// A key of a map: its name, what it holds and what it is for.
public struct Key: Sendable {
    /// The name as files write it.
    public let name: String
    /// What it holds.
    public let shape: Shape
    /// What it is for, one sentence.
    public let summary: String
    /// Whether the map means nothing without it.
    public let isRequired: Bool
    /// Other names that people write for it, found before misspellings are.
    public let synonyms: [String]
    /// What holds where the key is not written, as a file writes it; nothing where its absence has a meaning of its own.
    public let standard: String?
    /// Why the key is refused although the format has it, half a sentence; nothing for keys that are supported.
    public let notYet: String?

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: The name as files write it.
    ///   - shape: What it holds.
    ///   - summary: What it is for, one sentence.
    ///   - isRequired: Whether the map means nothing without it.
    ///   - standard: What holds where the key is not written, as a file writes it.
    ///   - synonyms: Other names that people write for it, such as `password` for `pwd`.
    public init(
        _ name: String, _ shape: Shape, _ summary: String, isRequired: Bool = false, standard: String? = nil,
        synonyms: [String] = []
    ) {
        self.init(name, shape, summary, isRequired, standard, synonyms, notYet: nil)
    }

    /// Creates a key that the format has and that is refused for now.
    ///
    /// - Parameters:
    ///   - name: The name as files write it.
    ///   - reason: Why it is refused, or what to use instead, half a sentence.
    public init(_ name: String, notYet reason: String) {
        self.init(name, .free, "", false, nil, [], notYet: reason)
    }

    private init(
        _ name: String, _ shape: Shape, _ summary: String, _ isRequired: Bool, _ standard: String?,
        _ synonyms: [String], notYet: String?
    ) {
        self.name = name
        self.shape = shape
        self.summary = summary
        self.isRequired = isRequired
        self.standard = standard
        self.synonyms = synonyms
        self.notYet = notYet
    }
}
