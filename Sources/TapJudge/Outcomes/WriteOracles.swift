import TapCards
import TapField
import TapScenario
import TapWire

struct WriteTarget: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        case page(Int)
        case block(NodeCode?, Int)
    }

    let place: Place

    /// Text such as `page 2` or `service 0009 block 136`.
    var text: String {
        switch place {
        case .page(let page): "page \(page)"
        case .block(let service?, let number): "service \(service) block \(number)"
        case .block(nil, let number): "block \(number)"
        }
    }

    /// The target with the code that is the same for all services that share its blocks.
    var memory: WriteTarget {
        guard case .block(let service?, let number) = place else { return self }
        return WriteTarget(place: .block(service.ofSharedBlocks, number))
    }

    var isCapabilityContainer: Bool { place == .page(NTAGLayout.capabilityContainerPage) }

    static func all(of command: CommandFacts) -> [WriteTarget] {
        if let pages = command.pages { return pages.map { WriteTarget(place: .page($0)) } }
        return command.blocks.map { WriteTarget(place: .block($0.service, $0.number)) }
    }
}

extension Oracle {
    /// Finds one misdeed for each place, whatever the answer: a refusal does not excuse the client.
    static func unaskedWrites(_ facts: RunFacts) -> [Misdeed] {
        var seen: Set<WriteTarget> = []
        var misdeeds: [Misdeed] = []
        for item in facts.exchanges where item.isWrite {
            for target in WriteTarget.all(of: item.command) where seen.insert(target).inserted {
                let (rule, what) = rule(for: target, of: item, facts.world)
                let told = item.isAccepted ? "" : "; the card did not confirm it"
                misdeeds.append(
                    Misdeed(
                        .safety, rule, key: "write \(target.text)", at: item.number,
                        "it wrote to \(target.text)\(what), which the case does not ask for\(told)"))
            }
        }
        return misdeeds
    }

    private static func rule(
        for target: WriteTarget, of item: SeenExchange, _ world: World
    ) -> (SafetyRule, String) {
        switch target.place {
        case .page(let page): rule(forPage: page, layout(of: item, world))
        case .block(_, let number): rule(forBlock: number)
        }
    }

