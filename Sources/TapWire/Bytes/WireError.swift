/// Why bytes are not the value they were read as, and where.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of mismatch, for programs.
    public enum Code: Hashable, Sendable {
        /// Bytes end before the field does.
        case truncated
        /// Bytes follow the end of the value.
        case trailingBytes
        /// A length or count field disagrees with the bytes.
        case wrongLength
        /// A code field names another command, record or layout.
        case wrongCode
        /// A field holds a value its layout cannot have.
        case wrongValue
    }

    /// The kind of mismatch.
    public let code: Code
    /// Index of the first byte that does not fit.
    public let offset: Int
    /// What was being read, a noun such as `block list`.
    public let field: String
    /// What was found, or what is needed instead.
    public let detail: String

    public init(_ code: Code, at offset: Int, in field: String, _ detail: String = "") {
        self.code = code
        self.offset = offset
        self.field = field
        self.detail = detail
    }

    /// The error as a sentence.
    public var description: String {
        let problem =
            switch code {
            case .truncated: "ends too early"
            case .trailingBytes: "is followed by bytes that do not belong to it"
            case .wrongLength: "has a length that disagrees with the bytes"
            case .wrongCode: "has another code"
            case .wrongValue: "holds a value it cannot have"
            }
        let sentence = "the \(field) at byte \(offset) \(problem)"
        return detail.isEmpty ? sentence : "\(sentence): \(detail)"
    }
}
