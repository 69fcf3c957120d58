import TapField
import TapWire

/// Looks for writes that are repeated blindly.
///
/// A write after which nothing, a damaged frame or a collision came may have been carried out or not. It is repeated
/// blindly if the same command, byte for byte, is sent again before one of the places it names was read. A write that
/// was refused is known not to have happened; repeating it is not blind.
struct RepeatedWriteOracle {
    private let facts: RunFacts

    init(_ facts: RunFacts) {
        self.facts = facts
    }

    var misdeeds: [Misdeed] {
        var pending: [(item: RunFacts.Item, targets: Set<WriteTarget>)] = []
        var misdeeds: [Misdeed] = []
        for item in facts.items {
            if item.isWrite, item.command.name?.opcode != .compatibilityWrite {
                if let first = pending.first(where: { $0.item.command.bytes == item.command.bytes })?.item {
                    misdeeds.append(Self.misdeed(first, item))
                }
                pending.removeAll { $0.item.command.bytes == item.command.bytes }
                if !item.isAccepted, !item.isRefused {
                    pending.append((item, Set(WriteTarget.all(of: item.command))))
                }
            } else if !pending.isEmpty {
                let read = Self.placesRead(by: item)
                pending.removeAll { !$0.targets.isDisjoint(with: read) }
            }
        }
        return misdeeds
    }

    private static func misdeed(_ first: RunFacts.Item, _ second: RunFacts.Item) -> Misdeed {
        let place = WriteTarget.all(of: second.command).first?.text ?? "the card"
        return Misdeed(
            .safety, .blindWrites, key: "blind \(place)", at: second.number,
            "it repeated the write to \(place) of exchange \(first.number) without reading back, "
                + "though \(first.reply) came and the card may have carried it out")
    }

    /// What the client has got to see of a card.
    private static func placesRead(by item: RunFacts.Item) -> Set<WriteTarget> {
        guard item.isAccepted else { return [] }
        if item.command.name?.feliCaCode == .readWithoutEncryption {
            return Set(WriteTarget.all(of: item.command))
        }
        guard let pages = item.command.pages, case .data = item.reply else { return [] }
        let last = item.command.readsFour ? pages.lowerBound + ReadPages.pageCount - 1 : pages.upperBound
        return Set((pages.lowerBound...last).map { WriteTarget(place: .page($0)) })
    }
}
