import TapClient
import TapScenario
import TapWire

extension NDEFTag: ClientFinding {
    var node: Node {
        .map(
            cardEntries + [
                ("records", .list(message.records.map(\.node))), ("capacity", .number(capacity)),
                ("writable", .boolean(isWritable)),
            ])
    }

    private var cardEntries: [(key: String, value: Node)] {
        switch card {
        case .type2(let tag, let protection):
            var entries: [(key: String, value: Node)] = [("uid", .text(Hex.text(tag.selection.uid.bytes)))]
            if let product = tag.product { entries.append(("ic", .text(product.rawValue))) }
            if let protection { entries.append(("protected", .boolean(protection != .none))) }
            return entries
        case .type3(let system): return [("idm", .text(system.idm.description))]
        }
    }

    var lines: [String] {
        let head =
            switch card {
            case .type2(let tag, _): tag.heading
            case .type3(let system): "IDm \(system.idm)   Type 3 tag"
            }
        return ["\(head)   \(CountText.of(message.records.count, "record")), room for \(capacity) bytes"]
            + message.records.map { "\($0.words)" }
    }
}

extension NDEFRecord {
    private var understood: Content { (try? content) ?? .other(self) }

    fileprivate var node: Node {
        .map([
            "tnf": .number(format.rawValue), "type": .text(String(decoding: type, as: UTF8.self)),
            "id": id.map { .text(String(decoding: $0, as: UTF8.self)) }, "payload": .text(Hex.text(payload)),
        ]).adding(understood.entries)
    }

    fileprivate var words: String {
        switch understood {
        case .empty: "empty record"
        case .uri(let uri): "URI \(uri)"
        case .text(let text): "text (\(text.language)) \(text.text)"
        case .smartPoster(let poster): "smart poster \(poster.address) \(poster.titleTexts.joined(separator: ", "))"
        case .media(let type, let data): "\(type), \(data.count) bytes"
        case .absoluteURI(let uri): "absolute URI \(uri)"
        case .external(let type, let data): "external \(type), \(data.count) bytes"
        case .unknown(let data): "data without a type, \(data.count) bytes"
        case .other(let record): "record of format \(record.format), \(record.payload.count) bytes"
        }
    }
}

extension NDEFRecord.Content {
    /// What the record says beside its raw fields.
    fileprivate var entries: [(key: String, value: Node)] {
        switch self {
        case .uri(let uri): [("uri", .text(uri.description))]
        case .text(let text): [("text", .text(text.text)), ("language", .text(text.language))]
        case .smartPoster(let poster):
            [("uri", .text(poster.address)), ("titles", .list(poster.titleTexts.map(Node.text)))]
        case .media(let type, _): [("mime", .text(type))]
        case .absoluteURI(let uri): [("uri", .text(uri))]
        case .external(let type, _): [("external", .text(type))]
        case .empty, .unknown, .other: []
        }
    }
}

extension Node {
    /// A map with more entries.
    fileprivate func adding(_ more: [(key: String, value: Node)]) -> Node {
        .map(entries.map { ($0.key.text, $0.value) } + more)
    }
}

extension NDEFSmartPoster {
    /// The URI, empty in a poster without one that can be read.
    fileprivate var address: String { (try? uri)?.description ?? "" }

    /// The titles that can be read.
    fileprivate var titleTexts: [String] { ((try? titles) ?? []).map(\.text) }
}
