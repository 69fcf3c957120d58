import TapWire

/// A version of the protocol, the first message of a connection and its answer.
///
/// major and minor, each with a sign, and the return code.
struct ProtocolVersion: ServiceMessage {
    static let size = 12

    /// The only major version since pcsc-lite 1.6.
    static let major: Int32 = 4
    /// The versions that are spoken here: 4.4 since pcsc-lite 1.8.24, 4.5 since 2.3.0, 4.6 since 2.5.0.
    static let minors: ClosedRange<Int32> = 4...6

    var major: Int32
    var minor: Int32
    var result = PCSCReturnCode.success

    init(major: Int32 = Self.major, minor: Int32) {
        self.major = major
        self.minor = minor
    }

    init(from fields: inout FieldReader) {
        major = fields.signedNumber()
        minor = fields.signedNumber()
        result = PCSCReturnCode(fields.number())
    }

    func write(to fields: inout FieldWriter) {
        fields.append(major)
        fields.append(minor)
        fields.append(result.rawValue)
    }

    /// What the service says to a client of this version: the same version, or the nearest it speaks and a refusal.
    ///
    /// A newer client then tries again with the version it was told.
    var answer: ProtocolVersion {
        var answer = ProtocolVersion(minor: min(max(minor, Self.minors.lowerBound), Self.minors.upperBound))
        answer.result = major == answer.major && minor == answer.minor ? .success : .serviceStopped
        return answer
    }
}
