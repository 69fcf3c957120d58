/// The PC/SC library cannot be used on this machine.
public struct PCSCLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The library is not installed, or is no library.
        case missing
        /// The library lacks a function.
        case functionMissing(String)
    }

    public let code: Code
    public let description: String

    static func missing(_ path: String, _ reason: String) -> PCSCLibraryError {
        #if canImport(Darwin)
            let advice = "PC/SC readers need macOS"
        #else
            let advice =
                "install it with `apt install libpcsclite1`, `dnf install pcsc-lite-libs` or `apk add pcsc-lite-libs`"
        #endif
        return PCSCLibraryError(
            code: .missing, description: "the PC/SC library \(path) cannot be opened (\(reason)); \(advice)")
    }

    static func functionMissing(_ name: String, in path: String) -> PCSCLibraryError {
        PCSCLibraryError(
            code: .functionMissing(name),
            description: "the PC/SC library \(path) has no \(name); install pcsc-lite 1.8 or later")
    }
}
