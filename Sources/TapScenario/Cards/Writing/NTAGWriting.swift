import TapCards
import TapWire

// An NTAG as a map of the card language: the pages that are not as at delivery, and what lies outside the memory.

extension Node {
    /// The map of a tag.
    static func of(_ tag: NTAGDefinition) -> Node {
        let pages = pages(of: tag)
        let configuration: [(key: String, value: Node?)] = [
            (key: "pwd_known", value: tag.isPasswordKnown ? nil : .boolean(false)),
            (key: "counter", value: tag.counter == 0 ? nil : ["value": .number(tag.counter)]),
            (key: "auth_failures", value: tag.failedAuthentications == 0 ? nil : .number(tag.failedAuthentications)),
            (key: "version", value: tag.version == tag.product.version ? nil : .hex(tag.version.bytes)),
            (key: "signature", value: .hex(tag.signature.bytes)),
        ]
        return .map([
            "ic": .text(tag.product.rawValue),
            "uid": .hex(tag.uid.bytes),
            "pages": pages.isEmpty ? nil : .map(pages),
            "config": .map(configuration.compactMap { entry in entry.value.map { (key: entry.key, value: $0) } }),
            "quirks": quirks(of: tag.quirks),
        ])
    }

    /// Neighbouring pages that differ from a tag at delivery, by their first number.
    private static func pages(of tag: NTAGDefinition) -> [(key: String, value: Node)] {
        guard let usual = try? NTAGDefinition(tag.product, uid: tag.uid) else { return [] }
        var runs: [(first: Int, pages: [Node])] = []
        for page in 0..<tag.product.layout.pageCount where tag[page: page] != usual[page: page] {
            if let last = runs.last, last.first + last.pages.count == page {
                runs[runs.count - 1].pages.append(.hex(tag[page: page].bytes))
            } else {
                runs.append((page, [.hex(tag[page: page].bytes)]))
            }
        }
        return runs.map { run in
            (key: "\(run.first)", value: run.pages.count == 1 ? run.pages[0] : .list(run.pages))
        }
    }

    private static func quirks(of quirks: NTAGQuirks) -> Node? {
        let switches = NTAGQuirks.switches.filter { $0.value(in: quirks) != $0.defaultValue }
        guard !switches.isEmpty else { return nil }
        return .map(switches.map { (key: $0.name, value: .text($0.value(in: quirks))) })
    }
}
