import TapCards
import TapWire

/// A dump of a FeliCa Standard card: its systems, areas, services and the blocks that were read.
package struct FeliCaImage: Hashable, Sendable {
    /// The maximum number of blocks including missing ones: 128 KiB, more than the memory of a phone's chip.
    package static let maximumBlocks = 1 << 13

    /// Key versions as reported by the card; `nil` if the node has no such key.
    package struct KeyVersions: Hashable, Sendable {
        var des: UInt16?
        var aes: UInt16?
    }

    package struct Area: Hashable, Sendable {
        let code: NodeCode
        let end: NodeCode
        var versions: KeyVersions?

        /// Creates an area.
        ///
        /// Returns `nil` for an invalid end: before its start or, for the root area, before the last number.
        ///
        /// Tools write the end of the root area with different attributes; the card uses FFFE.
        init?(code: NodeCode, end: NodeCode, versions: KeyVersions? = nil) {
            guard end.rawValue >= code.rawValue, code != .root || end.number == NodeCode.lastService.number else {
                return nil
            }
            (self.code, self.versions) = (code, versions)
            self.end = code == .root || end == .system ? .lastService : end
        }
    }

    package struct Service: Hashable, Sendable {
        var code: NodeCode
        var versions: KeyVersions?
        /// The blocks that were read, by number.
        var blocks: [Int: BlockData] = [:]
        /// The number of blocks of the service, if the dump states it.
        var blockCount: Int?
        var limits: PurseLimits?
        var hasMACCommunication = false

        init(_ code: NodeCode, versions: KeyVersions? = nil) {
            self.code = code
            self.versions = versions
        }
    }

    package struct System: Hashable, Sendable {
        var code: SystemCode
        /// The IDm of the system, if the dump states it.
        var idm: IDm?
        var versions: KeyVersions?
        var areas: [Area] = []
        var services: [Service] = []
    }

    package var idm: IDm
    package var pmm: PMm
    package var systems: [System] = []
    package var productInformation: [UInt8]?
    package var specificationVersion: RequestSpecificationVersion.Versions?
    package var container: FeliCaContainer?
    /// Conclusions of the format's parser about missing information.
    package var conclusions: [ImageNote] = []

    init(idm: IDm, pmm: PMm) {
        self.idm = idm
        self.pmm = pmm
    }

    /// The chip, by the IC code of the PMm.
    package var ic: FeliCaIC? { FeliCaIC.coded(pmm.icType, romType: pmm.romType) }
}

extension FeliCaImage {
    /// Builds a card with a given chip and these services; blocks that were not read are zero.
    package func card(_ ic: FeliCaIC) throws(ImageProblem) -> FeliCaCardDefinition {
        let count = systems.reduce(0) { $0 + $1.stores.reduce(0) { $0 + $1.count } }
        guard count <= Self.maximumBlocks else {
            throw ImageProblem(
                "the dump has \(count) blocks", hint: "at most \(Self.maximumBlocks) blocks are allowed")
        }
        for system in systems {
            var codes: Set<NodeCode> = []
            guard let second = system.services.first(where: { !codes.insert($0.code).inserted }) else { continue }
            throw ImageProblem(
                "service \(second.code) of system \(system.code) appears twice in the dump",
                hint: "remove the second one")
        }
        var card = FeliCaCardDefinition(
            idm: systems.first?.idm ?? idm, pmm: pmm, profile: ic.profile, systems: systems.map(\.definition))
        card.assumptions = ic.assumptions
        card.chip = ic.reports
        for index in card.systems.indices where card.systems[index].idm == card.idm.ofSystem(index) {
            card.systems[index].idm = nil
        }
        // Reports that follow from the chip are omitted, so that they change with the keys of the card.
        if let productInformation, productInformation != ic.reports.productInformation {
            card.productInformation = .init(data: productInformation)
        }
        if let specificationVersion, specificationVersion != card.reportedVersions {
            card.specificationVersion = specificationVersion
        }
        card.container = container
        return card
    }
}

extension FeliCaImage.System {
    /// The shared blocks of a group of services.
    struct Store {
        let services: [NodeCode]
        var blocks: [Int: BlockData]
        /// The number of blocks, at least one.
        var count: Int

        var data: [BlockData] { (0..<count).map { blocks[$0] ?? .zero } }
        /// A service with which the blocks can be read without authentication.
        var readable: NodeCode? { services.first(where: \.attribute.isAuthenticationFree) }
        var unread: [Int] { (0..<count).filter { blocks[$0] == nil } }
    }

    /// The stores, in the order of their first services.
    var stores: [Store] {
        var stores: [Store] = []
        var places: [NodeCode.Store: Int] = [:]
        for service in services {
            let count = max(1, service.blockCount ?? 0, service.blocks.keys.max().map { $0 + 1 } ?? 0)
            if let place = places[service.code.store] {
                stores[place].blocks.merge(service.blocks) { first, _ in first }
                stores[place].count = max(stores[place].count, count)
                stores[place] = Store(
                    services: stores[place].services + [service.code], blocks: stores[place].blocks,
                    count: stores[place].count)
            } else {
                places[service.code.store] = stores.count
                stores.append(Store(services: [service.code], blocks: service.blocks, count: count))
            }
        }
        return stores
    }

