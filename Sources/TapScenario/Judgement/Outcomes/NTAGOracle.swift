import TapCards
import TapField
import TapWire

/// Looks for what the data sheet of NTAG21x excludes.
struct NTAGOracle {
    /// So many commands may meet a tag that a NAK has sent to IDLE before a client is held not to know it.
    private static let toleratedUnheard = 2
    /// So often in a row the same refused command may be sent.
    private static let toleratedRefusals = 5

    private let items: [RunFacts.Item]
    private let facts: RunFacts

    init(_ facts: RunFacts) {
        self.facts = facts
        items = facts.items.filter { !$0.exchange.command.technology.isFeliCa }
    }

    var misdeeds: [Misdeed] {
        unheard + beyond + inverted + Refusals.misdeeds(of: items, tolerated: Self.toleratedRefusals)
    }

    /// Commands to a tag that is back in IDLE or HALT after a NAK, without a new selection.
    private var unheard: [Misdeed] {
        var nak: Int?
        var count = 0
        for item in items {
            if item.command.name?.layer == .selection {
                nak = nil
                count = 0
            } else if item.isRefused {
                nak = item.number
                count = 0
            } else if !item.exchange.answers.isEmpty {
                nak = nil
                count = 0
            } else if let nak, item.silentStates.contains(where: { ["IDLE", "HALT"].contains($0.state) }) {
                count += 1
                guard count > Self.toleratedUnheard else { continue }
                return [
                    Misdeed(
                        .protocolMisuse, key: "unheard", at: item.number,
                        "it sent \(count) commands after the NAK of exchange \(nak) without selecting the tag again, "
                            + "which is back in IDLE and hears none of them")
                ]
            }
        }
        return []
    }

    /// Reads beyond the last page that the tag has, or says it has.
    private var beyond: [Misdeed] {
        let layouts = facts.world.cards.compactMap { slot in
            (slot.original as? NTAGCard)?.template.definition.product.layout
        }
        guard var last = layouts.map({ $0.pageCount - 1 }).max() else { return [] }
        for item in items {
            if let claimed = item.claimedLastPage { last = max(last, claimed) }
            guard item.command.name?.opcode == .read || item.command.name?.opcode == .fastRead,
                let pages = item.command.pages, pages.upperBound > last
            else { continue }
            return [
                Misdeed(
                    .protocolMisuse, key: "beyond", at: item.number,
                    "it asked for page \(pages.upperBound); the last page of the tag is \(last)")
            ]
        }
        return []
    }

    /// FAST_READ whose last page comes before its first.
    private var inverted: [Misdeed] {
        for item in items where item.command.name?.opcode == .fastRead {
            guard let request = try? FastRead.Request(parsing: item.command.bytes), request.first > request.last else {
                continue
            }
            return [
                Misdeed(
                    .protocolMisuse, key: "inverted", at: item.number,
                    "it sent FAST_READ from page \(request.first) back to page \(request.last)")
            ]
        }
        return []
    }
}

extension RunFacts.Item {
    /// The last page that what the client received lets it believe in: by GET_VERSION, or by the capability container.
    fileprivate var claimedLastPage: Int? {
        guard case .data(let bytes) = reply else { return nil }
        if command.name?.opcode == .getVersion, let version = try? GetVersion.Response(parsing: bytes) {
            return NTAGProduct(version).map { $0.layout.pageCount - 1 }
                ?? version.storageBytes.map { $0.upperBound / PageData.byteCount }
        }
        guard let first = command.pages?.lowerBound, first <= NTAGLayout.capabilityContainerPage else { return nil }
        let start = (NTAGLayout.capabilityContainerPage - first) * PageData.byteCount
        guard bytes.count >= start + PageData.byteCount,
            let container = try? CapabilityContainer(parsing: Array(bytes[start..<start + PageData.byteCount]))
        else { return nil }
        return (Type2DataArea.firstAddress + container.dataAreaSize) / PageData.byteCount - 1
    }
}
