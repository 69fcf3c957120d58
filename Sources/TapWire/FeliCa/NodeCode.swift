/// The code of an area, a service or a system as a node: number (bits 15–6) and attribute (bits 5–0).
///
/// Little-endian on the wire: service 090F travels as `0F 09`, unlike a system code.
/// Source: FeliCa Card User's Manual, excerpted edition, "area code and service code".
public struct NodeCode: OpenCode, CustomStringConvertible {
    /// The code as people say it; `0x090F` travels as `0F 09`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    @inlinable public static var system: NodeCode { NodeCode(0xFFFF) }
    @inlinable public static var root: NodeCode { NodeCode(0x0000) }
    /// The highest code a service can have, where the root area ends.
    @inlinable public static var lastService: NodeCode { NodeCode(0xFFFE) }

    @inlinable package static var numberCount: Int { 1 << 10 }

    @inline(always) public var number: UInt16 { rawValue >> 6 }

    /// What kind of node it is and how it may be used.
    @inline(always)
    public var attribute: NodeAttribute { NodeAttribute(UInt8(truncatingIfNeeded: rawValue & 0x3F)) }

    /// The blocks that services work on: services with the same number and kind share them.
    ///
    /// The manual wants one kind for a number; nanaco (558B, 5597) and WAON (680B, 6817) have two, each with blocks of
    /// its own.
    public struct Store: Hashable, Sendable {
        package let number: UInt16
        package let kind: NodeAttribute.Kind
    }

    public var store: Store { Store(number: number, kind: attribute.kind) }
}

/// The low six bits of a node code: kind of node, access, and whether it needs authentication.
///
/// Source: FeliCa Card User's Manual, excerpted edition, table of area and service attributes; the PIN forms
/// (bit 5 set) from measurements by felica-tool.
public struct NodeAttribute: OpenCode, CustomStringConvertible {
    public let rawValue: UInt8

    /// Creates an attribute; only the low six bits count.
    @inlinable
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue & 0x3F
    }

    public enum Kind: Hashable, Sendable {
        /// An area, attribute 00 or 01.
        case area
        /// A service of independent blocks.
        case random
        /// A service of generations, block 0 newest.
        case cyclic
        /// A service of money.
        case purse
        case undefined
    }

    public enum Access: Hashable, Sendable {
        /// Random and cyclic: read and write. Purse: direct access.
        case readWrite
        case cashbackDecrement
        case decrement
        case readOnly
    }

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

    /// Whether a service asks for a PIN.
    @inline(always) public var hasPIN: Bool { isService && rawValue & 0x20 != 0 }

    @inline(always) public var isService: Bool { (0x08...0x17).contains(rawValue & 0x1F) }

    /// Whether a service may be used without authentication: bit 0 of a service attribute, PIN forms excluded.
    @inline(always) public var isAuthenticationFree: Bool { isService && rawValue & 0x21 == 0x01 }
}
