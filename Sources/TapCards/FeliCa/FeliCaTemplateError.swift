import TapWire

public struct FeliCaTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable, CaseIterable {
        case noSystem
        case tooManySystems
        case duplicateSystem
        case duplicateIDm
        case duplicateNode
        /// An area has the code of a service, a service that of an area, or a code has an undefined attribute.
        case wrongAttribute
        /// Area 0 does not end at FFFE.
        case wrongRootArea
        case areaEndBeforeStart
        case areasOverlap
        case serviceOutsideAreas
        /// An area is assigned fewer blocks than its services and areas use.
        case areaTooSmall
        case noBlocks
        case tooManyBlocks
        case wrongKeyLength
        /// A challenge is neither 8 nor 16 bytes long.
        case wrongChallenge
        /// The card has keys, but the build has no ciphers.
        case noCiphers
        /// A service that is not a purse has limits, or the lower limit is above the upper one.
        case wrongPurseLimits
        /// A report is longer than its answer allows.
        case reportTooLong
        /// A profile value is outside the range of chips.
        case wrongProfile
    }

    public let code: Code
    public let description: String

    /// The number of the affected system, or `nil` if the error concerns the whole card.
    public let system: Int?
    /// The affected area or service, or `nil` if the error concerns a whole system or card.
    public let node: NodeCode?

    init(_ code: Code, _ description: String, system: Int? = nil, node: NodeCode? = nil) {
        self.code = code
        self.description = description
        self.system = system
        self.node = node
    }
}

struct FeliCaSystemLocation: CustomStringConvertible {
    let number: Int
    let code: SystemCode

    /// Number and code, as written in messages.
    var description: String { "system \(number) (\(code))" }

    /// Creates an error in the system, or at one of its nodes; `problem` continues the sentence after "In system 0 (0003), ".
    func error(
        _ code: FeliCaTemplateError.Code, at node: NodeCode? = nil, _ problem: String
    ) -> FeliCaTemplateError {
        FeliCaTemplateError(code, "In \(self), \(problem)", system: number, node: node)
    }
}
