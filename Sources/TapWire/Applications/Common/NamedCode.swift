/// A byte that stands for something: known values have names, any other is kept.
public protocol NamedCode: Hashable, Sendable, CustomStringConvertible {
    /// The known values; where two have one name, the typical one comes first.
    static var names: [CodeName] { get }
    var rawValue: UInt8 { get }
    init(_ rawValue: UInt8)
}

/// The name of a code in two languages.
public struct CodeName: Hashable, Sendable {
    public let code: UInt8
    /// English words.
    public let english: String
    /// Japanese words, as operators and decoders use them.
    public let japanese: String

    public init(_ code: UInt8, _ english: String, _ japanese: String) {
        self.code = code
        self.english = english
        self.japanese = japanese
    }

    /// The English words as files write them: `Shinkansen exit` is `shinkansen-exit`.
    public var identifier: String {
        String(english.lowercased().map { $0 == " " ? "-" : $0 })
    }
}

extension NamedCode {
    /// The names, or nothing for a code that is not known.
    public var name: CodeName? {
        Self.names.first { $0.code == rawValue }
    }

    /// The code with an ``CodeName/identifier``, or nothing if none has it.
    public init?(identifier: String) {
        guard let name = Self.names.first(where: { $0.identifier == identifier }) else { return nil }
        self.init(name.code)
    }

    /// The English name, or `code` and two hexadecimal digits.
    public var description: String {
        name?.english ?? "code \(Hex.digits(rawValue, width: 2))"
    }
}
