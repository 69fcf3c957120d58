import TapCards
import TapField
import TapWire

/// Where a write goes.
struct WriteTarget: Hashable, Sendable {
    /// A page of a Type 2 tag or a block of a service.
    enum Place: Hashable, Sendable {
        case page(Int)
        case block(NodeCode?, Int)
    }

    let place: Place

    /// The place in words: `page 2`, `service 0009 block 136`.
    var text: String {
        switch place {
        case .page(let page): "page \(page)"
        case .block(let service?, let number): "service \(service) block \(number)"
        case .block(nil, let number): "block \(number)"
        }
    }

    /// The places a write command names.
    static func all(of command: CommandFacts) -> [WriteTarget] {
        if let pages = command.pages { return pages.map { WriteTarget(place: .page($0)) } }
        return command.blocks.map { WriteTarget(place: .block($0.service, $0.number)) }
    }
}

/// Looks for writes to what cannot be undone.
struct WriteOracle {
    private let facts: RunFacts

    init(_ facts: RunFacts) {
        self.facts = facts
    }

    /// One misdeed for each place written to, whatever came back: that it was refused is no merit of the client.
    var misdeeds: [Misdeed] {
        var seen: Set<WriteTarget> = []
        var misdeeds: [Misdeed] = []
        for item in facts.items where item.isWrite {
            for target in WriteTarget.all(of: item.command) where seen.insert(target).inserted {
                let (rule, what) = rule(for: target, of: item)
                let told = item.isAccepted ? "" : ", which the card did not confirm"
                misdeeds.append(
                    Misdeed(
                        .safety, rule, key: "write \(target.text)", at: item.number,
                        "it wrote to \(target.text)\(what), which nobody asked for\(told)"))
            }
        }
        return misdeeds
    }

    private func rule(for target: WriteTarget, of item: RunFacts.Item) -> (SafetyRule, String) {
        switch target.place {
        case .page(let page): Self.rule(forPage: page, layout(of: item))
        case .block(_, let number): Self.rule(forBlock: number)
        }
    }

    /// The layout of the tag that answered, or of the first tag there is.
    private func layout(of item: RunFacts.Item) -> NTAGLayout? {
        let names = item.exchange.answers.flatMap(\.cards)
        let tags = facts.world.cards.filter { $0.engine is NTAGCard }
        let tag = tags.first { names.contains($0.name) } ?? tags.first
        return (tag?.engine as? NTAGCard)?.template.definition.product.layout
    }

    private static func rule(forPage page: Int, _ layout: NTAGLayout?) -> (SafetyRule, String) {
        switch page {
        case 0..<NTAGLayout.staticLockPage: (.lockPages, " (the UID)")
        case NTAGLayout.staticLockPage: (.lockPages, " (static lock bytes)")
        case NTAGLayout.capabilityContainerPage: (.otp, " (the capability container)")
        case layout?.dynamicLockPage: (.lockPages, " (dynamic lock bytes)")
        case layout?.cfg0Page: (.configPages, " (CFG0)")
        case layout?.cfg1Page: (.configPages, " (CFG1)")
        case layout?.passwordPage: (.passwordPages, " (PWD)")
        case layout?.packPage: (.passwordPages, " (PACK)")
        default: (.unaskedWrites, "")
        }
    }

    /// Blocks of a FeliCa Lite or Lite-S beyond its user memory.
    ///
    /// Source: FeliCa Lite-S User's Manual, ch. 3, "block list".
    private static func rule(forBlock number: Int) -> (SafetyRule, String) {
        switch number {
        case 0x86: (.passwordPages, " (CKV, the key version)")
        case 0x87: (.passwordPages, " (CK, the card key)")
        case 0x88: (.configPages, " (MC, the memory configuration)")
        default: (.unaskedWrites, "")
        }
    }
}
