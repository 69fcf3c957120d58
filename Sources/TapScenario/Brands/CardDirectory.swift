import TapCards
import TapWire

/// The systems of a card with their areas and services, in the order of the card.
///
/// It lists the nodes only. ``blockCount(of:in:)`` gives the number of blocks of a service.
package struct CardDirectory {
    struct System {
        let code: SystemCode
        var areas: [FeliCaAreaDefinition] = []
        var services: [NodeCode] = []
    }

    private(set) var systems: [System] = []

    /// Parses a list in the format of ``CardGeneration``: a line that begins with a system code starts a system, and an
    /// indented line continues it.
    ///
    /// Areas are `first-last`. All codes are hexadecimal, high byte first.
    init(_ text: String) {
        for line in text.split(separator: "\n") {
            var words = line.split(separator: " ")[...]
            if line.first != " ", let code = words.popFirst() {
                systems.append(System(code: SystemCode(Self.code(code))))
            }
            for word in words {
                let codes = word.split(separator: "-").map { NodeCode(Self.code($0)) }
                if codes.count == 2 {
                    systems[systems.count - 1].areas.append(FeliCaAreaDefinition(codes[0], end: codes[1]))
                } else {
                    systems[systems.count - 1].services.append(codes[0])
                }
            }
        }
    }

    private static func code(_ digits: Substring) -> UInt16 {
        guard let code = UInt16(digits, radix: 16) else { preconditionFailure("\(digits) is not a code") }
        return code
    }
}

/// The data that a template writes into the services of a directory.
struct DirectoryContent {
    /// Blocks by system and shared store; missing blocks are zero.
    var blocks: [SystemCode: [NodeCode.Store: [BlockData]]] = [:]
    /// Block counts that a file states explicitly.
    var blockCounts: [NodeCode.Store: Int] = [:]
    /// The issue of the first system.
    var issue = FeliCaIssue()

    /// Sets the blocks of a service; cards without the service ignore them.
    mutating func set(_ service: ApplicationService, _ stored: [BlockData]) {
        blocks[service.system, default: [:]][service.code.store] = stored
    }
}

extension CardDirectory {
    /// Builds the systems of a card with this directory.
    func systems(holding content: DirectoryContent) -> [FeliCaSystemDefinition] {
        systems.enumerated().map { number, system in
            var known: Set<NodeCode.Store> = []
            let services = system.services.map { code in
                // Services with the same number and kind share their blocks, which belong to the first of them.
                guard known.insert(code.store).inserted else { return FeliCaServiceDefinition(code, blocks: []) }
                let count = content.blockCounts[code.store] ?? Self.blockCount(of: code, in: system.code) ?? 1
                let blocks = (content.blocks[system.code]?[code.store] ?? []).prefix(count)
                let rest = Array(repeating: BlockData.zero, count: count - blocks.count)
                return FeliCaServiceDefinition(code, blocks: blocks + rest)
            }
            return FeliCaSystemDefinition(
                code: system.code, issue: number == 0 ? content.issue : FeliCaIssue(), areas: system.areas,
                services: services)
        }
    }
}

// Block counts of services.

extension CardDirectory {
    /// The number of blocks of a service, or `nil` if no public source states it.
    static func blockCount(of code: NodeCode, in system: SystemCode) -> Int? {
        if let known = ApplicationService.known(sharing: code, in: system) { return known.service.blockCount }
        return blockCounts.first { $0.code.store == code.store && $0.systems.contains(system) }?.count
    }

    /// Services of which little more than the number of blocks is known.
    ///
    /// Source: nfcpy's traces of a Suica.
    private static let blockCounts: [(systems: [SystemCode], code: NodeCode, count: Int)] =
        [(0x194B, 16), (0x198B, 3), (0x234B, 4), (0x238B, 16), (0x23CB, 4)].map {
            (TransitServices.systems, NodeCode($0), $1)
        }
        + [(0x398B, 16), (0x39C9, 6)].map { ([SystemCode.commonArea], NodeCode($0), $1) }

    /// The number of stores (groups of services that share blocks), and the number whose block count is known from a source.
    var countedStores: (known: Int, all: Int) {
        var counts = (known: 0, all: 0)
        for system in systems {
            var stores: Set<NodeCode.Store> = []
            for code in system.services where stores.insert(code.store).inserted {
                counts.all += 1
                if Self.blockCount(of: code, in: system.code) != nil { counts.known += 1 }
            }
        }
        return counts
    }
}

extension CardDirectory {
    /// The systems and services of every card with a public list, for cards that do not list their own.
    package static let known: (systems: [SystemCode], services: [NodeCode]) = {
        let systems = CardTemplate.allCases.flatMap(\.generations).flatMap(\.directory.systems)
        return (
            Set(systems.map(\.code)).sorted { $0.rawValue < $1.rawValue },
            Set(systems.flatMap(\.services)).sorted { $0.rawValue < $1.rawValue }
        )
    }()
}
