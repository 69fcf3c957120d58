import TapCrypto
import TapWire

/// A FeliCa card as issued: validated once, immutable, and shared by all cards created from it.
public final class FeliCaTemplate: Hashable, Sendable {
    /// The maximum number of systems: the upper digit of the IDm counts them.
    public static let maximumSystems = 16
    /// The maximum number of blocks: block counts are sent in two bytes.
    public static let maximumBlocks = 0xFFFF

    public let definition: FeliCaCardDefinition

    let pmm: PMm
    let profile: FeliCaProfile
    /// A Boolean value that indicates whether lists are checked as a whole, because the chip does so or no source says.
    let looksAtLists: Bool
    let systems: [TemplateSystem]
    /// The nodes of all systems; nodes of a system are adjacent, in ascending order of codes, with the system itself last.
    let nodes: [TemplateNode]
    /// The keys of the nodes, at the same indices.
    let keys: [TemplateKeys]
    /// For each system and node number, the index of the first node with that number or a higher one.
    private let firstNodes: [UInt32]
    /// The blocks of all systems as issued.
    let blocks: [BlockData]
    let productInformation: RequestProductInformation.Information
    let specificationVersion: RequestSpecificationVersion.Versions
    /// The accepted commands and their response times, indexed by the first byte of the command code.
    let rules: [FeliCaCommandRule?]
    /// The names of all states, four modes per system; stored because every traced answer contains one.
    let stateNames: [String]

    /// Throws ``FeliCaTemplateError`` for an impossible card.
    public init(_ definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        try Self.check(definition)
        var memory = FeliCaMemoryLayout()
        var systems: [TemplateSystem] = []
        for (number, system) in definition.systems.enumerated() {
            let idm = system.idm ?? definition.idm.ofSystem(number)
            systems.append(try memory.add(system, number: number, idm: idm))
        }
        try Self.checkDistinct(systems)
        self.definition = definition
        pmm = definition.pmm
        profile = definition.profile
        let unknown = definition.assumptions.unknown
        looksAtLists =
            profile.serviceListCheck == .eager || profile.requireAscendingLists
            || unknown.contains(.serviceListCheck) || unknown.contains(.requireAscendingLists)
        self.systems = systems
        nodes = memory.nodes
        keys = memory.keys
        firstNodes = memory.firstNodes
        blocks = memory.blocks
        productInformation = definition.reportedProductInformation
        specificationVersion = definition.reportedVersions
        rules = FeliCaCardCommand.rules(for: definition.profile, definition.pmm, definition.time)
        stateNames = systems.flatMap { system in
            FeliCaMode.allCases.map { "Mode\($0.rawValue) of system \(system.code)" }
        }
    }

    /// Returns the index of a system's node with a code, or `nil`; FFFF is the system itself.
    ///
    /// A lookup takes as long on a card with a thousand services as on a small one: nodes with the same number are adjacent,
    /// rarely more than two.
    @inline(__always)
    func index(of code: NodeCode, in system: TemplateSystem) -> Int? {
        var index = Int(firstNodes[Int(system.firstNumber) &+ Int(code.number)])
        // No code is higher than that of the system itself, which is its last node.
        while nodes[index].code.rawValue < code.rawValue { index &+= 1 }
        return nodes[index].code == code ? index : nil
    }

    /// FFFF is the system itself.
    func nodeOrSystem(_ code: NodeCode, in system: TemplateSystem) -> TemplateNode? {
        index(of: code, in: system).map { nodes[$0] }
    }

    func node(_ code: NodeCode, in system: TemplateSystem) -> TemplateNode? {
        code == .system ? nil : nodeOrSystem(code, in: system)
    }

    public static func == (left: FeliCaTemplate, right: FeliCaTemplate) -> Bool {
        left === right || left.definition == right.definition
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(definition)
    }
}

extension FeliCaTemplate {
    private static func check(_ definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        guard !definition.systems.isEmpty else {
            throw FeliCaTemplateError(.noSystem, "The card has no systems; add at least one.")
        }
        guard definition.systems.count <= maximumSystems else {
            throw FeliCaTemplateError(
                .tooManySystems,
                "The card has \(definition.systems.count) systems; a card can have at most \(maximumSystems).",
                system: maximumSystems)
        }
        try check(definition.profile)
        try checkReports(of: definition)
        guard [8, 16].contains(definition.challenge?.count ?? 8) else {
            throw FeliCaTemplateError(
                .wrongChallenge,
                "The challenge has \(definition.challenge?.count ?? 0) bytes; it must have 8 with DES keys and 16 with AES keys."
            )
        }
        try checkCiphers(for: definition)
    }