    fileprivate var definition: FeliCaSystemDefinition {
        var system = FeliCaSystemDefinition(
            code: code, idm: idm, keys: FeliCaKeys(versions),
            areas: areas.map { FeliCaAreaDefinition($0.code, end: $0.end, keys: FeliCaKeys($0.versions)) },
            services: services.map {
                FeliCaServiceDefinition(
                    $0.code, keys: FeliCaKeys($0.versions), blocks: [], purseLimits: $0.limits,
                    hasMACCommunication: $0.hasMACCommunication)
            })
        if !areas.contains(where: { $0.code == .root }) { system.areas.insert(.root(), at: 0) }
        let data = Dictionary(stores.map { ($0.services[0], $0.data) }) { first, _ in first }
        for index in system.services.indices { system.services[index].blocks = data[system.services[index].code] ?? [] }
        return system
    }
}

extension FeliCaKeys {
    fileprivate init(_ versions: FeliCaImage.KeyVersions?) {
        self.init()
        guard let versions else { return }
        self.init(desVersion: versions.des, aesVersion: versions.aes)
    }
}

extension FeliCaImage {
    /// The parts of the card that are missing from the dump.
    var notes: [ImageNote] {
        var notes = conclusions
        for system in systems {
            let stores = system.stores
            let closed = stores.filter { $0.readable == nil && $0.blocks.isEmpty }.flatMap(\.services)
            if !closed.isEmpty {
                notes.append(
                    ImageNote(
                        .unread,
                        "system \(system.code): services that need a key were not read: \(Self.list(closed))",
                        hint:
                            "their blocks are zeros, or one block if their number is unknown; write them under `systems`"
                    )
                )
            }
            for store in stores where store.readable != nil || !store.blocks.isEmpty {
                guard !store.unread.isEmpty else { continue }
                notes.append(
                    ImageNote(
                        .unread,
                        "system \(system.code): blocks of service \(store.readable ?? store.services[0]) that were not "
                            + "read: \(RangeText.of(store.unread))",
                        hint: "they are zeros; read the card again, or write them under `systems`"))
            }
        }
        let hasVersions = systems.contains { $0.versions != nil || $0.services.contains { $0.versions != nil } }
        if !hasVersions {
            notes.append(
                ImageNote(
                    .notHeld, "the dump does not contain key versions", hint: "they are 0000; write `key_version`")
            )
        }
        notes.append(
            ImageNote(
                .notHeld, "dumps never contain keys and issue IDs",
                hint: "keys are zeros; write `key` and `issue` under `systems`"))
        return notes
    }

    private static let mostListed = 12

    private static func list(_ codes: [NodeCode]) -> String {
        let rest = codes.count - mostListed
        return codes.prefix(mostListed).map(\.description).joined(separator: " ")
            + (rest > 0 ? " and \(rest) more" : "")
    }

    /// The system in which the services are known, for formats that do not state the system; `nil` if none is known.
    static func likelySystem(of services: [NodeCode]) -> SystemCode? {
        var votes: [SystemCode: Int] = [:]
        for service in services {
            if let known = ApplicationService.known(service) { votes[known.service.system, default: 0] += 1 }
        }
        return votes.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}

extension FeliCaImage {
    /// Creates the dump of a card, without its keys.
    package init(_ card: FeliCaCardDefinition) {
        self.init(idm: card.systems.first?.idm ?? card.idm, pmm: card.pmm)
        let product = card.reportedProductInformation.data
        productInformation = product.isEmpty ? nil : product
        specificationVersion = card.reportedVersions
        container = card.container
        systems = card.systems.enumerated().map { number, system in
            var image = System(
                code: system.code, idm: system.idm ?? card.idm.ofSystem(number), versions: KeyVersions(system.keys))
            image.areas = system.areas.compactMap {
                Area(code: $0.code, end: $0.end, versions: KeyVersions($0.keys))
            }
            var given: Set<NodeCode.Store> = []
            image.services = system.services.map { service in
                var copy = Service(service.code, versions: KeyVersions(service.keys))
                copy.limits = service.purseLimits
                copy.hasMACCommunication = service.hasMACCommunication
                if given.insert(service.code.store).inserted {
                    copy.blocks = Dictionary(uniqueKeysWithValues: service.blocks.enumerated().map { ($0, $1) })
                }
                return copy
            }
            return image
        }
    }

    /// The card as a FeliCa Lite if it is one that was read as a card with services, or `nil` for other chips.
    package var lite: LiteImage? {
        guard LiteImage.ic(of: pmm) != nil else { return nil }
        let blocks = systems.flatMap(\.services).flatMap(\.blocks).compactMap { number, data in
            UInt16(exactly: number).map { (LiteBlock($0), data) }
        }
        return LiteImage(
            idm: systems.first?.idm ?? idm, pmm: pmm, blocks: Dictionary(blocks) { first, _ in first })
    }
}

extension FeliCaImage.KeyVersions {
    fileprivate init(_ keys: FeliCaKeys) {
        self.init(des: keys.desVersion, aes: keys.aesVersion)
    }
}
