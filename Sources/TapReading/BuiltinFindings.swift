import TapClient
import TapDocument
import TapReport
import TapWire

/// The result of a built-in client: a value that scenarios judge, and text for people.
protocol ClientFinding {
    /// The result, into which `expect.result` points.
    var node: Node { get }
    var lines: [String] { get }
    /// Returns the lines with names after the codes of stations.
    func lines(naming stations: StationNames) -> [String]
}

extension ClientFinding {
    func lines(naming stations: StationNames) -> [String] { lines }
}

extension Node {
    static func text(of value: (some CustomStringConvertible)?) -> Node {
        value.map { .text($0.description) } ?? .null
    }

    static func number(of value: Int?) -> Node {
        value.map { .number($0) } ?? .null
    }
}

extension Type2Tag {
    /// The UID and the IC, for the first line of a text.
    var heading: String { "UID \(Hex.text(selection.uid.bytes))   \(product?.rawValue ?? "Type 2 tag")" }
}

/// Returns an amount in yen with its sign: `+1000`, `-210`; empty if it is unknown.
func yenText(_ amount: Int?) -> String {
    amount.map { $0 > 0 ? "+\($0)" : "\($0)" } ?? ""
}

extension TransitCard: ClientFinding {
    var node: Node {
        .map([
            "idm": .text(system.idm.description),
            "system": .text(system.code.description),
            "balance": .number(balance.balance),
            "trips": .list(history.trips.map(\.node)),
            "gates": gates.map { .list($0.map(\.node)) },
        ])
    }

    var lines: [String] { lines(naming: StationNames()) }

    func lines(naming stations: StationNames) -> [String] {
        let rows = history.trips.enumerated().map { index, trip in
            [
                "\(index + 1)".leftPadded(to: 2), trip.record.date.description, trip.record.kindText,
                stations.named(trip.record.place.description, area: trip.record.region >> 6),
                yenText(trip.amount).leftPadded(to: 6),
                "\(trip.record.balance)".leftPadded(to: 6),
            ]
        }
        return ["IDm \(system.idm)   balance \(balance.balance) yen   \(CountText.of(rows.count, "trip"))"]
            + TextTable.lines(rows)
    }
}

extension TransitHistory.Trip {
    fileprivate var node: Node {
        var entries: [(key: String, value: Node)] = [
            ("number", .number(record.sequence)), ("date", .text(record.date.description)),
            ("kind", .text(record.kindText)),
        ]
        switch record.place {
        case .rail(let entry, let exit):
            entries += [("from", .text(entry.description)), ("to", .text(exit.description))]
        case .machine(let station, _): entries.append(("station", .text(station.description)))
        case .shop(let time, _): entries.append(("time", .text(time.description)))
        case .bus: break
        }
        return .map(
            entries + [("balance", .number(record.balance)), ("amount", .number(of: amount))])
    }
}

extension TransitHistoryRecord {
    /// The kind as scenario files name it, or the process if it has no such name.
    fileprivate var kindText: String { kind?.rawValue ?? self.process.description }
}

extension TransitGateRecord {
    fileprivate var node: Node {
        [
            "event": .text(self.event.description), "station": .text(self.station.description),
            "date": .text(self.date.description), "time": .text(self.time.description), "amount": .number(self.amount),
        ]
    }
}

struct MoneyFinding: ClientFinding {
    let purses: [ElectronicMoney]

    var node: Node {
        .map([
            "idm": purses.first.map { .text($0.system.idm.description) },
            "purses": .list(purses.map(\.node)),
        ])
    }

    var lines: [String] { purses.flatMap(\.lines) }
}

extension ElectronicMoney {
    fileprivate var node: Node {
        .map([
            "kind": .text(kind.rawValue), "number": number.map { .text($0.description) }, "balance": .number(balance),
            "history": .list(history.map(\.node)),
        ])
    }

    fileprivate var lines: [String] {
        let title = number.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
        let rows = history.enumerated().map { index, entry in
            [
                "\(index + 1)".leftPadded(to: 2), entry.date?.description ?? "", entry.time?.description ?? "",
                entry.kind ?? "", yenText(entry.amount).leftPadded(to: 6), "\(entry.balance)".leftPadded(to: 6),
            ]
        }
        return ["\(title)   balance \(balance) yen"] + TextTable.lines(rows)
    }
}

extension ElectronicMoney.Entry {
    fileprivate var node: Node {
        [
            "date": .text(of: date), "time": .text(of: time), "kind": .text(of: kind), "amount": .number(of: amount),
            "balance": .number(balance),
        ]
    }
}

extension NDEFTag: ClientFinding {
    var node: Node {
        .map(
            cardEntries + [
                ("records", .list(records.map(\.node))), ("capacity", .number(capacity)),
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
        return ["\(head)   \(CountText.of(records.count, "record")), room for \(capacity) bytes"]
            + records.map { "\($0.words)" }
    }

    /// The records, with their chunks reassembled.
    private var records: [NDEFRecord] { ((try? message.reassembled()) ?? message).records }
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
    func adding(_ more: [(key: String, value: Node)]) -> Node {
        .map(entries.map { ($0.key.text, $0.value) } + more)
    }
}

extension NDEFSmartPoster {
    /// The URI; empty if the poster has no readable one.
    fileprivate var address: String { (try? uri)?.description ?? "" }

    fileprivate var titleTexts: [String] { ((try? titles) ?? []).map(\.text) }
}

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
        let code = Node.text(code.description)
        return switch content {
        case .blocks(let blocks): ["code": code, "blocks": .list(blocks.map { .text($0.description) })]
        case .locked: ["code": code, "locked": true]
        case .refused(let flags): ["code": code, "refused": .text(flags.description)]
        }
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
