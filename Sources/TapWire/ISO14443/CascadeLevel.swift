/// A cascade level: which part of the UID an anticollision or SELECT speaks of.
///
/// Source: ISO/IEC 14443-3, type A, "SEL" and "UID contents and cascade levels".
public enum CascadeLevel: Int, Hashable, Sendable, CaseIterable {
    /// The first part: UID0–UID3, or CT and UID0–UID2 where more follows.
    case first = 1
    /// The second part.
    case second
    /// The third part.
    case third

    /// The level a SEL byte names, or nothing if the byte is no SEL.
    @inlinable
    public init?(sel: UInt8) {
        switch sel {
        case 0x93: self = .first
        case 0x95: self = .second
        case 0x97: self = .third
        default: return nil
        }
    }

    /// The SEL byte: 93, 95 or 97.
    @inlinable
    public var sel: UInt8 { 0x91 + 2 * UInt8(truncatingIfNeeded: rawValue) }
}