    /// Rejects cards with keys if the build has no ciphers: they would be silent where a real card answers.
    private static func checkCiphers(for definition: FeliCaCardDefinition) throws(FeliCaTemplateError) {
        guard !BlockCiphers.isAvailable else { return }
        for (number, system) in definition.systems.enumerated()
        where system.allKeys.contains(where: { $0.desKey != nil || $0.aesKey != nil }) {
            throw FeliCaTemplateError(
                .noCiphers,
                "The card has keys, and using them needs ciphers that this build lacks; build TapSim with libcrypto, or omit the keys.",
                system: number)
        }
    }

    private static func check(_ profile: FeliCaProfile) throws(FeliCaTemplateError) {
        // A test checks that the default profile is valid, and building the table of switches is slow.
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
                "product information", definition.reportedProductInformation.data.count,
                RequestProductInformation.Information.maximumDataLength
            ),
            (
                "specification version", definition.reportedVersions.options.count,
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
                .reportTooLong, "The \(name) has \(count) entries; an answer can contain at most \(maximum).")
        }
    }

    private static func checkDistinct(_ systems: [TemplateSystem]) throws(FeliCaTemplateError) {
        for (number, system) in systems.enumerated() {
            for (other, earlier) in systems[..<number].enumerated() {
                if earlier.code == system.code {
                    throw FeliCaTemplateError(
                        .duplicateSystem,
                        "Systems \(other) and \(number) both have the code \(system.code); change one of the codes.",
                        system: number)
                }
                if earlier.idm == system.idm {
                    throw FeliCaTemplateError(
                        .duplicateIDm,
                        "Systems \(other) and \(number) both have the IDm \(system.idm); omit one of them.",
                        system: number)
                }
            }
        }
    }
}

/// An area or a service, in a form for fast lookup: fixed size, no references.
struct TemplateNode: Hashable, Sendable {
    let code: NodeCode
    /// The last service code of an area; the code itself of a service.
    let end: NodeCode
    /// Version of the DES key, or ``RequestService/absent``.
    let desVersion: UInt16
    /// Version of the AES key, or ``RequestService/absent``.
    let aesVersion: UInt16
    /// Index of the first block of a service among all blocks of the card.
    var firstBlock: UInt16 = 0
    /// Blocks of a service, or of all services in an area and its subareas.
    var blockCount: UInt16 = 0
    /// Blocks of a service, or blocks reserved for an area.
    var assignedBlocks = 0
    /// Blocks reserved for an area that no service or area in it uses.
    var freeBlocks = 0
    /// The two bytes Get Area Information reports.
    var information: UInt16 = 0
    var purseLimits = PurseLimits.disabled
    var hasMACCommunication = false

    init(_ code: NodeCode, end: NodeCode, keys: FeliCaKeys) {
        self.code = code
        self.end = end
        desVersion = keys.desVersion ?? RequestService.absent
        aesVersion = keys.aesVersion ?? RequestService.absent
    }

    /// The blocks of a service among all blocks of the card.
    @inline(__always)
    var blocks: Range<Int> { Int(firstBlock)..<Int(firstBlock) + Int(blockCount) }

    var isArea: Bool { code.attribute.kind == .area }
}

/// A system, in a form for fast lookup: fixed size, no references.
struct TemplateSystem: Hashable, Sendable {
    let code: SystemCode
    let idm: IDm
    /// The offset of its node numbers among those of all systems.
    let firstNumber: UInt16
    let encryption: RequestServiceV2.EncryptionIdentifier
    /// The range of its areas and services among all nodes of the card, in ascending order of codes; the system itself follows.
    let nodes: Range<Int>
}

/// Builds the nodes and blocks of a template, system by system.
struct FeliCaMemoryLayout {
    private(set) var nodes: [TemplateNode] = []
    private(set) var keys: [TemplateKeys] = []
    private(set) var firstNodes: [UInt32] = []
    private(set) var blocks: [BlockData] = []

    /// Blocks shared by all services with the same number and kind.
    private struct Store {
        let firstBlock: UInt16
        let blockCount: UInt16
        let firstService: NodeCode
    }

