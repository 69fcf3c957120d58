/// The code of a node (an area, a service or a system): number (bits 15–6) and attribute (bits 5–0).
///
/// Little-endian when sent: service 090F is sent as `0F 09`, unlike a system code. Source: FeliCa Card User's Manual,
/// excerpted edition, "area code and service code".
public struct NodeCode: OpenCode, CustomStringConvertible {
    /// The code in its usual notation; `0x090F` is sent as `0F 09`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    @inlinable public static var system: NodeCode { NodeCode(0xFFFF) }
    @inlinable public static var root: NodeCode { NodeCode(0x0000) }
    /// The highest possible service code, where the root area ends.
    @inlinable public static var lastService: NodeCode { NodeCode(0xFFFE) }

    @inlinable package static var numberCount: Int { 1 << 10 }

    @inline(always) public var number: UInt16 { rawValue >> 6 }

    @inline(always)
    public var attribute: NodeAttribute { NodeAttribute(UInt8(truncatingIfNeeded: rawValue & 0x3F)) }

    /// The blocks of a service; services with the same number and kind share their blocks.
    ///
    /// The manual requires a single kind for each number, but nanaco (558B, 5597) and WAON (680B, 6817) use two kinds, each
    /// with its own blocks.
    public struct Store: Hashable, Sendable {
        package let number: UInt16
        package let kind: NodeAttribute.Kind
    }

    public var store: Store { Store(number: number, kind: attribute.kind) }
}

/// The low six bits of a node code: the kind of node, its access, and whether it requires authentication.
///
/// Source: FeliCa Card User's Manual, excerpted edition, table of area and service attributes; the forms with PIN (bit 5 set)
/// are from measurements by felica-tool.
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
        /// A random service: independent blocks.
        case random
        /// A cyclic service: block 0 is the newest entry.
        case cyclic
        /// A purse service for money.
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

    /// The operations that a service allows; read-only for nodes that are not services.
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

    /// A Boolean value that indicates whether a service requires a PIN.
    @inline(always) public var hasPIN: Bool { isService && rawValue & 0x20 != 0 }

    @inline(always) public var isService: Bool { (0x08...0x17).contains(rawValue & 0x1F) }

    /// A Boolean value that indicates whether a service can be used without authentication: bit 0 is set and there is no PIN.
    @inline(always) public var isAuthenticationFree: Bool { isService && rawValue & 0x21 == 0x01 }
}
