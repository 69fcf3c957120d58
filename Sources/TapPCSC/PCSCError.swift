/// A call to the PC/SC service that failed.
public struct PCSCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function called, such as `SCardConnect`.
    public let function: String
    /// What it returned, such as 0x80100069.
    public let code: UInt32

    /// Creates an error.
    public init(_ function: String, _ code: UInt32) {
        self.function = function
        self.code = code
    }

    /// The error as a sentence.
    public var description: String {
        "\(function) failed with 0x\(String(code, radix: 16, uppercase: true))"
    }
}
