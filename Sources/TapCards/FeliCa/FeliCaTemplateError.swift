import TapWire

public struct FeliCaTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable, CaseIterable {
        case noSystem
        case tooManySystems
        case duplicateSystem
        case duplicateIDm
        case duplicateNode
        /// An area has the code of a service, or a service that of an area, or a code has no defined attribute.
        case wrongAttribute
        /// Area 0 does not end at FFFE.
        case wrongRootArea
        case areaEndBeforeStart
        case areasOverlap
        case serviceOutsideAreas
        /// An area is assigned fewer blocks than its services and areas take.
        case areaTooSmall
        case noBlocks
        case tooManyBlocks
        case wrongKeyLength
        /// A challenge has neither 8 nor 16 bytes.
        case wrongChallenge
        /// There are keys, and the build has no ciphers.
        case noCiphers
        /// Limits stand on a service that is no purse, or the lower limit is above the upper one.
        case wrongPurseLimits
        /// A report is longer than its answer has room for.
        case reportTooLong
        /// A limit of the profile is outside what a chip can have.
        case wrongProfile
    }

    public let code: Code
    public let description: String

    /// Number of the system it is about, or `nil` if it is about the whole card.
    public let system: Int?
    /// The area or service it is about, or `nil` if it is about a whole system or card.
    public let node: NodeCode?

    init(_ code: Code, _ description: String, system: Int? = nil, node: NodeCode? = nil) {
        self.code = code
        self.description = description
        self.system = system
        self.node = node
    }
}

struct FeliCaSystemPlace: CustomStringConvertible {
    let number: Int
    let code: SystemCode

    /// Number and code, as sentences name it.
    var description: String { "system \(number) (\(code))" }

    /// An error in the system, or at one of its nodes; `problem` continues the sentence after "In system 0 (0003), ".
    func error(
        _ code: FeliCaTemplateError.Code, at node: NodeCode? = nil, _ problem: String
    ) -> FeliCaTemplateError {
        FeliCaTemplateError(code, "In \(self), \(problem)", system: number, node: node)
    }
}
