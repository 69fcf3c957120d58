/// Why a definition cannot be made.
public enum NTAGDefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The UID of an NTAG has seven bytes.
    case wrongUIDLength(Int)
    /// An image has whole pages, at least three and at most those of the IC.
    case wrongImageLength(Int, maximum: Int)

    /// The error as a sentence.
    public var description: String {
        switch self {
        case .wrongUIDLength(let count):
            "the UID has \(count) bytes; an NTAG has seven"
        case .wrongImageLength(let count, let maximum):
            "the image has \(count) bytes; it needs whole pages of four, from 12 to \(maximum) bytes"
        }
    }
}