    mutating func add(
        _ system: FeliCaSystemDefinition, number: Int, idm: IDm
    ) throws(FeliCaTemplateError) -> TemplateSystem {
        let place = FeliCaSystemLocation(number: number, code: system.code)
        try FeliCaSystemCheck.check(system, place)
        let stores = try addBlocks(of: system, place)
        let first = nodes.count
        let areas = system.areas.map { area in
            var node = TemplateNode(area.code, end: area.end, keys: area.keys)
            node.information = area.information
            return node
        }
        let services = system.services.map { service in
            var node = TemplateNode(service.code, end: service.code, keys: service.keys)
            if let store = stores[service.code.store] {
                node.firstBlock = store.firstBlock
                node.blockCount = store.blockCount
                node.assignedBlocks = Int(store.blockCount)
            }
            node.purseLimits = service.purseLimits ?? .disabled
            node.hasMACCommunication = service.hasMACCommunication
            return node
        }
        nodes += (areas + services).sorted { $0.code.rawValue < $1.code.rawValue }
        let parents = try FeliCaSystemCheck.parents(of: nodes[first...], place)
        try countAreaBlocks(of: system, stores: stores, parents: parents, first: first, place)
        let range = first..<nodes.count
        nodes.append(TemplateNode(.system, end: .system, keys: system.keys))
        addKeys(of: system, parents: parents + [nil], first: first)
        addFirstNodes(of: range)
        return TemplateSystem(
            code: system.code, idm: idm, firstNumber: UInt16(number * NodeCode.numberCount),
            encryption: system.encryption, nodes: range)
    }

    /// Adds the keys of a system's nodes, those of the system itself last.
    private mutating func addKeys(of system: FeliCaSystemDefinition, parents: [Int?], first: Int) {
        var byCode = [NodeCode.system: system.keys]
        for area in system.areas { byCode[area.code] = area.keys }
        for service in system.services { byCode[service.code] = service.keys }
        keys += zip(nodes[first...], parents).map { node, parent in
            TemplateKeys(byCode[node.code] ?? FeliCaKeys(), parent: parent.map { first + $0 })
        }
    }

    /// Adds, for each number, the index of the system's first node with that number, or the index where it would be.
    private mutating func addFirstNodes(of system: Range<Int>) {
        var first = system.lowerBound
        for number in 0..<NodeCode.numberCount {
            while first < system.upperBound, nodes[first].code.number < number { first += 1 }
            firstNodes.append(UInt32(first))
        }
    }

    /// Adds the blocks of a system, once for each number and kind; the first such service provides them.
    private mutating func addBlocks(
        of system: FeliCaSystemDefinition, _ place: FeliCaSystemLocation
    ) throws(FeliCaTemplateError) -> [NodeCode.Store: Store] {
        var stores: [NodeCode.Store: Store] = [:]
        for service in system.services {
            guard stores[service.code.store] == nil else { continue }
            guard !service.blocks.isEmpty else {
                throw place.error(
                    .noBlocks, at: service.code, "service \(service.code) has no blocks; add at least one.")
            }
            stores[service.code.store] = Store(
                firstBlock: UInt16(truncatingIfNeeded: blocks.count),
                blockCount: UInt16(truncatingIfNeeded: service.blocks.count), firstService: service.code)
            blocks += service.blocks
        }
        // Within the limit, nothing was truncated.
        guard blocks.count <= FeliCaTemplate.maximumBlocks else {
            throw FeliCaTemplateError(
                .tooManyBlocks,
                "With \(place), the card has \(blocks.count) blocks; a card can have at most \(FeliCaTemplate.maximumBlocks).",
                system: place.number)
        }
        return stores
    }

    /// Adds up the blocks of each area from the innermost outward; parents come before children.
    private mutating func countAreaBlocks(
        of system: FeliCaSystemDefinition, stores: [NodeCode.Store: Store], parents: [Int?], first: Int,
        _ place: FeliCaSystemLocation
    ) throws(FeliCaTemplateError) {
        for (index, parent) in zip(nodes.indices[first...], parents).reversed() {
            let node = nodes[index]
            if node.isArea {
                let taken = node.assignedBlocks
                let definition = system.areas.first { $0.code == node.code }
                let assigned = definition?.assignedBlocks.map(Int.init) ?? taken
                guard assigned >= taken else {
                    throw place.error(
                        .areaTooSmall, at: node.code,
                        "area \(node.code) is assigned \(assigned) blocks, but its services and areas use "
                            + "\(taken); assign more or omit the number.")
                }
                nodes[index].assignedBlocks = assigned
                nodes[index].freeBlocks = assigned - taken
            }
            // A store counts once, at its first service.
            guard let parent, node.isArea || stores[node.code.store]?.firstService == node.code else { continue }
            nodes[first + parent].blockCount += node.blockCount
            nodes[first + parent].assignedBlocks += nodes[index].assignedBlocks
        }
    }
}

