/// The code of an area, a service or a system as a node: number (bits 15–6) and attribute (bits 5–0).
///
/// Little-endian on the wire: service 090F travels as `0F 09`, unlike a system code.
/// Source: FeliCa Card User's Manual, excerpted edition, "area code and service code".
public struct NodeCode: Hashable, Sendable, CustomStringConvertible {
    /// The code as people say it; `0x090F` travels as `0F 09`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The system node.
    @inlinable
    public static var system: NodeCode { NodeCode(0xFFFF) }
    /// The root area of every system.
    @inlinable
    public static var root: NodeCode { NodeCode(0x0000) }
    /// The highest code a service can have, where the root area ends.
    @inlinable
    public static var lastService: NodeCode { NodeCode(0xFFFE) }

    /// How many numbers there are.
    @inlinable
    package static var numberCount: Int { 1 << 10 }

    @inline(always)
    public var number: UInt16 { rawValue >> 6 }

    /// What kind of node it is and how it may be used.
    @inline(always)
    public var attribute: NodeAttribute { NodeAttribute(UInt8(truncatingIfNeeded: rawValue & 0x3F)) }

    /// The blocks that services work on: services with the same number and kind share them.
    ///
    /// The manual wants one kind for a number; nanaco (558B, 5597) and WAON (680B, 6817) have two, each with blocks of
    /// its own.
    public struct Store: Hashable, Sendable {
        /// The number of the services.
        public let number: UInt16
        /// The kind of the services.
        public let kind: NodeAttribute.Kind
    }

    /// The blocks a service works on.
    public var store: Store { Store(number: number, kind: attribute.kind) }

    /// Four hexadecimal digits, as people say the code.
    public var description: String { Hex.digits(rawValue, width: 4) }
}
