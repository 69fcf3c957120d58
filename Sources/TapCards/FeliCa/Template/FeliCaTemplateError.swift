import TapWire

/// Why a definition is no FeliCa card.
public struct FeliCaTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault, for programs.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// The card has no system.
        case noSystem
        /// The card has more systems than a card can have.
        case tooManySystems
        /// Two systems have the same code.
        case duplicateSystem
        /// Two systems have the same IDm.
        case duplicateIDm
        /// Two nodes of a system have the same code.
        case duplicateNode
        /// An area has the code of a service, or a service that of an area, or a code has no defined attribute.
        case wrongAttribute
        /// Area 0 does not end at FFFE.
        case wrongRootArea
        /// An area ends before it starts.
        case areaEndBeforeStart
        /// Two areas overlap, and neither holds the other.
        case areasOverlap
        /// A service lies in no area.
        case serviceOutsideAreas
        /// An area is assigned fewer blocks than its services and areas take.
        case areaTooSmall
        /// A service has no block.
        case noBlocks
        /// The card has more blocks than a card can have.
        case tooManyBlocks
        /// A key has a length its cipher cannot use.
        case wrongKeyLength
        /// Limits stand on a service that is no purse, or the lower limit is above the upper one.
        case wrongPurseLimits
        /// A report is longer than its answer has room for.
        case reportTooLong
        /// A limit of the profile is outside what a chip can have.
        case wrongProfile
    }

    /// The kind of fault.
    public let code: Code
    /// What is wrong, where, and what to do about it.
    public let description: String

    /// Number of the system it is about, or nothing if it is about the whole card.
    public let system: Int?
    /// The area or service it is about, or nothing if it is about a whole system or card.
    public let node: NodeCode?

    init(_ code: Code, _ description: String, system: Int? = nil, node: NodeCode? = nil) {
        self.code = code
        self.description = description
        self.system = system
        self.node = node
    }
}

/// A system of a definition, to say what is wrong in it.
struct FeliCaSystemPlace: CustomStringConvertible {
    /// Its number on the card.
    let number: Int
    let code: SystemCode

    /// Number and code, as sentences name it.
    var description: String { "system \(number) (\(code))" }

    /// An error in the system, or at one of its nodes; `problem` goes on after "In system 0 (0003), ".
    func error(
        _ code: FeliCaTemplateError.Code, at node: NodeCode? = nil, _ problem: String
    ) -> FeliCaTemplateError {
        FeliCaTemplateError(code, "In \(self), \(problem)", system: number, node: node)
    }
}
