import TapWire

/// A client of TapSim itself.
public enum BuiltinClient: Hashable, Sendable {
    /// Reads the balance and the history of a transit card, asking for so many blocks at once where a number is given.
    case transitHistory(blocksAtOnce: Int? = nil)
    /// Reads the balance and the history of an electronic money card.
    case emoney
    /// Reads the NDEF message of a tag, with the four bytes of its PWD if it needs them.
    case ndef(password: [UInt8]?)
    /// Reads all that can be read, with the four bytes of a tag's PWD if it needs them.
    case dump(password: [UInt8]?)

    /// The words by which files name the clients.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// The history of a transit card.
        case transitHistory = "transit-history"
        /// Electronic money.
        case emoney
        /// The NDEF message of a tag.
        case ndef
        /// All that can be read.
        case dump

        /// What it does, a sentence.
        public var summary: String {
            switch self {
            case .transitHistory: "Reads the balance and the history of a transit card."
            case .emoney: "Reads the balance and the history of an electronic money card."
            case .ndef: "Reads the NDEF message of a tag."
            case .dump: "Reads all that can be read without keys."
            }
        }
    }

    /// The client of a name, without options.
    public init(_ name: Name) {
        switch name {
        case .transitHistory: self = .transitHistory()
        case .emoney: self = .emoney
        case .ndef: self = .ndef(password: nil)
        case .dump: self = .dump(password: nil)
        }
    }

    /// The word by which files name the client.
    public var name: Name {
        switch self {
        case .transitHistory: .transitHistory
        case .emoney: .emoney
        case .ndef: .ndef
        case .dump: .dump
        }
    }

    var node: Node {
        switch self {
        case .ndef(let password?), .dump(let password?):
            .map([(key: name.rawValue, value: Node.map(["password": .text(Hex.text(password, separator: " "))]))])
        case .transitHistory(let count?):
            .map([(key: name.rawValue, value: .map(["blocks_at_once": .number(count)]))])
        case .transitHistory(nil), .emoney, .ndef(nil), .dump(nil): .text(name.rawValue)
        }
    }
}