/// The rules for a system definition, except those about blocks.
enum FeliCaSystemCheck {
    static func check(_ system: FeliCaSystemDefinition, _ place: FeliCaSystemLocation) throws(FeliCaTemplateError) {
        for area in system.areas { try check(area, place) }
        for service in system.services { try check(service, place) }
        try check(system.keys, of: nil, place)
        for area in system.areas { try check(area.keys, of: area.code, place) }
        for service in system.services { try check(service.keys, of: service.code, place) }
    }

    private static func check(_ area: FeliCaAreaDefinition, _ place: FeliCaSystemLocation) throws(FeliCaTemplateError) {
        guard area.code.attribute.kind == .area, area.code != .system else {
            throw place.error(
                .wrongAttribute, at: area.code,
                "area \(area.code) has the attribute \(area.code.attribute); an area has 00 or 01.")
        }
        guard area.end.rawValue >= area.code.rawValue else {
            throw place.error(
                .areaEndBeforeStart, at: area.code, "area \(area.code) ends at \(area.end), before it starts.")
        }
        guard area.code != .root || area.end == .lastService else {
            throw place.error(
                .wrongRootArea, at: area.code, "area 0000 ends at \(area.end); the root area ends at FFFE.")
        }
        guard area.end != .system else {
            throw place.error(
                .wrongRootArea, at: area.code, "area \(area.code) ends at FFFF; the last code of a node is FFFE.")
        }
    }

    private static func check(_ service: FeliCaServiceDefinition, _ place: FeliCaSystemLocation)
        throws(FeliCaTemplateError)
    {
        let attribute = service.code.attribute
        guard attribute.isService else {
            throw place.error(
                .wrongAttribute, at: service.code,
                "service \(service.code) has the attribute \(attribute), which is not a service attribute; "
                    + "services have 08 to 17, or 28 to 37 with PIN.")
        }
        guard let limits = service.purseLimits else { return }
        guard attribute.kind == .purse, limits.lower <= limits.upper else {
            throw place.error(
                .wrongPurseLimits, at: service.code,
                "service \(service.code) has limits \(limits.lower) to \(limits.upper); "
                    + "only a purse can have limits, and the lower one comes first.")
        }
    }

    private static func check(
        _ keys: FeliCaKeys, of node: NodeCode?, _ place: FeliCaSystemLocation
    ) throws(FeliCaTemplateError) {
        let fits = [8, 16].contains(keys.desKey?.count ?? 8) && keys.aesKey?.count ?? 16 == 16
        guard fits else {
            throw place.error(
                .wrongKeyLength, at: node,
                "a key has the wrong length; DES keys have 8 or 16 bytes, AES keys 16.")
        }
    }

    /// Returns the index of the innermost area around each node in ascending order; `nil` for an area outside all others.
    static func parents(of nodes: ArraySlice<TemplateNode>, _ place: FeliCaSystemLocation) throws(FeliCaTemplateError)
        -> [Int?]
    {
        var parents: [Int?] = []
        var around: [Int] = []
        let nodes = Array(nodes)
        for (index, node) in nodes.enumerated() {
            guard index == 0 || nodes[index - 1].code != node.code else {
                throw place.error(
                    .duplicateNode, at: node.code, "the code \(node.code) appears twice; omit one of them.")
            }
            while let last = around.last, nodes[last].end.rawValue < node.code.rawValue { around.removeLast() }
            if let last = around.last, node.end.rawValue > nodes[last].end.rawValue {
                throw place.error(
                    .areasOverlap, at: node.code,
                    "area \(node.code) to \(node.end) extends beyond area \(nodes[last].code) to "
                        + "\(nodes[last].end), in which it starts; areas must be nested or separate.")
            }
            guard node.isArea || !around.isEmpty else {
                throw place.error(
                    .serviceOutsideAreas, at: node.code,
                    "service \(node.code) is not in any area; add the root area 0000 to FFFE or another one.")
            }
            parents.append(around.last)
            if node.isArea { around.append(index) }
        }
        return parents
    }
}
