import TapClient
import TapScenario
import TapWire

extension CardDump: ClientFinding {
    var node: Node {
        switch self {
        case .felica(let dump): dump.node
        case .type2(let dump): dump.node
        }
    }

    var lines: [String] {
        switch self {
        case .felica(let dump): dump.lines
        case .type2(let dump): dump.lines
        }
    }
}

extension FeliCaDump {
    fileprivate var node: Node {
        [
            "idm": .text(idm.description), "pmm": .text(pmm.description),
            "systems": .list(systems.map(\.node)),
        ]
    }

    fileprivate var lines: [String] {
        ["IDm \(idm)   PMm \(pmm)"] + systems.flatMap(\.lines)
    }
}

extension FeliCaDump.System {
    fileprivate var node: Node {
        [
            "code": .text(identity.code.description), "idm": .text(identity.idm.description),
            "areas": .list(areas.map { ["code": .text($0.code.description), "end": .text($0.end.description)] }),
            "services": .list(services.map(\.node)),
        ]
    }

    fileprivate var lines: [String] {
        ["system \(identity.code)   IDm \(identity.idm)"] + services.flatMap(\.lines)
    }
}

extension FeliCaDump.Service {
    fileprivate var node: Node {
        let code = ("code", Node.text(code.description))
        let rest: (key: String, value: Node) =
            switch content {
            case .blocks(let blocks): ("blocks", .list(blocks.map { .text($0.description) }))
            case .locked: ("locked", true)
            case .refused(let flags): ("refused", .text(flags.description))
            }
        return .map([(key: code.0, value: code.1), rest])
    }

    fileprivate var lines: [String] {
        switch content {
        case .blocks(let blocks):
            ["  service \(code)   \(CountText.of(blocks.count, "block"))"]
                + blocks.enumerated().map { "    \(Hex.digits($0.offset, width: 2))  \($0.element)" }
        case .locked: ["  service \(code)   needs authentication"]
        case .refused(let flags): ["  service \(code)   refused, \(flags)"]
        }
    }
}

extension Type2Dump {
    fileprivate var node: Node {
        .map([
            "uid": .text(Hex.text(tag.selection.uid.bytes)), "atqa": .text(tag.selection.atqa.description),
            "sak": .text(tag.selection.sak.description),
            "ic": tag.product.map { .text($0.rawValue) },
            "version": tag.version.map { .text(Hex.text($0.bytes)) },
            "signature": signature.map { .text(Hex.text($0.bytes)) }, "counter": counter.map { .number($0) },
            "pages": .list(pages.map { .text(of: $0) }),
        ])
    }

    fileprivate var lines: [String] {
        [tag.heading]
            + pages.enumerated().map { number, page in
                "  \(Hex.digits(number, width: 2))  \(page?.description ?? "refused")"
            }
    }
}
