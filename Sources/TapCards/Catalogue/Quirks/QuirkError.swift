/// Why a switch was not set.
public struct QuirkError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// There is no switch of that name.
        case unknownSwitch
        /// The switch does not have that value.
        case unknownValue
    }

    public let code: Code
    /// What is wrong and what to write instead, half a sentence.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
