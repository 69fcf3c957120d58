import TapWire

/// A call to the PC/SC service that failed.
public struct PCSCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function called, such as `SCardConnect`.
    public let function: String
    /// What it returned, such as 0x80100069.
    public let code: PCSCReturnCode

    public init(_ function: String, _ code: PCSCReturnCode) {
        self.function = function
        self.code = code
    }

    public var description: String {
        guard let entry = code.entry else {
            return "\(function) failed with \(code), a code of the driver; unplug the reader and plug it in again"
        }
        return "\(function) failed with \(entry.name) (\(code)): \(entry.advice)"
    }
}
