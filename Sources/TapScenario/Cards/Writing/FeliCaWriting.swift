import TapCards
import TapWire

// A FeliCa card as a map of the card language: everything that is not as without the key.

extension Node {
    /// The map of a card that was made for an IC.
    static func of(_ card: FeliCaCardDefinition, ic: String) -> Node {
        let specification = card.specificationVersion
        let isUsual = specification == .init(basic: .init(0x8500))
        return .map([
            "ic": .text(ic),
            "idm": .hex(card.idm.rawValue.octets),
            "pmm": .hex(card.pmm.rawValue.octets),
            "systems": .map(card.systems.map { (key: $0.code.description, value: .of($0)) }),
            "container": card.container.map { .of($0) },
            "product_information": card.productInformation.data.isEmpty ? nil : .hex(card.productInformation.data),
            "specification_version": isUsual
                ? nil
                : .map([
                    "format": .hex([specification.format]), "basic": .code(specification.basic.rawValue),
                    "options": .list(specification.options.map { .code($0.rawValue) }),
                ]),
            "system_status": card.systemStatus == .init()
                ? nil : ["flag": .hex([card.systemStatus.flag]), "data": .hex(card.systemStatus.data)],
            "rewrite_limit": card.rewriteLimit.map { .number($0) },
            "quirks": quirks(of: card.profile, unlike: FeliCaIC.named(ic)?.profile ?? FeliCaProfile()),
        ])
    }

    private static func quirks(of profile: FeliCaProfile, unlike usual: FeliCaProfile) -> Node? {
        let switches = FeliCaProfile.switches.filter { $0.value(in: profile) != $0.value(in: usual) }
        guard !switches.isEmpty else { return nil }
        return .map(switches.map { (key: $0.name, value: .text($0.value(in: profile))) })
    }

    private static func of(_ container: FeliCaContainer) -> Node {
        [
            "idm": .hex(container.idm.rawValue.octets), "issue_information": .hex(container.issueInformation.bytes),
            "properties": .list(container.properties.map { .hex($0) }),
        ]
    }

    private static func of(_ system: FeliCaSystemDefinition) -> Node {
        var entries: [(key: String, value: Node)] = []
        if let idm = system.idm { entries.append((key: "idm", value: .hex(idm.rawValue.octets))) }
        entries += self.entries(of: system.keys)
        if system.issue != FeliCaIssue() {
            let issue: Node = ["id": .hex(system.issue.id.octets), "parameter": .hex(system.issue.parameter.octets)]
            entries.append((key: "issue", value: issue))
        }
        entries.append((key: "areas", value: .map(system.areas.map { (key: $0.code.description, value: .of($0)) })))
        let services = system.services.map { (key: $0.code.description, value: Node.of($0)) }
        if !services.isEmpty { entries.append((key: "services", value: .map(services))) }
        return .map(entries)
    }

    private static func of(_ area: FeliCaAreaDefinition) -> Node {
        var entries = [(key: "end", value: Node.code(area.end.rawValue))] + entries(of: area.keys)
        if let blocks = area.assignedBlocks { entries.append((key: "blocks", value: .number(blocks))) }
        if area.information != 0 { entries.append((key: "information", value: .code(area.information))) }
        return entries.count == 1 ? entries[0].value : .map(entries)
    }

    private static func of(_ service: FeliCaServiceDefinition) -> Node {
        var entries = entries(of: service.keys)
        if let limits = service.purseLimits {
            let node: Node = [
                "lower": .number(limits.lower), "upper": .number(limits.upper),
                "generation": .number(limits.generation),
            ]
            entries.append((key: "limits", value: node))
        }
        if service.hasMACCommunication { entries.append((key: "mac", value: true)) }
        if !service.blocks.isEmpty {
            let used = service.blocks.lastIndex { $0 != .zero }.map { $0 + 1 } ?? 0
            if used < service.blocks.count { entries.append((key: "blocks", value: .number(service.blocks.count))) }
            let data = service.blocks.prefix(used).map { Node.hex($0.bytes) }
            if used > 0 { entries.append((key: "data", value: .list(data))) }
        }
        return .map(entries)
    }

    /// Keys and versions that are not those of ``FeliCaKeys/init(desVersion:desKey:aesVersion:aesKey:)``.
    private static func entries(of keys: FeliCaKeys) -> [(key: String, value: Node)] {
        var entries: [(key: String, value: Node)] = []
        if let key = keys.desKey { entries.append((key: "key", value: .hex(key))) }
        if keys.desVersion != 0 {
            entries.append((key: "key_version", value: keys.desVersion.map { .code($0) } ?? "none"))
        }
        if let key = keys.aesKey { entries.append((key: "aes_key", value: .hex(key))) }
        if keys.aesVersion != nil || keys.aesKey != nil {
            entries.append((key: "aes_key_version", value: keys.aesVersion.map { .code($0) } ?? "none"))
        }
        return entries
    }
}
