/// The version of the mapping of NDEF onto a tag, one byte: major in the high nibble, minor in the low one.
///
/// A reader accepts any minor version of a major version it knows. Sources: NFC Forum Type 2 Tag Operation 1.1,
/// "capability container"; Type 3 Tag Operation, "attribute information block".
public struct MappingVersion: Hashable, Sendable, CustomStringConvertible {
    /// Version 1.0.
    public static let v1_0 = MappingVersion(0x10)

    public let rawValue: UInt8

    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Major version, 0 to 15.
    public var major: Int { Int(rawValue[bits: 4...7]) }
    /// Minor version, 0 to 15.
    public var minor: Int { Int(rawValue[bits: 0...3]) }

    /// Text such as `1.0`.
    public var description: String { "\(major).\(minor)" }
}
