import TapWire

/// A FeliCa card as it was issued: checked once, never changed, shared by all cards made from it.
public final class FeliCaTemplate: Hashable, Sendable {
    /// Most systems a card can have: the upper digit of the IDm counts them.
    public static let maximumSystems = 16
    /// Most blocks of a card: block counts travel in two bytes.
    public static let maximumBlocks = 0xFFFF

    /// What the template was made from.
    public let definition: FeliCaCardDefinition

    let pmm: PMm
    /// Limits and switches of the chip.
    let profile: FeliCaProfile
    /// The systems from system 0 upward.
    let systems: [FeliCaSystem]
    /// The nodes of all systems; those of a system are neighbours, in ascending order of codes, itself the last.
    let nodes: [FeliCaNode]
    /// For each system and each number of a node, the index of the first node with that number or a higher one.
    private let firstNodes: [UInt32]
    /// The blocks of all systems as the card was issued.
    let blocks: [BlockData]
    /// What is heard and how long an answer takes, by the first byte of the command code.
    let rules: [FeliCaCommandRule?]
    /// What each state is called, four modes to a system; every traced answer names one.
    let stateNames: [String]

    /// Checks a definition and makes it ready for use.
    ///
    /// - Throws: ``FeliCaTemplateError`` for what no card can be.
    public init(_ definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        try Self.check(definition)
        var memory = FeliCaMemoryLayout()
        var systems: [FeliCaSystem] = []
        for (number, system) in definition.systems.enumerated() {
            let idm = system.idm ?? definition.idm.ofSystem(number)
            systems.append(try memory.add(system, number: number, idm: idm))
        }
        try Self.checkDistinct(systems)
        self.definition = definition
        pmm = definition.pmm
        profile = definition.profile
        self.systems = systems
        nodes = memory.nodes
        firstNodes = memory.firstNodes
        blocks = memory.blocks
        rules = FeliCaCardCommand.rules(for: definition.profile, definition.pmm)
        stateNames = systems.flatMap { system in
            FeliCaMode.allCases.map { "Mode\($0.rawValue) of system \(system.code)" }
        }
    }

    /// The index of the node of a system with a code, or nothing; FFFF is the system itself.
    ///
    /// A look-up takes as long on a card of a thousand services as on one of a few: the nodes of one number are
    /// neighbours, and seldom more than two.
    @inline(__always)
    func index(of code: NodeCode, in system: FeliCaSystem) -> Int? {
        var index = Int(firstNodes[Int(system.firstNumber) &+ Int(code.number)])
        // No code is above that of the system itself, which is its last node.
        while nodes[index].code.rawValue < code.rawValue { index &+= 1 }
        return nodes[index].code == code ? index : nil
    }

    /// The node of a system with a code, or nothing; FFFF is the system itself.
    func nodeOrSystem(_ code: NodeCode, in system: FeliCaSystem) -> FeliCaNode? {
        index(of: code, in: system).map { nodes[$0] }
    }

    /// The area or service of a system with a code, or nothing.
    func node(_ code: NodeCode, in system: FeliCaSystem) -> FeliCaNode? {
        code == .system ? nil : nodeOrSystem(code, in: system)
    }

    /// Whether two templates were made from the same definition.
    public static func == (left: FeliCaTemplate, right: FeliCaTemplate) -> Bool {
        left === right || left.definition == right.definition
    }

    /// Hashes the definition.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(definition)
    }
}

extension FeliCaTemplate {
    private static func check(_ definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        guard !definition.systems.isEmpty else {
            throw FeliCaTemplateError(.noSystem, "The card has no system; give it at least one.")
        }
        guard definition.systems.count <= maximumSystems else {
            throw FeliCaTemplateError(
                .tooManySystems,
                "The card has \(definition.systems.count) systems; a card has room for \(maximumSystems).",
                system: maximumSystems)
        }
        try check(definition.profile)
        try checkReports(of: definition)
    }

    private static func check(_ profile: FeliCaProfile) throws(FeliCaTemplateError) {
        // The usual profile is sound, which a test holds, and the table of switches takes long to make.
        guard profile != FeliCaProfile() else { return }
        for entry in FeliCaProfile.switches where !entry.allows(profile) {
            throw FeliCaTemplateError(
                .wrongProfile,
                "The profile sets \(entry.name) to \(entry.value(in: profile)); choose \(entry.allowedValues).")
        }
    }

    private static func checkReports(of definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        let reports = [
            (
                "product information", definition.productInformation.data.count,
                RequestProductInformation.Information.maximumDataLength
            ),
            (
                "specification version", definition.specificationVersion.options.count,
                RequestSpecificationVersion.Versions.maximumOptions
            ),
            ("system status", definition.systemStatus.data.count, GetSystemStatus.Status.maximumDataLength),
            (
                "container property", definition.container?.properties.map(\.count).max() ?? 0,
                GetContainerProperty.maximumDataLength
            ),
        ]
        for (name, count, maximum) in reports where count > maximum {
            throw FeliCaTemplateError(
                .reportTooLong, "The \(name) has \(count) entries; an answer has room for \(maximum).")
        }
    }

    private static func checkDistinct(_ systems: [FeliCaSystem]) throws(FeliCaTemplateError) {
        for (number, system) in systems.enumerated() {
            for (other, earlier) in systems[..<number].enumerated() {
                if earlier.code == system.code {
                    throw FeliCaTemplateError(
                        .duplicateSystem,
                        "Systems \(other) and \(number) both have the code \(system.code); give one another code.",
                        system: number)
                }
                if earlier.idm == system.idm {
                    throw FeliCaTemplateError(
                        .duplicateIDm,
                        "Systems \(other) and \(number) both have the IDm \(system.idm); leave out one of them.",
                        system: number)
                }
            }
        }
    }
}
