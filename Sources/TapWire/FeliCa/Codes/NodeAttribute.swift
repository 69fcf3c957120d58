/// The low six bits of a node code: kind of node, access, and whether it needs authentication.
///
/// Source: FeliCa Card User's Manual, excerpted edition, table of area and service attributes; the PIN forms
/// (bit 5 set) from measurements by felica-tool.
public struct NodeAttribute: Hashable, Sendable, CustomStringConvertible {
    /// The six bits.
    public let rawValue: UInt8

    /// Creates an attribute; only the low six bits count.
    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x3F
    }

    /// What a node is, by its attribute.
    public enum Kind: Hashable, Sendable {
        /// An area, attribute 00 or 01.
        case area
        /// A service of independent blocks.
        case random
        /// A service of generations, block 0 newest.
        case cyclic
        /// A service of money.
        case purse
        /// No node can have this attribute.
        case undefined
    }

    /// What a service lets a reader do.
    public enum Access: Hashable, Sendable {
        /// Random and cyclic: read and write. Purse: direct access.
        case readWrite
        /// Purse: cashback and decrement.
        case cashbackDecrement
        /// Purse: decrement.
        case decrement
        /// Read only.
        case readOnly
    }

    /// What the node is.
    @inline(always)
    public var kind: Kind {
        switch rawValue & 0x1F {
        case 0x00, 0x01: .area
        case 0x08...0x0B: .random
        case 0x0C...0x0F: .cyclic
        case 0x10...0x17: .purse
        default: .undefined
        }
    }

    /// What a service lets a reader do; for nodes that are no service, read only.
    @inline(always)
    public var access: Access {
        switch kind {
        case .random, .cyclic: rawValue & 0x02 == 0 ? .readWrite : .readOnly
        case .purse:
            switch rawValue & 0x06 {
            case 0x00: .readWrite
            case 0x02: .cashbackDecrement
            case 0x04: .decrement
            default: .readOnly
            }
        case .area, .undefined: .readOnly
        }
    }

    /// Whether the node is a service.
    @inline(always)
    public var isService: Bool { (0x08...0x17).contains(rawValue & 0x1F) }

    /// Whether a service may be used without authentication: bit 0 of a service attribute, PIN forms excluded.
    @inline(always)
    public var isAuthenticationFree: Bool { isService && rawValue & 0x21 == 0x01 }

    /// Two hexadecimal digits.
    public var description: String { Hex.digits(rawValue, width: 2) }
}