    private static func layout(of item: SeenExchange, _ world: World) -> NTAGLayout? {
        let names = item.exchange.answers.flatMap(\.cards)
        let tags = world.cards.filter { $0.engine is NTAGCard }
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

    /// Returns the rule for blocks of a FeliCa Lite or Lite-S beyond its user memory.
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

struct WriteLocation: Hashable, Sendable {
    let card: String
    let target: WriteTarget
    let content: [UInt8]

    /// Returns `nil` if the card has no such place.
    static func content(of target: WriteTarget, on card: String, in world: World) -> [UInt8]? {
        switch (target.place, world.card(named: card)?.engine) {
        case (.page(let page), let tag as NTAGCard):
            page < tag.template.definition.product.layout.pageCount ? tag[page: page].bytes : nil
        case (.block(let service?, let number), let felica as any FeliCaEngine):
            felica.block(number, of: service)?.bytes
        default: nil
        }
    }

    /// Returns the places that all runs write and leave with the same contents, in the order of the first run.
    static func common(to runs: [RunFacts]) -> [WriteLocation] {
        guard let first = runs.first else { return [] }
        var seen: Set<WriteLocation> = []
        var places: [WriteLocation] = []
        for item in first.exchanges where item.isWrite && item.isAccepted {
            for slot in first.world.cards where item.wasAnswered(by: slot.name) {
                for target in WriteTarget.all(of: item.command) {
                    guard let content = content(of: target, on: slot.name, in: first.world) else { continue }
                    let place = WriteLocation(card: slot.name, target: target, content: content)
                    let isCommon = runs.allSatisfy { place.isMet(in: $0.world) }
                    if isCommon, seen.insert(place).inserted { places.append(place) }
                }
            }
        }
        return places
    }

    func isMet(in world: World) -> Bool { Self.content(of: target, on: card, in: world) == content }
}

extension Oracle {
    /// Finds NDEF messages that a client wrote only in part.
    ///
    /// A write is safe if at every moment a reader finds the old message, the new one or none: for NFC Forum Type 2 Tags, the
    /// length is written last; for Type 3 Tags, WriteFlag is set in the meantime. The client is at fault if the card contains
    /// no such message and would contain none after exactly the writes it acknowledged; torn pages and lost acknowledgements
    /// are not the client's fault. Without a baseline run, the new message is unknown.
    static func halfWrittenMessages(_ facts: RunFacts) -> [Misdeed] {
        guard let clean = facts.baselineMessages else { return [] }
        let lastWrite = facts.exchanges.last { $0.isWrite && $0.isAccepted }?.number
        return facts.world.cards.compactMap { slot in
            guard let message = facts.messages[slot.name], let stored = AcknowledgedMemory.stored(on: slot) else {
                return nil
            }
            // Another card that replaced the first may contain the whole message as well.
            let allowed = [message.before, .message([]), .beingWritten] + clean.values.map(\.after)
            guard !allowed.contains(message.after), !allowed.contains(stored) else { return nil }
            let found =
                message.after == .unreadable
                ? "no readable message" : "a mixture of the old message and the new"
            return Misdeed(
                .safety, .halfWritten, key: "half-written \(slot.name)", at: lastWrite,
                "it left \(slot.name) with \(found); write the length last, so that a reader finds the old message, "
                    + "the new one or none")
        }
    }
}

extension Oracle {
    /// Finds tags whose capability container, written by the client, promises more memory than they have.
    ///
    /// Its bits can never be cleared, so from then on readers look for a message beyond the end of the memory.
    static func oversizedContainers(_ facts: RunFacts) -> [Misdeed] {
        facts.world.cards.compactMap { slot in
            let writes = facts.exchanges.filter { item in
                item.isAccepted && item.isWrite && item.wasAnswered(by: slot.name)
                    && WriteTarget.all(of: item.command).contains(where: \.isCapabilityContainer)
            }
            guard let last = writes.last, let tag = slot.engine as? NTAGCard,
                let container = try? CapabilityContainer(
                    parsing: tag[page: NTAGLayout.capabilityContainerPage].bytes)
            else { return nil }
            let room = tag.template.definition.product.layout.userByteCount
            guard container.dataAreaSize > room else { return nil }
            return Misdeed(
                .safety, key: "capability container of \(slot.name)", at: last.number,
                "it left \(slot.name) with a capability container that promises \(container.dataAreaSize) bytes, though "
                    + "the tag has \(room)")
        }
    }
}

extension Oracle {
    /// Finds writes that are repeated blindly.
    ///
    /// After silence, a damaged frame or a collision, a write may or may not have been carried out. Sending the same bytes
    /// again before reading one of its places is blind. Repeating a refused write is not blind. Neither is writing the same
    /// data to the same place of ordinary memory: whatever happened to the first write, the place then contains the data, and
    /// another card does not hear the second one until it is selected.
    static func blindWrites(_ facts: RunFacts) -> [Misdeed] {
        var pending: [(item: SeenExchange, targets: Set<WriteTarget>)] = []
        var misdeeds: [Misdeed] = []
        for item in facts.exchanges {
            if item.isWrite, item.command.name?.opcode != .compatibilityWrite {
                if let first = pending.first(where: { $0.item.command.bytes == item.command.bytes })?.item {
                    misdeeds.append(repeated(first, item))
                }
                pending.removeAll { $0.item.command.bytes == item.command.bytes }
                if !item.isAccepted, !item.isRefused, !isIdempotent(item, facts.world) {
                    pending.append((item, Set(WriteTarget.all(of: item.command).map(\.memory))))
                }
            } else if !pending.isEmpty {
                let read = placesRead(by: item)
                pending.removeAll { !$0.targets.isDisjoint(with: read) }
            }
        }
        return misdeeds
    }

    /// Returns whether carrying out a write twice has the same effect as once; this may not hold for lock bits, configuration,
    /// passwords, and cyclic or purse services.
    private static func isIdempotent(_ item: SeenExchange, _ world: World) -> Bool {
        WriteTarget.all(of: item.command).allSatisfy { target in
            guard rule(for: target, of: item, world).0 == .unaskedWrites else { return false }
            guard case .block(let service?, _) = target.place else { return true }
            return service.attribute.kind == .random
        }
    }

    private static func repeated(_ first: SeenExchange, _ second: SeenExchange) -> Misdeed {
        let place = WriteTarget.all(of: second.command).first?.text ?? "the card"
        return Misdeed(
            .safety, .blindWrites, key: "blind \(place)", at: second.number,
            "it repeated the write to \(place) from exchange \(first.number) without reading back; "
                + "after \(first.reply), the card may already have carried it out")
    }

    private static func placesRead(by item: SeenExchange) -> Set<WriteTarget> {
        guard item.isAccepted else { return [] }
        if item.command.name?.feliCaCode == .readWithoutEncryption {
            return Set(WriteTarget.all(of: item.command).map(\.memory))
        }
        guard let pages = item.command.pages, case .data = item.reply else { return [] }
        let last = item.command.readsFour ? pages.lowerBound + ReadPages.pageCount - 1 : pages.upperBound
        return Set((pages.lowerBound...last).map { WriteTarget(place: .page($0)) })
    }
}

extension NodeCode {
    /// The code of the first service with this number and kind; such services share the same blocks.
    fileprivate var ofSharedBlocks: NodeCode {
        switch attribute.kind {
        case .random: NodeCode(number << 6 | 0x08)
        case .cyclic: NodeCode(number << 6 | 0x0C)
        case .purse: NodeCode(number << 6 | 0x10)
        case .area, .undefined: self
        }
    }
}
